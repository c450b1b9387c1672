// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.message.StampFormat;
import org.junit.jupiter.api.Test;

/** A benchmark that would not notice is worth nothing: whatever goes wrong must be counted. */
class OrderedVerifierTest {

  private static final StampFormat STAMPS = StampFormat.ofMessages(64);

  private final OrderedVerifier verifier = new OrderedVerifier(STAMPS, 2, 4);

  @Test
  void acceptsEveryMessageOnce() {
    verifier.beginRound();
    accept(0, 0, 1, 2, 3);
    accept(1, 0, 1);
    assertThat(verifier.endRound(new long[] {4, 2})).isEqualTo(new Tally(6, 0, 0, 0, 0));
  }

  @Test
  void countsDroppedMessages() {
    accept(0, 0, 1, 4, 5);
    assertThat(verifier.endRound(new long[] {6, 0})).isEqualTo(new Tally(6, 2, 0, 0, 0));
  }

  @Test
  void countsMessagesDroppedAtTheEnd() {
    accept(0, 0, 1);
    assertThat(verifier.endRound(new long[] {5, 3})).isEqualTo(new Tally(8, 6, 0, 0, 0));
  }

  @Test
  void countsRepeatedMessages() {
    accept(0, 0, 1, 1, 2, 0);
    assertThat(verifier.endRound(new long[] {3, 0})).isEqualTo(new Tally(3, 0, 2, 0, 0));
  }

  @Test
  void countsMessagesThatChangedPlaces() {
    accept(0, 0, 2, 1, 3);
    assertThat(verifier.endRound(new long[] {4, 0})).isEqualTo(new Tally(4, 0, 0, 0, 1));
  }

  @Test
  void countsLateMessagesThatComeTwice() {
    accept(0, 0, 2, 1, 1);
    assertThat(verifier.endRound(new long[] {3, 0})).isEqualTo(new Tally(3, 0, 1, 0, 1));
  }

  @Test
  void countsCorruptedMessagesOnceAndNotAsLost() {
    accept(0, 0, 1);
    verifier.acceptCorrupted();
    accept(0, 3);
    assertThat(verifier.endRound(new long[] {4, 0})).isEqualTo(new Tally(4, 0, 0, 1, 0));
  }

  @Test
  void takesThreadsThatDoNotExistForCorrupted() {
    verifier.accept(STAMPS.stamp(7, 0));
    assertThat(verifier.endRound(new long[] {0, 0}).corrupted()).isEqualTo(1);
  }

  @Test
  void takesNumbersThatWereNeverSentForCorrupted() {
    accept(0, 0, 1, 2);
    assertThat(verifier.endRound(new long[] {2, 0})).isEqualTo(new Tally(2, 0, 0, 1, 0));
  }

  @Test
  void forgivesNothingButStartsEachRoundAnew() {
    accept(0, 0, 2);
    assertThat(verifier.endRound(new long[] {4, 0}).lost()).isEqualTo(2);
    accept(0, 4, 5);
    assertThat(verifier.endRound(new long[] {6, 0})).isEqualTo(new Tally(2, 0, 0, 0, 0));
    accept(0, 5);
    assertThat(verifier.endRound(new long[] {6, 0})).isEqualTo(new Tally(0, 0, 1, 0, 0));
  }

  @Test
  void findsOneFaultInAMillion() {
    int million = 1_000_000;
    for (int i = 0; i < million; i++) {
      if (i != 654_321) {
        accept(0, i);
      }
    }
    assertThat(verifier.endRound(new long[] {million, 0}))
        .isEqualTo(new Tally(million, 1, 0, 0, 0));
  }

  @Test
  void countsAcrossTheWrapOfOneByteStamps() {
    StampFormat tiny = StampFormat.ofMessages(1);
    OrderedVerifier ofBytes = new OrderedVerifier(tiny, 2, 1);
    for (int i = 0; i < 1000; i++) {
      if (i != 500) {
        ofBytes.accept(tiny.stamp(1, i));
      }
    }
    assertThat(ofBytes.endRound(new long[] {0, 1000})).isEqualTo(new Tally(1000, 1, 0, 0, 0));
  }

  @Test
  void noticesThatAWholeLapOfOneByteStampsIsMissing() {
    StampFormat tiny = StampFormat.ofMessages(1);
    OrderedVerifier ofBytes = new OrderedVerifier(tiny, 1, 1);
    for (int i = 0; i < 64; i++) {
      if (i < 16 || i >= 32) {
        ofBytes.accept(tiny.stamp(0, i));
      }
    }
    assertThat(ofBytes.endRound(new long[] {64}).lost()).isEqualTo(16);
  }

  @Test
  void timesFromTheFirstMessageToTheLastSampledOne() {
    verifier.beginRound();
    accept(0, 0, 1, 2, 3, 4, 5);
    Window window = verifier.window();
    assertThat(window.messages()).isEqualTo(4);
    assertThat(window.lastNs()).isGreaterThanOrEqualTo(window.firstNs());
    verifier.beginRound();
    assertThat(verifier.window().messages()).isZero();
  }

  private void accept(int thread, long... sequences) {
    for (long sequence : sequences) {
      verifier.accept(STAMPS.stamp(thread, sequence));
    }
  }
}
