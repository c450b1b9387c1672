// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What belongs to a node as a whole. */
@Tag("timing")
class SwitchboardTest {

  private final CountDownLatch freed = new CountDownLatch(1);

  private static NodeConfig.Builder config() {
    return NodeConfig.builder()
        .id(1)
        .set("transport", "loopback")
        .set("cluster", "switchboard-test")
        .types(MessageTypes.builder().build());
  }

  private static Switchboard started() {
    Switchboard board = new Switchboard(config().build(), () -> true);
    board.start();
    return board;
  }

  @Test
  void clockFreesMemoryThatWasGivenUp() throws InterruptedException {
    Switchboard board = started();
    try {
      board.freeLater(8, freed::countDown);
      assertThat(freed.await(3, TimeUnit.MINUTES)).isTrue();
    } finally {
      board.close();
    }
  }

  @Test
  void closeLeavesNoMemoryThatWasGivenUp() {
    Switchboard board = started();
    board.freeLater(8, freed::countDown);
    board.close();
    assertThat(freed.getCount()).isZero();
  }

  @Test
  void memoryGivenUpAfterTheCloseIsFreedAtOnce() {
    Switchboard board = started();
    board.close();
    board.freeLater(8, freed::countDown);
    assertThat(freed.getCount()).isZero();
  }

  /** A transport is open by then; what fails afterwards is the log, to which no status is told. */
  @Test
  void startThatFailsForWhateverReasonLeavesNothingOpen() {
    NodeConfig config = config().set("status.directory", "/proc/nowhere").build();
    Logger log = Logger.getLogger("io.verbena");
    Level level = log.getLevel();
    Handler failing = new FailingLog();
    log.setLevel(Level.FINE);
    log.addHandler(failing);
    try {
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> new Switchboard(config, () -> true).start())
          .withMessage("on purpose");
    } finally {
      log.removeHandler(failing);
      log.setLevel(level);
    }
    started().close(); // its place is free again
  }

  /** Has no memory for what a node says. */
  private static final class FailingLog extends Handler {
    FailingLog() {
      setLevel(Level.ALL);
    }

    @Override
    public void publish(LogRecord entry) {
      throw new OutOfMemoryError("on purpose");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
