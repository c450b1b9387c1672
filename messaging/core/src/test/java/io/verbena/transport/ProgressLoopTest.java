// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The receiving role: who holds it, who sleeps in it, who wakes whom. */
@Tag("timing")
class ProgressLoopTest {

  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

  private final BellLoop loop = new BellLoop(0);

  @AfterEach
  void stop() {
    loop.stop(() -> {});
  }

  @Test
  void helperDoesTheRoundsItself() {
    long item = loop.post();

    help(() -> loop.isTaken(item));

    assertThat(loop.isTaken(item)).isTrue();
    assertThat(loop.sleeps).hasValue(0);
  }

  /** Another thread may do the round that brings the answer after the helper's last look at it. */
  @Test
  void helperDoesNotSleepOnAnAnswerThatCameBeforeItTookTheRole() {
    AtomicBoolean answered = new AtomicBoolean();
    AtomicInteger looks = new AtomicInteger();
    // The first 32 rounds find nothing; with the last look before the sleep, somebody else brings
    // the answer.
    BooleanSupplier done =
        () -> looks.incrementAndGet() < 33 ? answered.get() : answered.getAndSet(true);

    help(done);

    assertThat(answered).isTrue();
    assertThat(loop.sleeps).as("sleeps with the answer there already").hasValue(0);
  }

  /** The loop serves all peers: what one of them brings up must not end it. */
  @Test
  void loopGoesOnAfterAnyFailure() throws InterruptedException {
    loop.start("loop-under-test");
    for (RuntimeException failure :
        List.of(
            new Mute(), // first, as of many failures ever fewer are logged
            new IllegalStateException("on purpose"),
            new NullPointerException("on purpose"))) {
      loop.failure.set(failure);
      long item = loop.post();
      awaitTaken(item);
      assertThat(loop.failure).hasValue(null);
    }
  }

  @Test
  void handlerThatHoldsItUpIsNamedOnce() throws InterruptedException {
    CountDownLatch isInside = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    List<String> logged = new ArrayList<>();
    Logger log = Logger.getLogger("io.verbena");
    Handler handler = new Recorder(logged);
    log.addHandler(handler);
    try {
      loop.inRound = () -> stay(isInside, mayReturn);
      loop.start("loop-under-test");
      isInside.await();
      for (int i = 0; i < 3 * HoldUp.LOOKS; i++) {
        loop.lookForHoldUp();
      }
    } finally {
      log.removeHandler(handler);
      mayReturn.countDown();
    }
    assertThat(logged)
        .singleElement()
        .asString()
        .contains("loop-under-test", "ProgressLoopTest.stay");
  }

