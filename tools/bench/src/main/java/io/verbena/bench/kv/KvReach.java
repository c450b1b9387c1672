// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import static io.verbena.bench.figure.Reach.Side.LEAST;
import static io.verbena.bench.figure.Reach.Side.MOST;

import io.verbena.bench.figure.Figure;
import io.verbena.bench.figure.Reach;
import io.verbena.bench.figure.Row;
import io.verbena.bench.kv.KvResult.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the store is to come to, beside each other engine and by itself. */
final class KvReach {
  private static final Map<Subject, Reach> BESIDE_OTHERS = new LinkedHashMap<>();
  private static final double HEAP_BYTES = 100;
  private static final double OPEN_NS = 1e9;

  static {
    beside(Mix.SD, Workload.LOAD, Measure.THROUGHPUT, LEAST, 0.9);
    beside(Mix.L, Workload.LOAD, Measure.THROUGHPUT, LEAST, 0.9);
    beside(Mix.S, Workload.LOAD, Measure.THROUGHPUT, LEAST, 0.6);
    beside(Mix.SD, Workload.C, Measure.THROUGHPUT, LEAST, 0.8);
    beside(Mix.SD, Workload.A, Measure.THROUGHPUT, LEAST, 0.8);
    beside(Mix.LD, Workload.LOAD, Measure.WRITTEN, MOST, 1.1);
  }

  private KvReach() {}

  private static void beside(
      Mix mix, Workload workload, Measure measure, Reach.Side side, double limit) {
    BESIDE_OTHERS.put(new Subject(mix, workload, measure), new Reach(Reach.Of.RATIO, side, limit));
  }

  /** Of what was measured. */
  static List<Row> rows(KvResult result) {
    List<Row> rows = new ArrayList<>();
    BESIDE_OTHERS.forEach((subject, reach) -> addBeside(rows, result, subject, reach));
    for (KvResult.Series own : result.series()) {
      Subject subject = own.subject();
      boolean isOurs = own.engine().equals(KvBench.OURS);
      if (isOurs && isPutOrGet(subject.workload()) && subject.measure() == Measure.HEAP) {
        rows.add(new Row(own.figure(null), new Reach(Reach.Of.VALUE, MOST, HEAP_BYTES)));
      } else if (isOurs && subject.measure() == Measure.OPEN) {
        rows.add(new Row(own.figure(null), new Reach(Reach.Of.VALUE, MOST, OPEN_NS)));
      }
    }
    return rows;
  }

  private static boolean isPutOrGet(Workload workload) {
    return workload == Workload.LOAD || workload == Workload.C;
  }

  private static void addBeside(List<Row> rows, KvResult result, Subject subject, Reach reach) {
    KvResult.Series own = result.find(KvBench.OURS, subject);
    for (KvResult.Series other : result.series()) {
      if (own != null
          && !other.engine().equals(KvBench.OURS)
          && other.subject().equals(subject)
          && other.values().size() == own.values().size()) { // a run that was ended may lack one
        Figure figure = own.figure(other);
        rows.add(new Row(figure, reach));
      }
    }
  }
}
