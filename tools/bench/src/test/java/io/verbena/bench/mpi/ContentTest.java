// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of messages, and what is noticed in it. */
class ContentTest {

  @Test
  void isOfDoublesWhereTheyFit() {
    assertThat(Content.ofBytes(0).array()).isEqualTo(new byte[0]);
    assertThat(Content.ofBytes(4).array()).isEqualTo(new byte[4]);
    assertThat(Content.ofBytes(8).array()).isEqualTo(new double[1]);
    assertThat(Content.ofBytes(12).array()).isEqualTo(new byte[12]);
    assertThat(Content.ofBytes(4096).array()).isEqualTo(new double[512]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 12, 64})
  void anElementOfTheMessageBeforeIsNoticedWhereverItIs(int size) {
    Content before = Content.ofBytes(size).filled(false);
    Content wanted = Content.ofBytes(size).filled(true);
    for (int at = 0; at < wanted.count(); at++) {
      Content come = Content.ofBytes(size).filled(true);
      come.check(wanted);
      System.arraycopy(before.array(), at, come.array(), at, 1);
      assertThatThrownBy(() -> come.check(wanted))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("element " + at + " is ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 12})
  void aMessageOfTwoRoundsBeforeIsNoticed(int size) {
    Content come = Content.ofBytes(size).filled(true);
    Content wanted = Content.ofBytes(size).filled(true);
    come.stamp(5);
    wanted.stamp(7);
    assertThatThrownBy(() -> come.check(wanted))
        .hasMessageContaining("5")
        .hasMessageContaining("7");
  }
}
