// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.DeviceOptions;
import io.verbena.mpi.device.Ranks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The worlds of several ranks in one process, all of which do the same. Their errors return. */
final class Worlds implements AutoCloseable {

  /** What a rank does. */
  interface Program {
    void run(World world) throws Exception;
  }

  final List<World> all = new ArrayList<>();
  private final Ranks ranks;

  Worlds(int size) {
    ranks = new Ranks(size, "shm", DeviceOptions.DEFAULTS);
    for (int rank = 0; rank < size; rank++) {
      World world = World.of(ranks.of(rank));
      world.communicator().setErrors(ErrorMode.ERRORS_RETURN);
      world.self().setErrors(ErrorMode.ERRORS_RETURN);
      all.add(world);
    }
  }

  void run(Program program) throws Exception {
    Ranks.Program each = device -> program.run(all.get(device.rank()));
    ranks.run(Collections.nCopies(all.size(), each).toArray(Ranks.Program[]::new));
  }

  /** Ranks that are there for one program. */
  static void run(int size, Program program) throws Exception {
    try (Worlds worlds = new Worlds(size)) {
      worlds.run(program);
    }
  }

  @Override
  public void close() {
    all.forEach(World::close);
    ranks.close();
  }
}
