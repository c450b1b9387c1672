// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

/** How a message is made and taken. */
public enum MessagePath {
  /** As an object: a record is built for each one. */
  RECORD,
  /** As bytes that are written and read in place. */
  VIEW
}
