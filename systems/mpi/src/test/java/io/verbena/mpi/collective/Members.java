// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Ranks;
import java.util.Collections;
import java.util.List;

/** Ranks in one process that make collective calls. */
final class Members implements AutoCloseable {

  /** What a member does. */
  interface Program {
    void run(Collectives all, int self) throws Exception;
  }

  final Ranks ranks;
  private final int size;
  private int contexts;

  Members(int size) {
    this.size = size;
    this.ranks = new Ranks(size, "shm", DeviceOptions.DEFAULTS, config -> config.idleLooks(0));
  }

  /** All make the same calls, in a context of its own. */
  void run(Choice choice, List<Plan> plans) throws Exception {
    run(
        choice,
        (all, self) -> {
          for (Plan plan : plans) {
            plan.run(all, self);
          }
        });
  }

  void run(Choice choice, Program program) throws Exception {
    int context = ++contexts;
    Ranks.Program each = device -> program.run(of(device, context, choice), device.rank());
    ranks.run(Collections.nCopies(size, each).toArray(Ranks.Program[]::new));
  }

  private Collectives of(Device device, int context, Choice choice) {
    return new Collectives(device, Context.ofAll(context, size), device.rank(), choice);
  }

  @Override
  public void close() {
    ranks.close();
  }
}
