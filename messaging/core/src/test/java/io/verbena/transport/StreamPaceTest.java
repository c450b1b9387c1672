// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamPaceTest {

  private final StreamPace pace = new StreamPace();

  @Test
  void looksAgainAtOnceAfterSingleMessages() {
    for (int i = 0; i < 1000; i++) {
      pace.worked(4096);
      for (int idle = 0; idle < 5; idle++) {
        assertThat(pace.pausesWhenIdle()).isEqualTo(1);
      }
    }
  }

  @Test
  void staysAwayLongerTheLongerAStreamLasts() {
    pace.worked(40_000);
    assertThat(pace.pausesWhenIdle()).isEqualTo(100);
    assertThat(pace.pausesWhenIdle()).isEqualTo(1);
    int last = 100;
    for (int i = 0; i < 10; i++) {
      pace.worked(64);
      last = pace.pausesWhenIdle();
    }
    assertThat(last).isEqualTo(3200);
  }

  @Test
  void beginsAnewAfterTheStreamHasEnded() {
    pace.worked(40_000);
    pace.pausesWhenIdle();
    pace.worked(40_000);
    assertThat(pace.pausesWhenIdle()).isEqualTo(200);
    for (int idle = 0; idle < 5; idle++) {
      pace.pausesWhenIdle();
    }
    pace.worked(40_000);
    assertThat(pace.pausesWhenIdle()).isEqualTo(100);
  }
}
