// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.mpi.MpiPlan.Measured;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a command line asks for. */
class MpiPlanTest {

  @Test
  void withoutNamesAllSizesOfThereAndBackAreMeasuredAndTheUsualCalls() {
    List<Measured> measured = plan(List.of(), List.of(), false).measured();
    assertThat(measured.stream().filter(one -> one.ranks() == 2).map(Measured::sizeBytes))
        .hasSize(24)
        .startsWith(0, 1, 2, 4)
        .endsWith(1 << 21, 1 << 22);
    assertThat(measured.stream().filter(one -> one.ranks() == 4).map(Measured::text))
        .containsExactly(
            "barrier",
            "bcast of 64K",
            "alltoall of 1K",
            "allreduce of 8",
            "allreduce of 1K",
            "allreduce of 1M");
  }

  @Test
  void quicklyThereAreFewSizesAndThoseOfTheEagerLimitAmongThem() {
    assertThat(plan(List.of("ping-pong"), List.of(), true).measured())
        .hasSizeLessThan(10)
        .contains(new Measured(Operation.PING_PONG, 32 << 10))
        .contains(new Measured(Operation.PING_PONG, 64 << 10));
  }

  @Test
  void oneOperationAndOneSizeCanBeNamed() {
    assertThat(plan(List.of("scan"), List.of("4K"), false).measured())
        .containsExactly(new Measured(Operation.SCAN, 4096));
    assertThat(plan(List.of("ping-pong"), List.of("0", "3"), false).measured())
        .containsExactly(
            new Measured(Operation.PING_PONG, 0), new Measured(Operation.PING_PONG, 3));
    assertThat(plan(List.of("barrier"), List.of("8"), false).measured())
        .containsExactly(new Measured(Operation.BARRIER, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          udp | bcast | 8  | transport 'udp': expected shm, tcp or rdma
          shm | sing  | 8  | operation 'sing': expected one of ping-pong, barrier
          shm | bcast | 12 | size 12: bcast has doubles, so choose a multiple of 8 bytes
          shm | scan  | 0  | size 0: scan has doubles
          shm | bcast | x  | size 'x': expected bytes such as 64
          """)
  void whatCannotBeMeasuredIsSaid(String transport, String operation, String size, String said) {
    assertThatThrownBy(
            () -> MpiPlan.of(transport, "softnic", 1, List.of(operation), List.of(size), false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(said);
  }

  private static MpiPlan plan(List<String> operations, List<String> sizes, boolean isQuick) {
    return MpiPlan.of("shm", "softnic", 1, operations, sizes, isQuick);
  }
}
