// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * A fabric, a region, a remote, a link or an end of a channel is closed, or was closed before an
 * operation ended: one that was under way may or may not have been executed.
 */
public final class ClosedException extends FabricException {

  ClosedException(String message) {
    super(message);
  }
}
