// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lock does when one thread takes it; jcstress tests what happens among several. */
@Tag("timing")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpinLockTest {

  private static final int BIAS_AFTER_TURNS = 8;

  private final SpinLock lock = new SpinLock(BIAS_AFTER_TURNS);

  private void take(int turns) {
    for (int i = 0; i < turns; i++) {
      lock.lock();
      lock.unlock();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BIAS_AFTER_TURNS - 1, BIAS_AFTER_TURNS, 2 * BIAS_AFTER_TURNS})
  void whoHoldsItIsToldSoAndGoesOn(int turnsBefore) throws InterruptedException {
    take(turnsBefore);
    lock.lock();
    assertThatIllegalStateException().isThrownBy(lock::lock).withMessageContaining("a codec");
    assertThatIllegalStateException().isThrownBy(lock::lock);
    lock.unlock();
    take(2 * BIAS_AFTER_TURNS);

    Thread other = Thread.ofPlatform().daemon().start(() -> take(2 * BIAS_AFTER_TURNS));
    other.join();
    take(1);
    assertThat(other.isAlive()).isFalse();
  }

  @Test
  void whoHoldsItByItsBiasIsToldSoWhileAnotherTakesTheBiasAway() throws InterruptedException {
    take(2 * BIAS_AFTER_TURNS);
    lock.lock();
    Thread other = Thread.ofPlatform().daemon().start(() -> take(1));
    Thread.sleep(50); // the other one waits for this one to leave
    assertThatIllegalStateException().isThrownBy(lock::lock);
    lock.unlock();
    other.join();
  }
}
