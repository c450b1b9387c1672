// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(60)
class UsageTest {

  private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(300);

  @Test
  void threadThatEndsMeanwhileTakesNothingOffTheFigure() throws InterruptedException {
    Thread measuring = Thread.currentThread();
    CountDownLatch worked = new CountDownLatch(1);
    Thread busy =
        Thread.ofPlatform()
            .start(
                () -> {
                  work();
                  worked.countDown();
                  while (measuring.getState() != Thread.State.TIMED_WAITING) {
                    Thread.onSpinWait();
                  }
                });
    worked.await();
    Usage used = Usage.whileSleeping(TimeUnit.MILLISECONDS.toNanos(200));
    busy.join();
    assertThat(used.cpuNs()).isNotNegative();
  }

  private static void work() {
    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < WORK_NS) {
      Thread.onSpinWait();
    }
  }
}
