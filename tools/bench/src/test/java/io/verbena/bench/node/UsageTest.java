// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(600)
class UsageTest {

  private static final long WORK_NS = TimeUnit.MILLISECONDS.toNanos(300);

  @Test
  void threadThatEndsMeanwhileTakesNothingOffTheFigure() throws InterruptedException {
    Thread measuring = Thread.currentThread();
    AtomicBoolean isOver = new AtomicBoolean();
    CountDownLatch worked = new CountDownLatch(1);
    Thread busy =
        Thread.ofPlatform()
            .start(
                () -> {
                  work();
                  worked.countDown();
                  while (measuring.getState() != Thread.State.TIMED_WAITING && !isOver.get()) {
                    Thread.onSpinWait();
                  }
                });
    worked.await();
    Usage used = Usage.whileSleeping(TimeUnit.MILLISECONDS.toNanos(200));
    isOver.set(true); // it may not have seen the sleep
    busy.join();
    assertThat(used.cpuNs()).isNotNegative();
  }

  private static void work() {
    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < WORK_NS) {
      Thread.onSpinWait();
    }
  }
}