  private static void stay(CountDownLatch isInside, CountDownLatch mayReturn) {
    isInside.countDown();
    try {
      mayReturn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Recorder extends Handler {
    private final List<String> logged;

    Recorder(List<String> logged) {
      this.logged = logged;
    }

    @Override
    public void publish(LogRecord entry) {
      logged.add(new SimpleFormatter().formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void roundsThatEndHoldUpNothing() {
    HoldUp holdUp = new HoldUp();
    for (int round = 0; round < 10 * HoldUp.LOOKS; round++) {
      assertThat(holdUp.begins(true, round)).isFalse();
      assertThat(holdUp.begins(false, round)).isFalse(); // between two rounds
    }
  }

  /** Whoever logs it fails, too. */
  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new OutOfMemoryError("for words, on purpose");
    }
  }

  /** What a handler has taken counts as taken once its round is over. */
  @Test
  void roundUnderWayIsWaitedFor() throws InterruptedException {
    CountDownLatch isInRound = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    loop.inRound =
        () -> {
          isInRound.countDown();
          awaitUninterruptibly(mayEnd);
        };
    loop.start("loop-under-test");
    loop.post();
    isInRound.await();
    assertThat(loop.awaitRound(System.nanoTime())).isFalse();
    AtomicBoolean isOver = new AtomicBoolean();
    Thread waiter =
        Thread.ofPlatform()
            .start(() -> isOver.set(loop.awaitRound(System.nanoTime() + PATIENCE_NS)));
    waiter.join(20); // the time to be wrong
    assertThat(isOver).isFalse();
    mayEnd.countDown();
    waiter.join();
    assertThat(isOver).isTrue();
  }

  @Test
  void sleepersAreNotWaitedForUntilTheyWakeByThemselves() throws InterruptedException {
    loop.start("loop-under-test");
    awaitThat(() -> loop.sleeps.get() > 0);
    long leastNs = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long beganNs = System.nanoTime();
      assertThat(loop.awaitRound(beganNs + PATIENCE_NS)).isTrue();
      leastNs = Math.min(leastNs, System.nanoTime() - beganNs);
    }
    assertThat(leastNs).isLessThan(ProgressLoop.MAX_SLEEP_NS / 4);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The rest of that look is not made, and who published before it rings no bell. */
  @Test
  void loopWhoseLastLookFailedLooksAgainSoon() throws InterruptedException {
    loop.failureOfLastLook = new IllegalStateException("on purpose");
    loop.start("loop-under-test");
    awaitThat(() -> loop.sleepAfterFailureNs != 0);
    assertThat(loop.sleepAfterFailureNs).isLessThanOrEqualTo(NapTime.MOST_NS);
  }

  /** The JVM does that if memory is freed that the thread reads; a handler may do it, too. */
  @Test
  void loopThatWasInterruptedSleepsAsEver() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean(true);
    loop.inRound = () -> Thread.currentThread().interrupt();
    loop.inSleep = () -> interrupted.set(Thread.currentThread().isInterrupted());
    loop.start("loop-under-test");
    awaitThat(() -> loop.sleeps.get() > 0);
    loop.stop(() -> {}); // waits for the thread
    assertThat(interrupted).isFalse();
  }

  @Test
  void helperGoesOnAfterAFailure() {
    loop.failure.set(new IllegalStateException("on purpose"));
    long item = loop.post();

    help(() -> loop.isTaken(item));

    assertThat(loop.isTaken(item)).isTrue();
  }

  @Test
  void loopThatCannotSleepGoesOnReceiving() throws InterruptedException {
    loop.sleepless = new IllegalStateException("on purpose");
    loop.start("loop-under-test");
    awaitTaken(loop.post());
    Thread.sleep(5); // it would be asleep by now
    awaitTaken(loop.post());
    loop.sleepless = null;
    awaitThat(() -> loop.sleeps.get() > 0);
  }

  @Test
  void helperThatCannotSleepIsNotBotheredWithIt() {
    loop.sleepless = new IllegalStateException("on purpose");
    loop.helpUntil(() -> false, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5));
    loop.sleepless = null;
    long item = loop.post();
    help(() -> loop.isTaken(item));
    assertThat(loop.isTaken(item)).as("the role was given back").isTrue();
  }

  @Test
  void sleepingLoopIsWokenByWhatIsPosted() throws InterruptedException {
    loop.sleepsUntilRung = true; // a lost wake-up shows as a sleep without end
    loop.start("loop-under-test");
    for (int i = 0; i < 20; i++) {
      awaitThat(loop::isAsleep);
      awaitTaken(loop.post());
    }
  }

  /** The bell is not rung by who did not see that the loop is about to sleep. */
  @Test
  void whatWasPostedUnawareOfTheSleepIsTakenAfterAMoment() {
    loop.overlookedNs = TimeUnit.MILLISECONDS.toNanos(1);
    AtomicLong item = new AtomicLong(Long.MAX_VALUE);
    loop.inSleep = () -> item.set(loop.postUnaware());

    help(() -> loop.isTaken(item.get()));

    assertThat(loop.sleepLimitsNs).containsExactly(loop.overlookedNs);
  }

  @Test
  void loopThatFoundNothingAfterThatMomentSleepsOn() throws InterruptedException {
    loop.overlookedNs = TimeUnit.MILLISECONDS.toNanos(1);
    loop.start("loop-under-test");
    awaitThat(() -> loop.sleepLimitsNs.size() >= 2);
    Iterator<Long> limitsNs = loop.sleepLimitsNs.iterator();
    assertThat(limitsNs.next()).isEqualTo(loop.overlookedNs);
    assertThat(limitsNs.next()).isGreaterThan(loop.overlookedNs);
  }

  /** What ended the second part soon did not end the rest soon: there is nothing to spin for. */
  @Test
  void bothPartsOfARestCountAsOneSleep() {
    long spinNs = TimeUnit.MICROSECONDS.toNanos(20);
    BellLoop spinning = new BellLoop(spinNs);
    spinning.overlookedNs = TimeUnit.MILLISECONDS.toNanos(1); // more than the longest spin
    AtomicLong item = new AtomicLong(Long.MAX_VALUE);
    spinning.inSleep = () -> spinning.inSleep = () -> item.set(spinning.post());

    spinning.helpUntil(() -> spinning.isTaken(item.get()), System.nanoTime() + PATIENCE_NS);

    assertThat(spinning.sleepLimitsNs).hasSize(2);
    assertThat(spinning.spinNs()).isEqualTo(spinNs);
  }

  @Test
  void onlyOneThreadAtATimeHasTheRole() throws InterruptedException {
    loop.start("loop-under-test");
    List<Thread> helpers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      helpers.add(Thread.ofPlatform().start(this::postAndHelpALot));
    }
    for (Thread helper : helpers) {
      helper.join();
    }
    assertThat(loop.intruders).hasValue(0);
  }

