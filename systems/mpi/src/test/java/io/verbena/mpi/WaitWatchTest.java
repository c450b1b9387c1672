// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.mpi.device.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When waits are reported; {@link LaunchedWorldTest} has what is said of them. */
class WaitWatchTest {

  private final List<Wait> waits = new ArrayList<>();
  private final List<String> reported = new ArrayList<>();
  private final WaitWatch watch =
      new WaitWatch("rank 0", () -> waits, Duration.ofMillis(100), reported::add);
  private final long beganNs = System.nanoTime();

  @Test
  void aWaitIsReportedOnceItHasLastedForTheTimeoutAndAgainAfterTwiceAsLong() {
    waits.add(waiting(0));
    assertThat(reportedAt(50)).isEmpty();
    assertThat(reportedAt(100)).hasSize(1);
    assertThat(reportedAt(199)).isEmpty();
    assertThat(reportedAt(399)).hasSize(1);
    assertThat(reportedAt(401)).hasSize(1);
    assertThat(reportedAt(799)).isEmpty();
  }

  @Test
  void aWaitThatFollowsUponALongOneIsReportedAsEarly() {
    waits.add(waiting(0));
    assertThat(reportedAt(5_000)).hasSize(1);
    waits.set(0, waiting(5_001));
    assertThat(reportedAt(5_200)).hasSize(1);
  }

  @Test
  void aWaitBesideALongerOneIsReportedAsEarlyAndTheOtherWithIt() {
    waits.add(waiting(0));
    assertThat(reportedAt(5_000)).hasSize(1);
    waits.add(waiting(5_001));
    assertThat(reportedAt(5_200)).hasSize(2);
  }

  @Test
  void aTimeoutThatNeverEndsReportsNothing() {
    WaitWatch silent = new WaitWatch("rank 0", () -> waits, WaitTimeout.NONE, reported::add);
    waits.add(waiting(0));
    silent.look(beganNs + Duration.ofDays(10_000).toNanos());
    assertThat(reported).isEmpty();
  }

  private Wait waiting(long sinceMs) {
    return new Wait("main", "receive", 1, 0, 7, beganNs + sinceMs * 1_000_000);
  }

  private List<String> reportedAt(long ms) {
    reported.clear();
    watch.look(beganNs + ms * 1_000_000);
    return List.copyOf(reported);
  }
}
