// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.plan.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void requestsAreComparedFromAWholeStampOn() {
    List<Workload> both = List.of(Workload.THROUGHPUT, Workload.LATENCY);
    Comparison comparison = new Comparison(both, List.of(1, 4, 8), 1, 1, 5, 60);
    assertThat(comparison.contests()).extracting(Contest::sizeBytes).containsExactly(1, 4, 8, 8);
    assertThatThrownBy(() -> new Comparison(both.subList(1, 2), List.of(4), 1, 1, 5, 60))
        .hasMessageContaining("from 8 bytes on");
  }
}
