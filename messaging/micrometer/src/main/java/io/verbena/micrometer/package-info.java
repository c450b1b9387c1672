// SPDX-License-Identifier: Apache-2.0
/** The counters of a node as Micrometer meters. */
@org.jspecify.annotations.NullMarked
package io.verbena.micrometer;
