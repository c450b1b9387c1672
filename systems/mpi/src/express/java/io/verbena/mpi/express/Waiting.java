// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.express;

import xdev.XDevException;

/** Calls that wait, as MPJ Express has them: it knows no interrupts. */
final class Waiting {

  private Waiting() {}

  /** A call of our device. */
  interface Call<T> {
    T call() throws InterruptedException;
  }

  static <T> T on(Call<T> call) {
    try {
      return call.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new XDevException(e);
    }
  }
}
