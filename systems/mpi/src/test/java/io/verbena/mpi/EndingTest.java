// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What processes end with, and how long waits may last. */
class EndingTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "42, 42", "255, 255", "0, 1", "256, 1", "258, 2", "-1, 255"})
  void anAbortIsNoGoodEndWhateverItsStatus(int given, int status) {
    assertThat(Ending.status(given)).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "30s, PT30S", "5m, PT5M", "1h, PT1H"})
  void timeoutsHaveUnits(String given, Duration timeout) {
    assertThat(WaitTimeout.of(given)).isEqualTo(timeout);
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "s", "-1s", "1d", "1 s"})
  void whatIsNoTimeIsRefused(String given) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WaitTimeout.of(given))
        .withMessageContaining("mpi.wait.timeout is '" + given + "'");
  }
}
