// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.testkit.Threads.Crew;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("timing")
@Timeout(600)
class HoldTest {

  private static final MemorySegment HANDLE = MemorySegment.ofAddress(42);

  private final AtomicInteger freed = new AtomicInteger();
  private final Hold hold =
      new Hold(
          HANDLE,
          handle -> {
            assertThat(handle).isEqualTo(HANDLE);
            freed.incrementAndGet();
          });

  @Test
  void handsWhatItHoldsToTheCallAndItsResultBack() {
    assertThat(hold.use(handle -> (int) handle.address() + 1)).isEqualTo(43);
    assertThat(freed).hasValue(0);
  }

  @Test
  void freesOnce() {
    hold.free();
    hold.free();
    assertThat(freed).hasValue(1);
  }

  @Test
  void nobodyUsesItOnceItIsFreed() {
    hold.free();
    assertThatIllegalStateException()
        .isThrownBy(() -> hold.use(handle -> 0))
        .withMessage("the memory was freed");
  }

  @Test
  void whoUsesItWhenThatFailsIsGoneToo() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                hold.use(
                    handle -> {
                      throw new IllegalStateException("no");
                    }))
        .withMessage("no");
    hold.free();
    assertThat(freed).hasValue(1);
  }

  /** A ring is freed while the library is told to send from it. */
  @Test
  void whoFreesItWaitsForWhoUsesIt() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicBoolean freedInside = new AtomicBoolean();
    Crew crew =
        new Crew()
            .start(
                () ->
                    hold.use(
                        handle -> {
                          inside.countDown();
                          await(leave);
                          freedInside.set(freed.get() != 0);
                          return 0;
                        }));
    await(inside);
    Crew freeing =
        new Crew()
            .start(
                () -> {
                  hold.free();
                  return null;
                });
    Thread.sleep(50); // so that it had the time to be wrong
    leave.countDown();
    crew.join();
    freeing.join();
    assertThat(freedInside).isFalse();
    assertThat(freed).hasValue(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(3, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
