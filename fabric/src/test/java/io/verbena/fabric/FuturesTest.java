// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.testkit.Await;
import io.verbena.testkit.Pattern;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One-sided operations whose ends are told by futures, between two nodes on softnic. */
@Tag("timing")
class FuturesTest {

  private static final int BYTES = 1 << 20;
  private static final Access[] ALL = Access.values();

  /** Ends of operations that nobody polls find room for 65 of each link, rounded up. */
  private static final int MORE_THAN_ROOM = 40_000;

  private final Two nodes = new Two();
  private final Region mine = nodes.one.allocate(BYTES);
  private final Region theirs = nodes.two.allocate(BYTES);
  private final RegionKey key = theirs.share(0, BYTES, ALL);
  private final Remote remote = Remote.of(RegionKey.of(key.toBytes())); // as it travels
  private final Link link = nodes.link();

  FuturesTest() {
    nodes.two.drive();
  }

  @AfterEach
  void close() {
    remote.close();
    mine.close();
    nodes.close();
    theirs.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 64, 4096, 65536, BYTES})
  void bytesArePutAndComeBack(int length) {
    byte[] bytes = Pattern.bytes(length, length);
    MemorySegment.copy(bytes, 0, mine.memory(), ValueLayout.JAVA_BYTE, 0, length);
    Two.get(link.put(mine, 0, remote, BYTES - length, length));
    assertThat(bytes(theirs, BYTES - length, length)).isEqualTo(bytes);
    mine.memory().fill((byte) 0);
    Two.get(link.get(mine, 0, remote, BYTES - length, length));
    assertThat(bytes(mine, 0, length)).isEqualTo(bytes);
  }

  private static byte[] bytes(Region of, long offset, long length) {
    return of.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void atomicsBringWhatWasThereBefore() {
    assertThat(Two.get(link.fetchAdd(remote, 16, 5))).isZero();
    assertThat(Two.get(link.fetchAdd(remote, 16, -7))).isEqualTo(5);
    assertThat(Two.get(link.compareSwap(remote, 16, 3, 9))).isEqualTo(-2);
    assertThat(Two.get(link.compareSwap(remote, 16, -2, 9))).isEqualTo(-2);
    assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(9);
  }

  /** More than are under way at once: the others wait in their order. */
  @Test
  void moreThanThereIsRoomForGoesOnByItself() {
    List<CompletableFuture<Long>> sums = new ArrayList<>();
    for (int i = 0; i < MORE_THAN_ROOM; i++) {
      sums.add(link.fetchAdd(remote, 8, 1));
    }
    for (int i = 0; i < sums.size(); i++) {
      assertThat(Two.get(sums.get(i))).isEqualTo(i);
    }
    Two.get(link.flush());
  }

  @Test
  void memoryOfTheCallerIsRegistered() {
    try (Arena arena = Arena.ofShared();
        Region own = nodes.one.register(arena.allocate(128, 64))) {
      own.memory().set(ValueLayout.JAVA_LONG, 8, 42);
      Two.get(link.put(own, 8, remote, 0, 8));
      assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    }
    assertThatThrownBy(() -> nodes.one.register(MemorySegment.ofArray(new byte[8])))
        .hasMessageContaining("native and writable");
  }

  @Test
  void signalsAreHeardInOrderBehindTheirBytes() {
    Queue<Long> heard = new ConcurrentLinkedQueue<>();
    nodes.two.onSignal(
        (peer, value) -> heard.add(theirs.memory().get(ValueLayout.JAVA_LONG, 8L * value)));
    for (int i = 0; i < 500; i++) { // more than fit: the others wait
      mine.memory().set(ValueLayout.JAVA_LONG, 8L * i, 1000 + i);
      link.putSignal(mine, 8L * i, remote, 8L * i, 8, i);
    }
    Await.until("500 signals", () -> heard.size() == 500);
    long due = 1000;
    for (long value : heard) {
      assertThat(value).isEqualTo(due++);
    }
    assertThatIllegalStateException().isThrownBy(() -> nodes.two.onSignal((peer, value) -> {}));
  }

  /** A peer that takes no signals has no room for more after a while. */
  @Test
  void moreThanMayWaitAreRefused() {
    CompletableFuture<Void> taken;
    CompletableFuture<Void> last = link.flush();
    int count = 0;
    do {
      assertThat(count).isLessThan(2 * Outbox.MOST_WAITING);
      taken = last;
      last = link.putSignal(mine, 0, remote, 0, 8, count++);
    } while (!last.isCompletedExceptionally());
    CompletableFuture<Void> refused = last;
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(refused))
        .withMessageContaining("131072 operations or more wait for room on this link");
    nodes.two.onSignal((peer, value) -> {});
    Two.get(taken);
  }

  /** An error too, of which it may throw any: futures and signals go on. */
  @Test
  void listenerThatFailsKeepsNobodyElseFromHearing() {
    Queue<Integer> heard = new ConcurrentLinkedQueue<>();
    nodes.two.onSignal(
        (peer, value) -> {
          heard.add(value);
          throw new AssertionError("the listener fails, as it should, at " + value);
        });
    for (int i = 0; i < 3; i++) {
      link.putSignal(mine, 0, remote, 0, 8, i);
    }
    Await.until("3 signals", () -> heard.size() == 3);
    Two.get(nodes.two.link(1, Two.LONG).flush());
  }

  // ---------------------------------------------------------------- refused

  @Test
  void whatTheKeyDoesNotAllowIsRefusedAndDisturbsNothing() {
    assertRefused(link.put(mine, 0, remote, BYTES - 4, 8), "put", String.valueOf(BYTES - 4));
    assertRefused(link.put(mine, BYTES, remote, 0, 8), "local");
    assertRefused(link.fetchAdd(remote, 4, 1), "4");
    try (Remote readOnly = Remote.of(theirs.share(0, 8, Access.GET))) {
      assertRefused(link.put(mine, 0, readOnly, 0, 8), "put");
    }
    Two.get(link.put(mine, 0, remote, 0, 8));
  }

  @Test
  void keyOfAnotherNodeIsRefused() {
    try (Remote own = Remote.of(mine.share(0, 8, ALL))) {
      assertRefused(link.get(mine, 0, own, 0, 8), "node 1");
    }
  }

  private static void assertRefused(CompletableFuture<?> future, String... words) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(future))
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
  }

  @Test
  void revokedKeyIsDeadAndCostsNothing() {
    Two.get(link.put(mine, 0, remote, 0, 8));
    mine.memory().fill((byte) 1);
    theirs.revoke(key);
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> Two.get(link.put(mine, 0, remote, 256, 8)))
        .withMessageContaining("put")
        .withMessageContaining("256")
        .withMessageContaining("the key was revoked; get a new one");
    assertThat(theirs.memory().get(ValueLayout.JAVA_LONG, 256)).isZero();
    assertThatExceptionOfType(FabricException.class).isThrownBy(() -> theirs.revoke(key));
    assertThat(link.isUp()).isTrue();
    try (Remote again = Remote.of(theirs.share(0, 8, ALL))) {
      Two.get(link.put(mine, 0, again, 0, 8));
    }
  }

  /** The end of the link that the refusal brings may overtake the refusal itself. */
  @Test
  void whatADeviceRefusesCostsTheLink() {
    theirs.revoke(key);
    try (Remote unseen = Two.unseen(key)) {
      assertThatExceptionOfType(FabricException.class)
          .isThrownBy(() -> Two.get(link.put(mine, 0, unseen, 256, 8)))
          .isInstanceOfAny(RefusedException.class, UnknownOutcomeException.class)
          .withMessageContaining("put")
          .withMessageContaining("node 2")
          .withMessageContaining("256");
    }
    Await.until("the link is down", () -> !link.isUp());
    try (Remote again = Remote.of(theirs.share(0, 8, ALL))) {
      Two.get(nodes.link().put(mine, 0, again, 0, 8));
    }
  }

  // ---------------------------------------------------------------- closed

  @Test
  void whatIsClosedThrows() {
    mine.close();
    mine.close();
    assertThatIllegalStateException().isThrownBy(() -> mine.memory().get(ValueLayout.JAVA_BYTE, 0));
    assertClosed(() -> link.put(mine, 0, remote, 0, 8), "the region of 1048576 bytes is closed");
    assertClosed(() -> mine.share(0, 8, ALL), "the region");
    remote.close();
    assertClosed(() -> link.put(theirs, 0, remote, 0, 8), "the remote of");
    assertClosed(() -> link.fetchAdd(remote, 0, 1), "the remote of");
    assertClosed(() -> link.compareSwap(remote, 0, 0, 1), "the remote of");
    nodes.one.close();
    nodes.one.close();
    assertClosed(() -> nodes.one.allocate(8), "the fabric of node 1 is closed");
    assertClosed(() -> nodes.one.link(2), "the fabric of node 1");
    assertClosed(() -> Two.get(link.flush()), "the fabric of node 1");
    assertThat(link.isUp()).isFalse();
  }

  /** Its keys are dead when any of them returns. */
  @Test
  void eachOfTwoThatCloseWaitsUntilItIsDone() throws Exception {
    mine.handle().enter();
    Thread first = Thread.ofPlatform().daemon().start(mine::close);
    Await.until("the first closes", mine.handle()::isClosed);
    Thread second = Thread.ofPlatform().daemon().start(mine::close);
    assertThat(second.join(Duration.ofMillis(200))).isFalse();
    mine.handle().leave();
    assertThat(first.join(Two.LONG)).isTrue();
    assertThat(second.join(Two.LONG)).isTrue();
  }

  private static void assertClosed(ThrowingCallable call, String why) {
    assertThatExceptionOfType(ClosedException.class).isThrownBy(call).withMessageContaining(why);
  }

  @Test
  void closeEndsTheWaitForALink() throws Exception {
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      nodes.one.addPeer(3, "127.0.0.1:" + silent.getLocalPort());
      CompletableFuture<Link> waiting =
          CompletableFuture.supplyAsync(() -> nodes.one.link(3, Duration.ofMinutes(5)));
      TimeUnit.MILLISECONDS.sleep(200);
      nodes.one.close();
      assertClosed(() -> Two.get(waiting), "the fabric of node 1");
    }
  }

  @Test
  void closeFromTheDriversOwnThreadEndsIt() {
    CompletableFuture<Void> closed = link.put(mine, 0, remote, 0, 8).thenRun(nodes.one::close);
    Two.get(closed);
    assertClosed(() -> nodes.one.allocate(8), "node 1");
  }

  /** Those that wait behind it for room are told too. */
  @Test
  void closeByWhoHearsOfARefusalEndsAll() {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch posted = new CountDownLatch(1);
    nodes.one.onSignal(
        (peer, value) -> {
          held.countDown();
          Await.until("all are posted", () -> posted.getCount() == 0);
        });
    List<CompletableFuture<?>> open = new ArrayList<>();
    try (Remote ours = Remote.of(mine.share(0, 8, ALL))) {
      Two.get(nodes.two.link(1, Two.LONG).putSignal(theirs, 0, ours, 0, 8, 1));
    }
    Await.until("the driver is held", () -> held.getCount() == 0);
    for (int i = 0; i < 2 * MORE_THAN_ROOM; i++) {
      open.add(link.fetchAdd(remote, 8, 1));
      if (i == MORE_THAN_ROOM) {
        open.add(link.put(mine, 0, remote, BYTES, 8).whenComplete((v, e) -> nodes.one.close()));
      }
    }
    posted.countDown();
    for (CompletableFuture<?> future : open) {
      try {
        Two.get(future);
      } catch (FabricException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
    assertThat(open.getLast()).isCompletedExceptionally();
  }

  /** Each is told of once, whatever way, when the peer goes in the middle. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachFutureIsCompletedOnceWhenAnEndIsClosed(boolean farEnd) {
    AtomicInteger ended = new AtomicInteger();
    List<CompletableFuture<Long>> open = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      CompletableFuture<Long> future = link.fetchAdd(remote, 8, 1);
      future.whenComplete((value, failure) -> ended.incrementAndGet());
      open.add(future);
      if (i == 1500 && farEnd) {
        nodes.two.close();
      }
    }
    if (!farEnd) {
      nodes.one.close();
    }
    for (CompletableFuture<Long> future : open) {
      try {
        Two.get(future);
      } catch (FabricException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
    assertThat(ended).hasValue(open.size());
  }

  @Test
  void regionThatIsClosedUnderAnOperationFailsItAndNothingElse() {
    for (int round = 0; round < 20; round++) {
      Region shortLived = nodes.one.allocate(BYTES);
      List<CompletableFuture<Void>> puts = new ArrayList<>();
      try {
        for (int i = 0; i < 100; i++) {
          puts.add(nodes.link().put(shortLived, 0, remote, 0, BYTES));
          if (i == 50) {
            shortLived.close();
          }
        }
      } catch (ClosedException e) {
        assertThat(e).hasMessageContaining("the region");
      }
      for (CompletableFuture<Void> put : puts) {
        try {
          Two.get(put);
        } catch (FabricException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
      }
    }
    Two.get(nodes.link().put(mine, 0, remote, 0, 8));
  }

  // ---------------------------------------------------------------- who drives

  @Test
  void pollingIsRefusedWhereAThreadDrives() {
    Two.get(link.flush());
    Completions completions = new Completions(8);
    assertThatIllegalStateException()
        .isThrownBy(() -> nodes.one.poll(completions))
        .withMessageContaining("driven by its own thread");
    assertThatIllegalStateException().isThrownBy(() -> link.operations(8));
  }

  @Test
  void driverSleepsWhileThereIsNothingToDo() throws Exception {
    Two.get(link.flush());
    long thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(it -> it.getName().equals("verbena-fabric-1"))
            .findAny()
            .orElseThrow()
            .threadId();
    Await.idle(Duration.ofMillis(500));
    long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread);
    Await.idle(Duration.ofSeconds(2));
    long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread) - before;
    assertThat(used).isLessThan(TimeUnit.MILLISECONDS.toNanos(200));
  }

  @Test
  void saysWhereItIsAndWhichDeviceItHas() {
    assertThat(nodes.one.address()).startsWith("127.0.0.1:");
    assertThat(String.join("\n", nodes.one.describe())).contains("softnic");
    assertThatThrownBy(() -> Two.builder(3).device("no-such").open())
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("no-such");
  }
}
