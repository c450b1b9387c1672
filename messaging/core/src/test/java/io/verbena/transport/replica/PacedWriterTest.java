// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.LaneMemory;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** How many writes handlers' messages take: each is a system call, or a send of its own. */
class PacedWriterTest {

  private final StillWriter writer = new StillWriter();
  private final ReplicaOutlet outlet = new Outlet();

  @Test
  void oneAnswerIsOneWrite() {
    for (int round = 1; round <= 3; round++) {
      writer.round(outlet::published);
      assertThat(writer.writes).isEqualTo(round);
    }
  }

  @Test
  void whatFollowsAnAnswerGoesOutWhenTheRoundEnds() {
    writer.round(
        () -> {
          outlet.published();
          assertThat(writer.writes).as("the first one does not wait").isOne();
          outlet.published();
          outlet.published();
        });
    assertThat(writer.writes).isBetween(2, 4); // more than one at once if the round is long
  }

  @Test
  void whatMustNotWaitIsWrittenWithoutAnAnswer() {
    writer.round(writer::writeAtRoundEnd);
    assertThat(writer.writes).isOne();
    writer.round(() -> {});
    assertThat(writer.writes).isOne();
  }

  @Test
  void writerThatFailsKeepsNoOtherFromItsWriteAndTriesAgain() {
    StillWriter other = writer.neighbour();
    writer.failure = new IllegalStateException("on purpose");
    assertThatThrownBy(
            () ->
                writer.round(
                    () -> {
                      writer.writeAtRoundEnd();
                      other.writeAtRoundEnd();
                    }))
        .hasMessage("on purpose");
    writer.round(() -> {});
    assertThat(other.writes).isOne();
    assertThat(writer.writes).isEqualTo(2);
  }

  @Test
  void whatAHandlerLeavesToTheRoundsEndIsWrittenByTheClockIfTheHandlerStays() {
    writer.round(
        () -> {
          writer.writeAtRoundEnd();
          writer.clockLooks();
          assertThat(writer.writes).isOne();
        });
    int after = writer.writes;
    writer.clockLooks();
    writer.clockLooks();
    assertThat(writer.writes).as("there is nothing left to look after").isEqualTo(after);
  }

  @Test
  void burstIsWrittenByTheClockUntilTheLoopEndsIt() {
    outlet.published();
    outlet.published(); // within 5 us, or another one is
    while (!writer.needsLooks()) {
      outlet.published();
    }
    int before = writer.writes;
    writer.clockLooks();
    writer.clockLooks();
    assertThat(writer.writes).isEqualTo(before + 2);
  }

  private final class Outlet extends ReplicaOutlet {

    Outlet() {
      super(
          1,
          new LaneMemory(Arena.ofAuto().allocate(LaneMemory.DATA_OFFSET + 4096, 64), () -> {}),
          writer);
    }

    @Override
    protected long sent() {
      return 0;
    }

    @Override
    protected void sendFrom(long position, long boundary) {}
  }
}
