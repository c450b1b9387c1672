// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that wait together: who receives, who sleeps, who wakes whom. Nobody here looks again by
 * itself: a wake-up that is lost shows as a wait without end.
 */
@Tag("timing")
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReceiversTest {

  private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);
  private static final int ROUNDS = 2_000;

  private final long seed = Long.getLong("verbena.seed", System.nanoTime());
  private final Receivers receivers = new Receivers(Long.MAX_VALUE);
  private final BellLoop first = new BellLoop(new ToldContext());
  private final BellLoop second = new BellLoop(new ToldContext());
  private final List<BellLoop> loops = List.of(first, second);
  private final ExecutorService crew = Executors.newCachedThreadPool();

  /** Tells those who wait, as a node does. */
  private final class ToldContext extends StillContext {
    ToldContext() {
      super(TimeUnit.MICROSECONDS.toNanos(20));
    }

    @Override
    public void received() {
      receivers.changed();
    }

    @Override
    public void roleIsFree() {
      receivers.passOn();
    }
  }

  ReceiversTest() {
    for (BellLoop loop : loops) {
      loop.sleepsUntilRung = true;
    }
  }

  @AfterEach
  void stop() {
    receivers.close();
    loops.forEach(loop -> loop.stop(() -> {}));
    crew.shutdown();
  }

  private void useBoth() {
    loops.forEach(receivers::use);
  }

  private void startBoth() {
    useBoth();
    loops.forEach(loop -> loop.start("loop-under-test"));
  }

  // ---------------------------------------------------------------- one thread

  @Test
  void receivesOverAllLoopsItself() throws InterruptedException {
    useBoth();
    long one = first.post();
    long other = second.post();

    boolean isDone = wait(() -> first.isTaken(one) && second.isTaken(other));

    assertThat(isDone).isTrue();
  }

  @Test
  void whoHasNoTimeReceivesWhatIsThere() throws InterruptedException {
    useBoth();
    long one = first.post();
    long other = second.post();

    boolean isDone = receivers.receiveUntil(() -> first.isTaken(one) && second.isTaken(other), 0);

    assertThat(isDone).isTrue();
    assertThat(receivers.receiveUntil(() -> false, 0)).isFalse();
    assertThat(receivers.receiveUntil(() -> false, -1)).isFalse();
    assertThat(receivers.receiveUntil(() -> false, Long.MIN_VALUE)).isFalse();
  }

  @Test
  void nothingIsReceivedForWhatIsDoneAlready() throws InterruptedException {
    useBoth();
    long item = first.post();

    assertThat(receivers.receiveUntil(() -> true, Long.MAX_VALUE)).isTrue();

    assertThat(first.isTaken(item)).isFalse();
  }

  @Test
  void waitEndsWithItsTime() throws InterruptedException {
    for (BellLoop loop : loops) {
      loop.sleepsUntilRung = false;
    }
    assertThat(receivers.receiveUntil(() -> false, 1_000_000)).as("without a loop").isFalse();
    useBoth();
    assertThat(receivers.receiveUntil(() -> false, 1_000_000)).as("with loops").isFalse();
  }

  @Test
  void waitEndsWithItsTimeThoughEachRoundFindsWork() throws InterruptedException {
    useBoth();
    AtomicInteger rounds = new AtomicInteger();
    first.inRound =
        new Runnable() {
          @Override
          public void run() {
            rounds.incrementAndGet();
            first.post();
            first.inRound = this;
          }
        };
    assertThat(receivers.receiveUntil(() -> false, 1_000_000)).isFalse();
    assertThat(rounds).hasPositiveValue();
    first.inRound = null;
  }

  @Test
  void waitEndsWithItsTimeThoughEveryOtherRoundFindsWork() throws InterruptedException {
    useBoth();
    AtomicInteger rounds = new AtomicInteger();
    first.inRound =
        new Runnable() {
          @Override
          public void run() {
            if (rounds.incrementAndGet() % 2 == 0) {
              first.post();
            }
            first.inRound = this;
          }
        };
    assertThat(receivers.receiveUntil(() -> false, 1_000_000)).isFalse();
    rounds.incrementAndGet(); // those that found nothing do so from here on
    assertThat(receivers.receiveUntil(() -> false, 1_000_000)).isFalse();
    first.inRound = null;
  }

  @Test
  void threadThatWaitsCountsAsReceiving() throws InterruptedException {
    useBoth();
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger receiving = new AtomicInteger();
    wait(
        () -> {
          receiving.addAndGet(ProgressLoop.currentThreadReceives() ? 1 : 0);
          return looks.incrementAndGet() > 3;
        });
    assertThat(receiving).as("also in the first look").hasValue(looks.get());
    assertThat(ProgressLoop.currentThreadReceives()).isFalse();
  }

  @Test
  void whatTheConditionThrowsEndsTheWait() throws InterruptedException {
    first.sleepsUntilRung = false; // a look after it is not prompted by anything
    receivers.use(first);
    AtomicInteger looks = new AtomicInteger();
    RuntimeException onPurpose = new IllegalArgumentException("on purpose");
    for (int look = 1; look < 60; look++) { // some of them while it is about to sleep
      int last = look;
      looks.set(0);
      assertThatThrownBy(
              () ->
                  wait(
                      () -> {
                        if (looks.incrementAndGet() >= last) {
                          throw onPurpose;
                        }
                        return false;
                      }))
          .isSameAs(onPurpose);
      assertThat(ProgressLoop.currentThreadReceives()).isFalse();
    }
    long item = first.post();
    assertThat(wait(() -> first.isTaken(item))).as("the role was given back").isTrue();
  }

  /** Another thread may undo it at once, as one that takes what has come. */
  @Test
  void conditionThatWasTrueForAMomentEndsTheWait() throws InterruptedException {
    first.sleepsUntilRung = false; // a look after it is not prompted by anything
    receivers.use(first);
    AtomicInteger looks = new AtomicInteger();
    for (int look = 1; look < 60; look++) { // some of them while it is about to sleep
      int only = look;
      looks.set(0);
      assertThat(wait(() -> looks.incrementAndGet() == only)).isTrue();
      assertThat(looks).hasValue(only);
    }
  }

  @Test
  void interruptEndsTheWaitUnlessItIsDone() throws InterruptedException {
    useBoth();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> wait(() -> false)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    Thread.currentThread().interrupt();
    long item = second.post();
    assertThat(wait(() -> second.isTaken(item))).isTrue();
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
  }

  // ---------------------------------------------------------------- woken by others

  @Test
  void sleeperInARoleIsWokenByWhoeverMakesItsConditionTrue() throws Exception {
    useBoth();
    for (int i = 0; i < 200; i++) {
      AtomicBoolean done = new AtomicBoolean();
      Future<Boolean> waits = crew.submit(() -> wait(done::get));
      if (i % 2 == 0) { // else at any moment
        awaitThat(() -> first.isAsleep() || second.isAsleep());
      }
      done.set(true);
      receivers.changed();
      assertThat(outcome(waits)).isTrue();
    }
  }

  @Test
  void sleeperInOneRoleHearsWhatTheOtherLoopsThreadReceives() throws Exception {
    startBoth();
    for (int i = 0; i < 200; i++) {
      long one = first.post();
      outcome(crew.submit(() -> wait(() -> first.isTaken(one)))); // which is the favourite now
      long item = second.next();
      Future<Boolean> waits = crew.submit(() -> wait(() -> second.isTaken(item)));
      if (i % 2 == 0) {
        awaitThat(first::isAsleep);
      }
      second.post();
      assertThat(outcome(waits)).isTrue();
    }
  }

  @Test
  void oneThatSleepsBesideTakesThePlaceOfWhoLeaves() throws Exception {
    receivers.use(first); // which has no thread of its own
    for (int i = 0; i < 200; i++) {
      AtomicBoolean leave = new AtomicBoolean();
      Future<Boolean> leader = crew.submit(() -> wait(leave::get));
      awaitThat(first::isAsleep);
      long item = first.next();
      AtomicReference<Thread> waiting = new AtomicReference<>();
      Future<Boolean> follower =
          crew.submit(
              () -> {
                waiting.set(Thread.currentThread());
                return wait(() -> first.isTaken(item));
              });
      if (i % 2 == 0) {
        awaitThat(() -> isParked(waiting.get()));
      }
      leave.set(true);
      receivers.changed();
      assertThat(outcome(leader)).isTrue();
      first.post();
      assertThat(outcome(follower)).isTrue();
    }
  }

  /** It would spin in vain, and sleep again. */
  @Test
  void whoLeavesWakesNobodyWhileAnotherThreadHasTheRole() throws Exception {
    receivers.use(first);
    AtomicBoolean over = new AtomicBoolean();
    Future<Boolean> leader = crew.submit(() -> wait(over::get));
    awaitThat(first::isAsleep);
    AtomicReference<Thread> waiting = new AtomicReference<>();
    AtomicInteger ownLooks = new AtomicInteger();
    Future<Boolean> follower =
        crew.submit(
            () -> {
              waiting.set(Thread.currentThread());
              return wait(
                  () -> {
                    ownLooks.addAndGet(Thread.currentThread() == waiting.get() ? 1 : 0);
                    return over.get();
                  });
            });
    awaitThat(() -> isParked(waiting.get()));
    int looks = ownLooks.get();
    for (int i = 0; i < 20; i++) {
      AtomicBoolean leave = new AtomicBoolean();
      Future<Boolean> leaver = asleepUntil(leave::get);
      leave.set(true);
      receivers.changed();
      assertThat(outcome(leaver)).isTrue();
      Thread.sleep(2); // for the fault to show
    }
    assertThat(ownLooks).hasValue(looks);
    over.set(true);
    receivers.changed();
    assertThat(outcome(leader)).isTrue();
    assertThat(outcome(follower)).isTrue();
  }

  @Test
  void oneThatSleepsBesideTakesThePlaceOfWhoWaitsForAReply() throws Exception {
    receivers.use(first);
    AtomicBoolean reply = new AtomicBoolean();
    Future<Boolean> asks =
        crew.submit(
            () -> {
              first.helpUntil(reply::get, System.nanoTime() + PATIENCE_NS);
              return true;
            });
    awaitThat(first::isAsleep);
    long item = first.next();
    Future<Boolean> follower = asleepUntil(() -> first.isTaken(item));
    reply.set(true);
    first.wake();
    assertThat(outcome(asks)).isTrue();
    first.post();
    assertThat(outcome(follower)).isTrue();
  }

  @Test
  void threadThatWaitsBeforeALoopIsInUseReceivesThereOnceItIs() throws Exception {
    long item = first.post();
    Future<Boolean> waits = asleepUntil(() -> first.isTaken(item));
    receivers.use(first);
    assertThat(outcome(waits)).isTrue();
  }

  @Test
  void virtualThreadLeavesReceivingToOthersAndIsWoken() throws Exception {
    useBoth();
    long item = first.post();
    AtomicReference<Boolean> done = new AtomicReference<>();
    Thread virtual = Thread.ofVirtual().start(() -> done.set(tryWait(() -> first.isTaken(item))));
    awaitThat(() -> virtual.getState() == Thread.State.TIMED_WAITING);
    assertThat(first.isTaken(item)).isFalse();

    assertThat(wait(() -> first.isTaken(item))).isTrue();

    virtual.join();
    assertThat(done).hasValue(true);
  }

  @Test
  void conditionThatThrowsIsNoConcernOfWhoWakesTheSleeper() throws Exception {
    receivers.use(first);
    AtomicBoolean throwing = new AtomicBoolean();
    Future<Boolean> waits =
        crew.submit(
            () ->
                wait(
                    () -> {
                      if (throwing.get()) {
                        throw new IllegalArgumentException("on purpose");
                      }
                      return false;
                    }));
    awaitThat(first::isAsleep);
    throwing.set(true);
    receivers.changed();
    assertThatThrownBy(() -> outcome(waits)).hasRootCauseMessage("on purpose");
  }

  @Test
  void closingWakesAll() throws Exception {
    useBoth();
    CountDownLatch begun = new CountDownLatch(3);
    BooleanSupplier never =
        () -> {
          begun.countDown();
          return false;
        };
    List<Future<Boolean>> waits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waits.add(crew.submit(() -> wait(never)));
    }
    begun.await();
    receivers.close();
    for (Future<Boolean> wait : waits) {
      assertThat(outcome(wait)).isFalse();
    }
    assertThat(receivers.receiveUntil(() -> false, Long.MAX_VALUE)).as("later").isFalse();
  }

  @Test
  void closingWakesThoseAsleep() throws Exception {
    receivers.use(first);
    List<Future<Boolean>> waits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waits.add(asleepUntil(() -> false));
    }
    receivers.close();
    for (Future<Boolean> wait : waits) {
      assertThat(outcome(wait)).isFalse();
    }
  }

  // ---------------------------------------------------------------- many threads

  @Test
  void manyThreadsAllGetWhatTheyWaitFor() throws Exception {
    startBoth();
    manyThreads(loops);
  }

  /** What one of them leaves undone nobody else would do. */
  @Test
  void manyThreadsAllGetWhatTheyWaitForWithoutTheLoopsOwnThreads() throws Exception {
    receivers.use(first);
    manyThreads(List.of(first));
  }

  private void manyThreads(List<BellLoop> used) throws Exception {
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long own = seed + i;
      all.add(crew.submit(() -> waitsALot(used, new SplittableRandom(own))));
    }
    for (Future<Boolean> one : all) {
      assertThat(outcome(one)).as("with -Dverbena.seed=" + seed).isTrue();
    }
    for (BellLoop loop : loops) {
      assertThat(loop.intruders).hasValue(0);
    }
  }

  /** Each item is posted by its own waiter, or by another thread a moment later. */
  private boolean waitsALot(List<BellLoop> all, SplittableRandom random)
      throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      BellLoop to = all.get(random.nextInt(all.size()));
      AtomicLong item = new AtomicLong(Long.MAX_VALUE);
      AtomicBoolean flag = new AtomicBoolean();
      switch (random.nextInt(3)) {
        case 0 -> item.set(to.post());
        case 1 ->
            crew.execute(
                () -> {
                  item.set(to.post());
                  receivers.changed(); // it may have been taken before its number is known
                });
        default ->
            crew.execute(
                () -> {
                  flag.set(true);
                  receivers.changed();
                });
      }
      if (random.nextInt(8) == 0) {
        receivers.receiveUntil(() -> flag.get() || to.isTaken(item.get()), 0);
      }
      if (!wait(() -> flag.get() || to.isTaken(item.get()))) {
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- what they share

  private boolean wait(BooleanSupplier done) throws InterruptedException {
    return receivers.receiveUntil(done, Long.MAX_VALUE);
  }

  /** By another thread, which sleeps already. */
  private Future<Boolean> asleepUntil(BooleanSupplier done) throws InterruptedException {
    AtomicReference<Thread> waiting = new AtomicReference<>();
    Future<Boolean> waits =
        crew.submit(
            () -> {
              waiting.set(Thread.currentThread());
              return wait(done);
            });
    awaitThat(() -> isParked(waiting.get()));
    return waits;
  }

  private boolean tryWait(BooleanSupplier done) {
    try {
      return wait(done);
    } catch (InterruptedException e) {
      return false;
    }
  }

  private static boolean outcome(Future<Boolean> of) throws Exception {
    return of.get(PATIENCE_NS, TimeUnit.NANOSECONDS);
  }

  private static boolean isParked(@Nullable Thread thread) {
    return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
  }

  private static void awaitThat(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - until).as("patience").isNegative();
      Thread.sleep(0, 100_000);
    }
  }
}
