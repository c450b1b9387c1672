// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * Something of one-sided memory or of channels could not be done; the text is the native library's
 * sentence.
 */
public sealed class FabricException extends RuntimeException
    permits ClosedException, RefusedException, UnknownOutcomeException {

  FabricException(String message) {
    super(message);
  }
}
