// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * An operation was refused: before it was begun, which disturbs nothing else, or by a device, where
 * its link ends and some bytes of a put or get may have moved. An atomic was not executed.
 */
public final class RefusedException extends FabricException {

  RefusedException(String message) {
    super(message);
  }
}
