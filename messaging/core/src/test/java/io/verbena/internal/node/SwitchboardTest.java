// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.NodeConfig;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What belongs to a node as a whole. */
@Tag("timing")
class SwitchboardTest {

  private final CountDownLatch freed = new CountDownLatch(1);

  private static Switchboard started() {
    NodeConfig config =
        NodeConfig.builder()
            .id(1)
            .set("transport", "loopback")
            .set("cluster", "switchboard-test")
            .types(MessageTypes.builder().build())
            .build();
    Switchboard board = new Switchboard(config, () -> true);
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
}
