// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/** The link ended before the operation: it may or may not have been executed. */
public final class UnknownOutcomeException extends FabricException {

  UnknownOutcomeException(String message) {
    super(message);
  }
}