  private void postAndHelpALot() {
    for (int i = 0; i < 2_000; i++) {
      long item = loop.post();
      while (!loop.isTaken(item)) {
        help(() -> loop.isTaken(item)); // another helper may have the role and do it for us
      }
    }
  }

  @Test
  void receivingThreadsKnowThatTheyAre() {
    assertThat(ProgressLoop.currentThreadReceives()).isFalse();
    AtomicBoolean inside = new AtomicBoolean();
    help(
        () -> {
          inside.set(ProgressLoop.currentThreadReceives());
          return true;
        });
    assertThat(inside).isTrue();
    assertThat(ProgressLoop.currentThreadReceives()).isFalse();
  }

  @Test
  void helpEndsAtItsDeadline() {
    // Who is off its core until then has no time to sleep.
    for (int tries = 0; tries < 100 && loop.sleeps.get() == 0; tries++) {
      loop.helpUntil(() -> false, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5));
    }
    assertThat(loop.sleeps.get()).isPositive();
  }

  @Test
  void interruptEndsTheHelp() {
    Thread.currentThread().interrupt();
    try {
      help(() -> false);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void interruptEndsTheHelpThoughEachRoundFindsWork() {
    AtomicInteger rounds = new AtomicInteger();
    loop.inRound =
        new Runnable() {
          @Override
          public void run() {
            rounds.incrementAndGet();
            loop.post();
            loop.inRound = this;
          }
        };
    Thread.currentThread().interrupt();
    try {
      help(() -> rounds.get() == 10_000);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
      loop.inRound = null;
    }
    assertThat(rounds).hasValue(1);
  }

  @Test
  void stoppedLoopEndsItsThreadAndMayBeStoppedAgain() {
    loop.start("loop-under-test");
    loop.stop(() -> {});
    loop.stop(() -> {});
    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("loop-under-test")))
        .isTrue();
  }

  /** What the loop reads is freed after it has stopped. */
  @Test
  void nobodyReceivesWhenStopReturns() throws InterruptedException {
    CountDownLatch inRole = new CountDownLatch(1);
    AtomicBoolean left = new AtomicBoolean();
    loop.inRound =
        () -> {
          inRole.countDown();
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
          left.set(true);
        };
    Thread helper = Thread.ofPlatform().start(() -> help(() -> false));
    inRole.await();

    loop.stop(() -> {});

    assertThat(left).as("the helper's round was over").isTrue();
    helper.join(PATIENCE_NS / 1_000_000);
    long item = loop.post();
    help(() -> loop.isTaken(item));
    assertThat(loop.isTaken(item)).as("received after the end").isFalse();
  }

  @Test
  void handlerMayStopItsOwnLoop() {
    loop.inRound = () -> loop.stop(() -> {});
    help(() -> false);
    assertThat(loop.intruders).hasValue(0);
  }

  private void awaitTaken(long item) throws InterruptedException {
    awaitThat(() -> loop.isTaken(item));
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).as("patience").isNegative();
      Thread.sleep(0, 100_000);
    }
  }

  private void help(BooleanSupplier done) {
    loop.helpUntil(done, System.nanoTime() + PATIENCE_NS);
  }
}
