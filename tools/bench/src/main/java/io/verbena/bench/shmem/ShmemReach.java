// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.shmem;

import static io.verbena.bench.figure.Reach.Side.LEAST;
import static io.verbena.bench.figure.Reach.Side.MOST;

import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Reach;
import io.verbena.bench.figure.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What calls are to come to. */
final class ShmemReach {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** What each comes down to where memory is mapped, between the same memory. */
  private static final Map<String, String> COPIES = Map.of("put", "copy", "get", "copy-from");

  /** Of the time of the same call of Open MPI's. */
  private static final Map<ShmemResult.Call, Double> BESIDE_OPEN_MPI =
      Map.of(
          call("put", 8), 0.6,
          call("get", 8), 0.6,
          call("put-nbi", 8), 0.5,
          call("fetch-add", 8), 0.3,
          call("compare-swap", 8), 0.3,
          call("add", 8), 0.3,
          call("barrier-all", 0), 1.0,
          call("broadcast", 8), 1.0,
          call("sum", 8), 1.0,
          call("sum", MIB), 1.0);

  /** Over TCP, what each comes down to on a socket. */
  private static final Map<ShmemResult.Call, ShmemResult.Call> ON_A_SOCKET =
      Map.of(
          call("get", 8), call("there-and-back", 8),
          call("fetch-add", 8), call("there-and-back", 8),
          call("put", MIB), call("send", MIB));

  /** Of the time there and back on a socket, and of its throughput. */
  private static final double OF_SOCKET_TIME = 1.6;

  private static final double OF_SOCKET_THROUGHPUT = 0.6;

  /** Of the throughput of copies. */
  private static final double OF_COPIES = 0.85;

  private static final List<ShmemResult.Call> BESIDE_COPIES =
      List.of(call("put", 64 * KIB), call("get", 64 * KIB), call("put", MIB), call("get", MIB));

  private ShmemReach() {}

  private static ShmemResult.Call call(String name, long bytes) {
    return new ShmemResult.Call(name, bytes);
  }

  /** Of what was measured. */
  static List<Row> rows(ShmemResult result) {
    List<Row> rows = new ArrayList<>();
    for (ShmemResult.Series own : result.series()) {
      if (own.side().equals(ShmemBench.OVER_TCP)) {
        addOverTcp(rows, result, own);
      }
      if (!own.side().equals(ShmemBench.MAPPED)) {
        continue;
      }
      Double most = BESIDE_OPEN_MPI.get(own.call());
      ShmemResult.Series other = result.find(ShmemBench.OPEN_MPI, own.call());
      if (most != null && other != null && isPaired(own, other)) {
        add(rows, own.times(other), MOST, most);
      }
      ShmemResult.Series copy = copyBeside(result, own);
      if (copy != null) {
        add(rows, own.throughput(copy), LEAST, OF_COPIES);
      }
    }
    return rows;
  }

  private static void addOverTcp(List<Row> rows, ShmemResult result, ShmemResult.Series own) {
    ShmemResult.Call call = ON_A_SOCKET.get(own.call());
    ShmemResult.Series socket = call == null ? null : result.find(ShmemBench.SOCKET, call);
    if (socket == null || !isPaired(own, socket)) {
      return;
    }
    if (own.call().bytes() == MIB) {
      add(rows, own.throughput(socket), LEAST, OF_SOCKET_THROUGHPUT);
    } else {
      add(rows, own.times(socket), MOST, OF_SOCKET_TIME);
    }
  }

  private static ShmemResult.@Nullable Series copyBeside(
      ShmemResult result, ShmemResult.Series own) {
    String copy = COPIES.get(own.call().name());
    return copy == null || !BESIDE_COPIES.contains(own.call())
        ? null
        : result.find(own.side(), call(copy, own.call().bytes()));
  }

  private static void add(List<Row> rows, Figure figure, Reach.Side side, double limit) {
    rows.add(new Row(figure, new Reach(Reach.Of.RATIO, side, limit)));
  }

  /** Where a run was ended, one may have a round more. */
  static boolean isPaired(ShmemResult.Series one, ShmemResult.Series other) {
    return one.nanos().size() == other.nanos().size();
  }
}
