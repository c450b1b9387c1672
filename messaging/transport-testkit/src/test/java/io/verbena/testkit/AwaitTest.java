// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A wait that ends without what it waited for says why. */
class AwaitTest {

  @Test
  void waitThatIsInterruptedSaysSo() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> Await.until("a message", () -> false))
          .isInstanceOf(AssertionError.class)
          .hasMessageMatching("interrupted after \\d+ ms while waiting for: a message");
    } finally {
      boolean unused = Thread.interrupted();
    }
  }

  @Test
  void waitThatWasTooShortNamesItsLimit() {
    assertThatThrownBy(() -> Await.until(Duration.ZERO, () -> "a message", () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessage("not within PT0S: a message");
  }
}
