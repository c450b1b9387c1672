// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static io.verbena.bench.figure.Reach.Side.LEAST;
import static io.verbena.bench.figure.Reach.Side.MOST;

import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Reach;
import io.verbena.bench.figure.Row;
import io.verbena.bench.figure.Unit;
import io.verbena.bench.plan.SizeText;
import io.verbena.mpi.device.DeviceOptions;
import java.util.ArrayList;
import java.util.List;

/** What MPI is to come to beside others; the device as well as the package. */
final class MpiReach {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int EAGER = DeviceOptions.DEFAULTS.eagerBytesOver("shm");
  private static final double NO_DIP = 0.95;

  /**
   * A ratio of ours to somebody else's.
   *
   * @param isThroughput whether it is that of throughputs instead of median times
   */
  private record Aim(
      String transport,
      Operation operation,
      int sizeBytes,
      String beside,
      boolean isThroughput,
      double limit) {}

  private static final List<Aim> AIMS =
      List.of(
          time("shm", Operation.PING_PONG, 1, Sides.OPEN_MPI, 1.0),
          time("shm", Operation.PING_PONG, 64, Sides.OPEN_MPI, 1.0),
          time("shm", Operation.PING_PONG, 1, Sides.OPEN_MPI_CMA, 1.8),
          time("shm", Operation.PING_PONG, 64, Sides.OPEN_MPI_CMA, 1.8),
          throughput("shm", 64 * KIB, Sides.OPEN_MPI_COPIES, 1.0),
          throughput("shm", MIB, Sides.OPEN_MPI_COPIES, 1.0),
          throughput("shm", 4 * MIB, Sides.OPEN_MPI_COPIES, 1.0),
          throughput("shm", 64 * KIB, Sides.OPEN_MPI_CMA, 0.7),
          throughput("shm", MIB, Sides.OPEN_MPI_CMA, 0.7),
          throughput("shm", 4 * MIB, Sides.OPEN_MPI_CMA, 0.7),
          time("shm", Operation.PING_PONG, 1, Sides.NIODEV, 1 / 10.0),
          time("shm", Operation.PING_PONG, MIB, Sides.NIODEV, 1 / 3.0),
          time("shm", Operation.BARRIER, 0, Sides.OPEN_MPI_YIELD, 2.0),
          time("shm", Operation.ALLREDUCE, 8, Sides.OPEN_MPI_YIELD, 1.5),
          time("shm", Operation.ALLREDUCE, MIB, Sides.OPEN_MPI_YIELD, 1.5),
          time("shm", Operation.ALLTOALL, KIB, Sides.OPEN_MPI_YIELD, 1.5),
          time("tcp", Operation.PING_PONG, 1, Sides.OPEN_MPI_TCP, 0.9),
          time("rdma", Operation.PING_PONG, 1, SendSide.NAME, 3.0),
          throughput("rdma", MIB, SendSide.NAME, 0.7));

  private MpiReach() {}

  private static Aim time(
      String transport, Operation operation, int sizeBytes, String beside, double most) {
    return new Aim(transport, operation, sizeBytes, beside, false, most);
  }

  private static Aim throughput(String transport, int sizeBytes, String beside, double least) {
    return new Aim(transport, Operation.PING_PONG, sizeBytes, beside, true, least);
  }

  /** Of what was measured. */
  static List<Row> rows(MpiResult result) {
    List<Row> rows = new ArrayList<>();
    for (String side : Sides.OURS) {
      AIMS.stream()
          .filter(aim -> aim.transport().equals(result.plan().transport()))
          .forEach(aim -> add(result, side, aim, rows));
      if (result.plan().transport().equals("shm")) {
        addEagerLimit(result, side, rows);
      }
    }
    return rows;
  }

  private static void add(MpiResult result, String side, Aim aim, List<Row> rows) {
    MpiPlan.Measured what = new MpiPlan.Measured(aim.operation(), aim.sizeBytes());
    MpiResult.Series own = result.find(side, what);
    MpiResult.Series other = result.find(aim.beside(), what);
    if (own != null && other != null) {
      Figure figure =
          aim.isThroughput() ? own.throughput(other) : own.times(MpiResult.Of.P50, other);
      Reach.Side limit = aim.isThroughput() ? LEAST : MOST;
      rows.add(new Row(figure, new Reach(Reach.Of.RATIO, limit, aim.limit())));
    }
  }

  /** Where messages begin to wait for their receives, throughput is not to fall. */
  private static void addEagerLimit(MpiResult result, String side, List<Row> rows) {
    MpiResult.Series at = result.find(side, new MpiPlan.Measured(Operation.PING_PONG, EAGER));
    MpiResult.Series behind =
        result.find(side, new MpiPlan.Measured(Operation.PING_PONG, 2 * EAGER));
    if (at != null && behind != null) {
      Figure.Partner eager =
          new Figure.Partner("eager, " + SizeText.format(EAGER), at.bandwidths());
      Figure figure =
          new Figure(
              "ping-pong, throughput",
              2L * EAGER,
              side,
              Unit.BYTES_PER_SECOND,
              behind.bandwidths(),
              eager);
      rows.add(new Row(figure, new Reach(Reach.Of.RATIO, LEAST, NO_DIP)));
    }
  }
}
