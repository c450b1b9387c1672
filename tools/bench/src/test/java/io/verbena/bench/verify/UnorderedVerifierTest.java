// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.message.StampFormat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnorderedVerifierTest {

  private static final StampFormat STAMPS = StampFormat.ofMessages(64);

  private final UnorderedVerifier verifier = new UnorderedVerifier(STAMPS, 1, 16);

  @Test
  void acceptsAnyOrder() {
    List<Long> shuffled = new ArrayList<>();
    for (long i = 0; i < 200_000; i++) {
      shuffled.add(i);
    }
    Collections.shuffle(shuffled, new Random(1));
    shuffled.forEach(i -> verifier.accept(STAMPS.stamp(0, i)));
    assertThat(verifier.endRound(new long[] {200_000})).isEqualTo(new Tally(200_000, 0, 0, 0, 0));
  }

  @Test
  void countsDroppedAndRepeatedMessages() {
    accept(3, 0, 5, 3, 1);
    assertThat(verifier.endRound(new long[] {7})).isEqualTo(new Tally(7, 3, 1, 0, 0));
  }

  @Test
  void countsWhatComesTwiceInLaterRounds() {
    accept(0, 1, 2);
    verifier.endRound(new long[] {3});
    accept(2, 3);
    assertThat(verifier.endRound(new long[] {4})).isEqualTo(new Tally(1, 0, 1, 0, 0));
  }

  @Test
  void countsAcrossTheGrowingWindow() {
    for (long i = 0; i < 1_000_000; i++) {
      if (i != 70_000) {
        accept(i);
      }
    }
    assertThat(verifier.endRound(new long[] {1_000_000}).lost()).isEqualTo(1);
  }

  @Test
  void takesNumbersThatWereNeverSentForCorrupted() {
    accept(0, 1, 9, 1L << 47);
    assertThat(verifier.endRound(new long[] {2})).isEqualTo(new Tally(2, 0, 0, 2, 0));
  }

  @Test
  void countsCorruptedMessages() {
    accept(0);
    verifier.acceptCorrupted();
    assertThat(verifier.endRound(new long[] {2})).isEqualTo(new Tally(2, 0, 0, 1, 0));
  }

  @Test
  void refusesStampsTooSmallToTellMessagesApart() {
    assertThatThrownBy(() -> new UnorderedVerifier(StampFormat.ofMessages(4), 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void accept(long... sequences) {
    for (long sequence : sequences) {
      verifier.accept(STAMPS.stamp(0, sequence));
    }
  }
}
