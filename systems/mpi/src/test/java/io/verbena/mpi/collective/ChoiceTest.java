// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table by which calls go. */
class ChoiceTest {

  private static Algorithm allreduce(Choice choice, long bytes, int ranks, boolean isOneHost) {
    return choice.of(Operation.ALLREDUCE, bytes, ranks, isOneHost, true);
  }

  @Test
  void theFirstRuleThatCoversACallCounts() {
    Choice choice =
        Choice.DEFAULTS.with(
            """
            allreduce bytes<=8K ranks<=16 one-host: linear
            allreduce bytes<=1M more-hosts: ring; allreduce: recursive-doubling
            """);
    assertThat(allreduce(choice, 8 << 10, 16, true)).isEqualTo(Algorithm.LINEAR);
    assertThat(allreduce(choice, (8 << 10) + 1, 16, true)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
    assertThat(allreduce(choice, 8, 17, true)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
    assertThat(allreduce(choice, 1 << 20, 4, false)).isEqualTo(Algorithm.RING);
    assertThat(allreduce(choice, (1 << 20) + 1, 4, false)).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
  }

  @Test
  void whatARuleSaysNothingOfGoesByTheDefaults() {
    Choice choice = Choice.DEFAULTS.with("bcast: chain");
    for (Operation operation : Operation.values()) {
      for (long bytes : new long[] {0, 100, 1 << 20}) {
        Algorithm expected =
            operation == Operation.BCAST
                ? Algorithm.CHAIN
                : Choice.DEFAULTS.of(operation, bytes, 5, true, true);
        assertThat(choice.of(operation, bytes, 5, true, true)).isEqualTo(expected);
      }
    }
  }

  @Test
  void anAlgorithmThatCannotDoTheCallIsLeftOut() {
    Choice choice = Choice.DEFAULTS.with("allreduce: ring; allgather: recursive-doubling");
    assertThat(choice.of(Operation.ALLREDUCE, 8, 4, true, true)).isEqualTo(Algorithm.RING);
    assertThat(choice.of(Operation.ALLREDUCE, 8, 4, true, false)).isNotEqualTo(Algorithm.RING);
    assertThat(choice.of(Operation.ALLGATHER, 8, 4, true, true))
        .isEqualTo(Algorithm.RECURSIVE_DOUBLING);
    assertThat(choice.of(Operation.ALLGATHER, 8, 6, true, true))
        .isNotEqualTo(Algorithm.RECURSIVE_DOUBLING);
  }

  @ParameterizedTest
  @EnumSource(Operation.class)
  void theDefaultsCoverEveryCall(Operation operation) {
    for (long bytes = 0; bytes >= 0; bytes = 2 * bytes + 1) {
      for (int ranks = 1; ranks < 10_000; ranks = 2 * ranks + 1) {
        for (boolean isOneHost : new boolean[] {false, true}) {
          assertThat(Choice.DEFAULTS.of(operation, bytes, ranks, isOneHost, false))
              .isIn(operation.algorithms());
        }
      }
      if (bytes == Long.MAX_VALUE) {
        return;
      }
    }
  }

  @Test
  void theTableIsWrittenAsItIsRead() {
    Choice choice =
        Choice.DEFAULTS.with(" barrier  ranks<=2K more-hosts :linear;; scan one-host: linear ");
    assertThat(choice.toString())
        .startsWith("barrier ranks<=2048 more-hosts: linear\nbarrier ranks<=")
        .contains("\nscan one-host: linear\nscan ")
        .hasLineCount(Choice.DEFAULTS.toString().split("\n").length + 2);
    choice
        .toString()
        .lines()
        .forEach(rule -> assertThat(Choice.DEFAULTS.with(rule).toString()).contains(rule));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "allreduce ring | 'allreduce ring' it has no ':' before the algorithm",
        "allreduced: ring | 'allreduced' is no operation; choose one of [barrier, bcast, ",
        "bcast: ring | 'ring' is no algorithm of bcast; choose one of [linear, binomial, chain]",
        "bcast: | '' is no algorithm of bcast",
        "bcast bytes<8: chain | 'bytes<8' is no condition; choose bytes<=N, ranks<=N, one-host, ",
        "bcast bytes<=: chain | '' is no number; choose one like 4096 or 4K",
        "bcast bytes<=-1: chain | '-1' is no number",
        "bcast ranks<=9999999999G: chain | '9999999999G' is no number",
        "bcast: chain; scan bytes<=x: linear | in 'scan bytes<=x: linear' 'x' is no number",
      })
  void whatIsNoRuleIsRefused(String text, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Choice.DEFAULTS.with(text))
        .withMessageStartingWith("mpi.collectives: in '")
        .withMessageContaining(why);
  }

  @Test
  void theEnvironmentPutsItsRulesFirst() {
    String before = System.getProperty("verbena.mpi.collectives");
    System.setProperty("verbena.mpi.collectives", "barrier: dissemination");
    try {
      assertThat(Choice.ofSystem().of(Operation.BARRIER, 0, 2, true, true))
          .isEqualTo(Algorithm.DISSEMINATION);
    } finally {
      if (before == null) {
        System.clearProperty("verbena.mpi.collectives");
      } else {
        System.setProperty("verbena.mpi.collectives", before);
      }
    }
  }
}
