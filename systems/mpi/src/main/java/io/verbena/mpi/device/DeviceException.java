// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/** Why a request ended otherwise than it was meant to. */
public sealed class DeviceException extends RuntimeException
    permits RankLostException, TruncatedException {

  private static final long serialVersionUID = 1;

  DeviceException(String message) {
    super(message);
  }

  DeviceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The same for another thread: with the trace of who is told. */
  DeviceException again() {
    return new DeviceException(String.valueOf(getMessage()), this);
  }
}
