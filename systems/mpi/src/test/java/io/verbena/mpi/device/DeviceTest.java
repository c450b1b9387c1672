// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.testkit.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What MPI promises of messages between two ranks and more, over several transports. */
class DeviceTest {

  private static final DeviceOptions OPTIONS = DeviceOptions.DEFAULTS;

  private Ranks ranks;
  private Context all;

  private void open(int size, String transport, DeviceOptions options) {
    ranks = new Ranks(size, transport, options);
    all = ranks.all;
  }

  @AfterEach
  void close() {
    if (ranks != null) {
      ranks.close();
    }
  }

  private static byte[] random(int bytes, long seed) {
    byte[] all = new byte[bytes];
    new Random(seed).nextBytes(all);
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"loopback", "shm", "tcp"})
  void messagesOfAllLengthsArriveWhole(String transport) throws Exception {
    open(2, transport, OPTIONS);
    int[] lengths = {0, 1, 7, 8, 64, 1000, 32 << 10, (32 << 10) + 1, 100_003, 1 << 20, 3_000_001};
    ranks.run(
        one -> {
          for (int bytes : lengths) {
            one.send(all, 1, bytes, Ranks.room(random(bytes, bytes)));
            one.ssend(all, 1, bytes, Ranks.room(random(bytes, bytes + 1)));
          }
        },
        other -> {
          for (int bytes : lengths) {
            for (int i = 0; i < 2; i++) {
              byte[] into = new byte[bytes];
              Status status = other.recv(all, 0, Device.ANY_TAG, Ranks.room(into));
              assertThat(status).isEqualTo(new Status(0, bytes, bytes, null));
              assertThat(Arrays.equals(into, random(bytes, bytes + i))).isTrue();
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1 << 12, 64 << 20})
  void messagesDoNotOvertakeOneAnotherWhateverWayTheyGo(int unexpectedBytes) throws Exception {
    open(2, "shm", OPTIONS.withUnexpectedBytes(unexpectedBytes).withEagerBytes(512));
    ranks.run(
        one -> {
          Random random = new Random(1);
          List<SendRequest> sends = new ArrayList<>();
          for (int i = 0; i < 3000; i++) {
            byte[] bytes = new byte[4 + random.nextInt(2000)];
            MemorySegment.ofArray(bytes).set(JAVA_INT.withByteAlignment(1), 0, i);
            sends.add(one.send(all, 1, 5, Ranks.room(bytes), random.nextInt(5) == 0, null));
          }
          for (SendRequest send : sends) {
            one.await(send);
          }
        },
        other -> {
          byte[] into = new byte[2004];
          for (int i = 0; i < 3000; i++) {
            other.recv(all, i % 2 == 0 ? Device.ANY_SOURCE : 0, 5, Ranks.room(into));
            int number = MemorySegment.ofArray(into).get(JAVA_INT.withByteAlignment(1), 0);
            assertThat(number).isEqualTo(i);
          }
        });
  }

  @Test
  void whatDoesNotFitIsCutAndNothingElseBreaks() throws Exception {
    open(2, "shm", OPTIONS);
    ranks.run(
        one -> {
          for (int bytes : new int[] {10, 200_000}) {
            one.ssend(all, 1, 1, Ranks.room(random(bytes, 1)));
            one.ssend(all, 1, 1, Ranks.room(random(bytes, 2)));
            one.ssend(all, 1, 2, Ranks.room(random(bytes, 3)));
          }
        },
        other -> {
          for (int bytes : new int[] {10, 200_000}) {
            byte[] half = new byte[bytes / 2];
            ReceiveRequest cut = other.irecv(all, 0, 1, Ranks.room(half));
            assertThatExceptionOfType(TruncatedException.class)
                .isThrownBy(() -> other.await(cut))
                .withMessageContaining("rank 0 with tag 1 has " + bytes + " bytes")
                .matches(e -> e.bytes() == bytes);
            assertThat(half).isEqualTo(Arrays.copyOf(random(bytes, 1), bytes / 2));
            assertThat(cut.status().bytes()).isEqualTo(bytes);
            ReceiveRequest none = other.irecv(all, 0, 1, Layout.empty());
            assertThatExceptionOfType(TruncatedException.class).isThrownBy(() -> other.await(none));
            byte[] whole = new byte[bytes + 5];
            other.recv(all, 0, 2, Ranks.room(whole));
            assertThat(Arrays.copyOf(whole, bytes)).isEqualTo(random(bytes, 3));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 200_000})
  void aSynchronousSendWaitsForItsReceive(int bytes) throws Exception {
    open(2, "shm", OPTIONS);
    SendRequest send = ranks.of(0).issend(all, 1, 1, Ranks.room(random(bytes, 1)));
    Await.until("it is there", () -> isThere(ranks.of(1)));
    assertThat(ranks.of(0).test(send)).isFalse();
    ranks.of(1).recv(all, 0, 1, Ranks.room(new byte[bytes]));
    ranks.of(0).await(send);
  }

  private boolean isThere(Device device) {
    try {
      return device.iprobe(all, Device.ANY_SOURCE, Device.ANY_TAG).isPresent();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCancelledReceiveTakesNothing() throws Exception {
    open(2, "shm", OPTIONS);
    Device device = ranks.of(1);
    byte[] never = new byte[1];
    ReceiveRequest cancelled = device.irecv(all, 0, 1, Ranks.room(never));
    assertThat(device.cancel(cancelled)).isTrue();
    assertThat(cancelled.isCancelled()).isTrue();
    assertThat(device.cancel(cancelled)).isFalse();
    ranks.of(0).send(all, 1, 1, Ranks.bytes(7));
    byte[] into = new byte[1];
    ReceiveRequest receive = device.irecv(all, 0, 1, Ranks.room(into));
    device.await(receive);
    assertThat(device.cancel(receive)).isFalse();
    assertThat(receive.isCancelled()).isFalse();
    assertThat(into[0]).isEqualTo((byte) 7);
    assertThat(never[0]).isZero();
  }

  @Test
  void cancelAndArrivalHaveOneOutcome() throws Exception {
    open(2, "shm", OPTIONS);
    int rounds = 2000;
    Future<Void> sends =
        ranks.start(
            0,
            one -> {
              for (int i = 0; i < rounds; i++) {
                one.send(all, 1, 0, Ranks.bytes(i));
              }
            });
    Device device = ranks.of(1);
    Random random = new Random(2);
    for (int got = 0; got < rounds; ) {
      byte[] into = new byte[1];
      ReceiveRequest receive = device.irecv(all, 0, 0, Ranks.room(into));
      if (random.nextBoolean()) {
        Thread.yield();
      }
      if (!device.cancel(receive)) {
        device.await(receive);
        assertThat(into[0]).isEqualTo((byte) got++);
      }
    }
    Ranks.join(sends);
  }

  /** Another thread receives, so the one that probes hears of messages at any moment. */
  @Test
  void whatAProbeHasSeenIsThere() throws Exception {
    open(2, "shm", OPTIONS);
    int times = 2000;
    Context others = Context.ofAll(7, 2);
    AtomicBoolean isOver = new AtomicBoolean();
    Future<Void> receives =
        ranks.start(
            0,
            device -> {
              while (!isOver.get()) {
                assertThat(device.iprobe(others, 1, 0)).isEmpty();
              }
            });
    Future<Void> sends =
        ranks.start(
            1,
            device -> {
              for (int i = 0; i < times; i++) {
                device.send(all, 0, i, Ranks.room(new byte[8192]));
                device.recv(all, 0, i, Layout.empty());
              }
            });
    Future<Void> probes =
        ranks.start(
            0,
            device -> {
              byte[] into = new byte[8192];
              for (int i = 0; i < times; i++) {
                Status seen = device.probe(all, 1, Device.ANY_TAG);
                assertThat(device.iprobe(all, 1, i)).contains(seen);
                device.recv(all, 1, i, Ranks.room(into));
                device.send(all, 1, i, Layout.empty());
              }
              isOver.set(true);
            });
    Ranks.joinAll(List.of(receives, sends, probes));
  }

  @Test
  void probesSeeWhatAReceiveWouldGet() throws Exception {
    open(3, "shm", OPTIONS);
    Device device = ranks.of(2);
    assertThat(device.iprobe(all, 0, 1)).isEmpty();
    Note note = new Note(11, -12);
    Future<Void> waits =
        ranks.start(2, it -> assertThat(it.probe(all, 1, 4)).isEqualTo(new Status(1, 4, 3, note)));
    ranks.of(1).await(ranks.of(1).send(all, 2, 4, Ranks.bytes(1, 2, 3), false, note));
    ranks.of(0).send(all, 2, 4, Layout.empty());
    Ranks.join(waits);
    assertThat(device.probe(all, 0, Device.ANY_TAG)).isEqualTo(new Status(0, 4, 0, null));
    Message message = device.mprobe(all, 1, Device.ANY_TAG);
    assertThat(message.status()).isEqualTo(new Status(1, 4, 3, note));
    assertThat(device.iprobe(all, 1, Device.ANY_TAG)).isEmpty();
    byte[] into = new byte[3];
    ReceiveRequest receive = device.irecv(message, Ranks.room(into));
    device.await(receive);
    assertThat(into).containsExactly(1, 2, 3);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> device.irecv(message, Ranks.room(into)));
    assertThat(device.improbe(all, Device.ANY_SOURCE, Device.ANY_TAG)).isPresent();
    assertThat(device.improbe(all, Device.ANY_SOURCE, Device.ANY_TAG)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 200_000})
  void aRankSendsToItself(int bytes) throws Exception {
    open(2, "shm", OPTIONS);
    Device device = ranks.of(0);
    byte[] sent = random(bytes, 5);
    byte[] into = new byte[bytes];
    ReceiveRequest before = device.irecv(all, Device.ANY_SOURCE, 1, Ranks.room(into));
    device.send(all, 0, 1, Ranks.room(sent));
    device.await(before);
    assertThat(Arrays.equals(into, sent)).isTrue();
    Arrays.fill(into, (byte) 0);
    SendRequest send = device.isend(all, 0, 2, Ranks.room(sent));
    assertThat(send.isDone()).isEqualTo(bytes <= OPTIONS.eagerBytesOver(null));
    assertThat(device.recv(all, 0, 2, Ranks.room(into)).bytes()).isEqualTo(bytes);
    device.await(send);
    assertThat(Arrays.equals(into, sent)).isTrue();
    SendRequest synchronous = device.issend(all, 0, 3, Ranks.room(sent));
    assertThat(device.test(synchronous)).isFalse();
    device.recv(all, 0, 3, Ranks.room(into));
    assertThat(synchronous.isDone()).isTrue();
  }

  /** A matching probe of another thread has the message, which nobody can read. */
  @Test
  void whatCannotBeReadIsNotSentToOneself() throws Exception {
    open(1, "shm", OPTIONS);
    Device device = ranks.of(0);
    for (int i = 0; i < 3; i++) {
      Future<Void> other =
          ranks.start(
              0,
              it -> {
                Message found = it.mprobe(all, 0, 1);
                ReceiveRequest receive = it.irecv(found, Ranks.room(new byte[100]));
                assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> it.await(receive))
                    .withMessageContaining("cannot be read");
              });
      Await.until("the probe", () -> !device.waits().isEmpty());
      SendRequest send = device.isend(all, 0, 1, new Unreadable(100));
      assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.await(send));
      Ranks.join(other);
    }
  }

  private record Unreadable(long bytes) implements Layout {
    @Override
    public void gather(long from, long length, MemorySegment to, long at) {
      throw new IllegalStateException("closed");
    }

    @Override
    public void scatter(long to, long length, MemorySegment source, long at) {}
  }

  @Test
  void membersMayBeOnOneHost() {
    open(3, "shm", OPTIONS); // which say that each has a host of its own
    assertThat(ranks.of(0).isOneHost(Context.of(1, 2))).isTrue();
    assertThat(ranks.of(0).isOneHost(Context.of(1, 0, 2))).isFalse();
  }

  @Test
  void anotherThreadOfTheSameRankReceivesAtOnce() throws Exception {
    open(1, "shm", OPTIONS);
    ranks.run(
        device -> {
          Future<Void> other =
              ranks.start(
                  0,
                  it -> {
                    for (int i = 0; i < 2000; i++) {
                      it.probe(all, 0, 1);
                      it.recv(all, 0, 1, Ranks.room(new byte[1]));
                      it.send(all, 0, 2, Ranks.bytes(1));
                    }
                  });
          for (int i = 0; i < 2000; i++) {
            device.ssend(all, 0, 1, Ranks.bytes(1));
            device.recv(all, 0, 2, Ranks.room(new byte[1]));
          }
          Ranks.join(other);
        });
  }

  @Test
  void everyOneOfAnArrayOfLayoutsIsFilled() throws Exception {
    open(2, "shm", OPTIONS);
    long[][] from = new long[300][];
    long[][] to = new long[300][];
    for (int i = 0; i < from.length; i++) {
      from[i] = new Random(i).longs(1 + i).toArray();
      to[i] = new long[1 + i];
    }
    ranks.run(
        one -> one.send(all, 1, 0, new Rows(from)), other -> other.recv(all, 0, 0, new Rows(to)));
    assertThat(to).isEqualTo(from);
    long[][] own = new long[300][];
    Arrays.setAll(own, i -> new long[1 + i]);
    SendRequest send = ranks.of(0).isend(all, 0, 0, new Rows(from));
    ranks.of(0).recv(all, 0, 0, new Rows(own));
    ranks.of(0).await(send);
    assertThat(own).isEqualTo(from);
  }

  /** An array of arrays, as the layer above has one. */
  private record Rows(long[][] rows) implements Layout {
    @Override
    public long bytes() {
      return 8L * Arrays.stream(rows).mapToLong(row -> row.length).sum();
    }

    @Override
    public void gather(long from, long bytes, MemorySegment to, long at) {
      each(
          from,
          bytes,
          (row, offset, done, length) -> MemorySegment.copy(row, offset, to, at + done, length));
    }

    @Override
    public void scatter(long to, long bytes, MemorySegment source, long at) {
      each(
          to,
          bytes,
          (row, offset, done, length) ->
              MemorySegment.copy(source, at + done, row, offset, length));
    }

    private interface Part {
      void copy(MemorySegment row, long offset, long done, long length);
    }

    private void each(long from, long bytes, Part part) {
      long begin = 0;
      for (long[] row : rows) {
        long end = begin + 8L * row.length;
        long first = Math.max(from, begin);
        long last = Math.min(from + bytes, end);
        if (first < last) {
          part.copy(MemorySegment.ofArray(row), first - begin, first - from, last - first);
        }
        begin = end;
      }
    }
  }

  @Test
  void offHeapMemoryGoesBothWaysAtOnce() throws Exception {
    open(2, "shm", OPTIONS);
    int bytes = 8 << 20;
    Ranks.Program both =
        device -> {
          try (Arena arena = Arena.ofShared()) {
            MemorySegment mine = arena.allocate(bytes);
            MemorySegment theirs = arena.allocate(bytes);
            mine.fill((byte) (device.rank() + 1));
            int peer = 1 - device.rank();
            SendRequest send = device.isend(all, peer, 0, Layout.of(mine));
            device.recv(all, peer, 0, Layout.of(theirs));
            device.await(send);
            for (long at = 0; at < bytes; at += 4096 + 1) {
              assertThat(theirs.get(JAVA_BYTE, at)).isEqualTo((byte) (peer + 1));
            }
          }
        };
    ranks.run(both, both);
  }

  @Test
  void oneOfSeveralRequestsIsWaitedFor() throws Exception {
    open(3, "shm", OPTIONS);
    Device device = ranks.of(2);
    List<ReceiveRequest> receives =
        List.of(
            device.irecv(all, 0, 0, Ranks.room(new byte[1])),
            device.irecv(all, 1, 0, Ranks.room(new byte[1])));
    Future<Void> waits = ranks.start(2, it -> assertThat(it.awaitAny(receives)).isEqualTo(1));
    Await.until("the wait is seen", () -> device.waits().size() == 2);
    assertThat(device.waits().get(0).toString())
        .contains("receive, rank 0, context 0, tag 0, for 0");
    ranks.of(1).send(all, 2, 0, Ranks.bytes(1));
    Ranks.join(waits);
    assertThat(device.waits()).isEmpty();
    assertThat(device.cancel(receives.get(0))).isTrue();
  }

  @Test
  void contextsAreApartAndHaveNumbersOfTheirOwn() throws Exception {
    open(3, "shm", OPTIONS);
    Context turned = Context.of(9, 2, 0, 1);
    ranks.of(1).send(turned, 0, 1, Ranks.bytes(5));
    ranks.of(1).send(all, 2, 1, Ranks.bytes(6));
    byte[] into = new byte[1];
    assertThat(ranks.of(2).recv(all, 1, 1, Ranks.room(into)).source()).isEqualTo(1);
    assertThat(into[0]).isEqualTo((byte) 6);
    assertThat(ranks.of(2).recv(turned, Device.ANY_SOURCE, 1, Ranks.room(into)).source())
        .isEqualTo(2);
    assertThat(into[0]).isEqualTo((byte) 5);
  }

  @Test
  void aSenderWhoseMemoryIsGoneFailsItsReceiver() throws Exception {
    open(2, "shm", OPTIONS);
    Arena arena = Arena.ofShared();
    SendRequest send = ranks.of(0).isend(all, 1, 0, Layout.of(arena.allocate(1 << 20)));
    arena.close();
    ReceiveRequest receive = ranks.of(1).irecv(all, 0, 0, Ranks.room(new byte[1 << 20]));
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> ranks.of(1).await(receive));
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> ranks.of(0).await(send));
    ranks.of(0).send(all, 1, 1, Ranks.bytes(1));
    ranks.of(1).recv(all, 0, 1, Ranks.room(new byte[1]));
  }

  /** Small messages pass long ones, and of these a piece of each goes in turn. */
  @Test
  void aLongMessageHoldsUpNobody() throws Exception {
    open(2, "shm", OPTIONS);
    Device one = ranks.of(0);
    Device other = ranks.of(1);
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Request> requests = new ArrayList<>();
    requests.add(one.isend(all, 1, 1, new Told(1, 1 << 20, order)));
    requests.add(one.isend(all, 1, 2, new Told(2, 1 << 20, order)));
    Await.until("both are known", () -> other.unexpected() == 2);
    Gate gate = new Gate();
    Future<Void> holdsTheTurn = ranks.start(0, it -> it.send(all, 1, 0, gate));
    Await.until("the turn is taken", () -> gate.isEntered);
    requests.add(other.irecv(all, 0, 1, new Told(1, 1 << 20, order)));
    requests.add(other.irecv(all, 0, 2, new Told(2, 1 << 20, order)));
    requests.add(other.irecv(all, 0, 3, new Told(3, 1, order)));
    other.send(all, 0, 0, Layout.empty());
    one.recv(all, 1, 0, Layout.empty()); // so it has been told to send both
    requests.add(one.isend(all, 1, 3, new Told(3, 1, order)));
    gate.isOpen = true;
    for (Request each : requests) {
      other.await(each);
    }
    Ranks.join(holdsTheTurn);
    assertThat(order.subList(0, 5)).containsExactly(3, 1, 2, 1, 2);
  }

  /** A message that says when a piece of it arrives. */
  private record Told(int number, long bytes, List<Integer> order) implements Layout {
    @Override
    public void gather(long from, long length, MemorySegment to, long at) {}

    @Override
    public void scatter(long to, long length, MemorySegment source, long at) {
      order.add(number);
    }
  }

  /** A message that is not read before it may be. */
  private static final class Gate implements Layout {
    volatile boolean isEntered;
    volatile boolean isOpen;

    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public void gather(long from, long length, MemorySegment to, long at) {
      isEntered = true;
      while (!isOpen) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void scatter(long to, long length, MemorySegment source, long at) {}
  }
}
