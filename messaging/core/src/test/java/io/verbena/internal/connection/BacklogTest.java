// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.BackPressureException;
import io.verbena.internal.connection.Backlog.Queued;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {

  private final Backlog backlog = new Backlog(7, 300, id -> true, () -> {});

  private static Queued frame(long header, int bytes) {
    return new Queued(header, new byte[bytes]);
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.first()).isNull();
    assertThat(backlog.bytes()).isZero();
    backlog.removeFirst();
    assertThat(backlog.isEmpty()).isTrue();
  }

  @Test
  void keepsOrderAndCountsBytes() {
    backlog.add(List.of(frame(1, 30), frame(2, 20)));
    backlog.add(List.of(frame(3, 50)));
    assertThat(backlog.bytes()).isEqualTo(100 + 3 * 64);
    assertThat(backlog.size()).isEqualTo(3);
    for (int header = 1; header <= 3; header++) {
      assertThat(backlog.isEmpty()).isFalse();
      assertThat(backlog.first().header()).isEqualTo(header);
      backlog.removeFirst();
    }
    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.bytes()).isZero();
  }

  @Test
  void messageBeyondTheLimitIsRefusedWholeNamingTheKey() {
    backlog.add(List.of(frame(1, 60)));
    assertThatExceptionOfType(BackPressureException.class)
        .isThrownBy(() -> backlog.add(List.of(frame(2, 20), frame(3, 30))))
        .withMessage(
            "a handler's message that takes 178 bytes to node 7: 124 bytes wait for room already;"
                + " overflow.bytes is 300");
    assertThat(backlog.size()).isEqualTo(1);
    assertThat(backlog.bytes()).isEqualTo(124);
    backlog.add(List.of(frame(2, 112)));
    assertThat(backlog.bytes()).isEqualTo(300);
  }

  @Test
  void messagesWithoutBytesAreBoundedLikeOthers() {
    for (int i = 0; i < 4; i++) {
      backlog.add(List.of(frame(i, 0)));
    }
    assertThatExceptionOfType(BackPressureException.class)
        .isThrownBy(() -> backlog.add(List.of(frame(4, 0))));
    assertThat(backlog.size()).isEqualTo(4);
  }

  @Test
  void oneMessageLargerThanTheLimitFitsIntoAnEmptyBacklog() {
    backlog.add(List.of(frame(1, 1_000)));
    assertThatExceptionOfType(BackPressureException.class)
        .isThrownBy(() -> backlog.add(List.of(frame(2, 1))));
    backlog.removeFirst();
    backlog.add(List.of(frame(3, 1)));
    assertThat(backlog.bytes()).isEqualTo(65);
  }

  @Test
  void whatAnotherOneAcceptedIsTakenWhateverItCosts() {
    backlog.add(List.of(frame(1, 200)));
    backlog.take(List.of(frame(2, 200)));
    assertThat(backlog.size()).isEqualTo(2);
    assertThat(backlog.bytes()).isEqualTo(528);
  }

  @Test
  void clearingTakesEverythingOutInOrder() {
    backlog.add(List.of(frame(1, 10), frame(2, 10)));
    assertThat(backlog.clear()).extracting(Queued::header).containsExactly(1L, 2L);
    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.bytes()).isZero();
    assertThat(backlog.clear()).isEmpty();
  }
}
