// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Layout;

/**
 * Hensgen, Finkel and Manber's barrier: after the step at distance d, each member knows that the 2d
 * members up to it have come.
 */
final class Dissemination {

  private Dissemination() {}

  static void barrier(Call call) throws InterruptedException {
    for (int distance = 1; distance < call.size(); distance *= 2) {
      call.exchange(call.ahead(distance), Layout.empty(), call.behind(distance), Layout.empty());
    }
  }
}
