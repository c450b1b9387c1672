// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.programs;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mpi.MPI;

/** Runs programs as one rank: those that are named, else all. */
public final class Programs {

  private static final Map<String, Made> ALL = new LinkedHashMap<>();

  static {
    ALL.put("Modes", Modes::new);
    ALL.put("Requests", Requests::new);
    ALL.put("Collectives", Collectives::new);
    ALL.put("Reductions", Reductions::new);
    ALL.put("Topologies", Topologies::new);
    ALL.put("Datatypes", Datatypes::new);
    ALL.put("Objects", Objects::new);
    ALL.put("Communicators", Communicators::new);
    ALL.put("Threads", Threads::new);
  }

  private Programs() {}

  /** A program's constructor. */
  private interface Made {
    Program make() throws Exception;
  }

  /** What MPI leaves of the arguments are the programs' names. */
  public static void main(String[] arguments) {
    try {
      List<String> named = Arrays.asList(MPI.Init(arguments));
      for (String each : named.isEmpty() ? ALL.keySet() : named) {
        ALL.get(each).make().run();
        MPI.COMM_WORLD.Barrier();
      }
      MPI.Finalize();
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1); // MPJ Express has threads that would go on
    }
  }
}
