// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Much before anybody asks for it, little room for it, and messages that are longer than an int.
 */
class BoundsTest {

  private static final DeviceOptions OPTIONS = DeviceOptions.DEFAULTS;

  private static byte[] random(int bytes, long seed) {
    byte[] all = new byte[bytes];
    new Random(seed).nextBytes(all);
    return all;
  }

  /** With little room a few are whole, most are announced. */
  @ParameterizedTest
  @CsvSource({"shm, 65536, 1M", "tcp, 65536, 1M", "shm, 67108864, 64K", "tcp, 67108864, 64K"})
  void eachRankSendsAThousandBeforeItReceives(String transport, int unexpectedBytes, String lane)
      throws Exception {
    DeviceOptions options = OPTIONS.withUnexpectedBytes(unexpectedBytes);
    try (Ranks ranks = new Ranks(3, transport, options, it -> it.set("lane.bytes", lane))) {
      Ranks.Program each = BoundsTest::sendThousands;
      ranks.run(each, each, each);
    }
  }

  private static void sendThousands(Device device) throws InterruptedException {
    Context all = Context.ofAll(0, device.size());
    List<SendRequest> sends = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      for (int to = 0; to < device.size(); to++) {
        sends.add(device.isend(all, to, i, Ranks.room(random(1000, i))));
      }
    }
    for (int i = 999; i >= 0; i--) { // the last one first: all the others lie before it
      for (int from = 0; from < device.size(); from++) {
        byte[] into = new byte[1000];
        device.recv(all, from, i, Ranks.room(into));
        assertThat(Arrays.equals(into, random(1000, i))).isTrue();
      }
    }
    for (SendRequest send : sends) {
      device.await(send);
    }
  }

  /** Blocking sends of what the receivers have room for wait for no receive. */
  @ParameterizedTest
  @ValueSource(strings = {"64K", "1M"})
  void blockingSendsOfAThousandFindRoom(String lane) throws Exception {
    try (Ranks ranks = new Ranks(2, "shm", OPTIONS, it -> it.set("lane.bytes", lane))) {
      Ranks.Program both =
          device -> {
            int peer = 1 - device.rank();
            for (int i = 0; i < 1000; i++) {
              device.send(ranks.all, peer, 3, Ranks.room(random(1000, i)));
            }
            for (int i = 0; i < 1000; i++) {
              byte[] into = new byte[1000];
              device.recv(ranks.all, peer, 3, Ranks.room(into));
              assertThat(Arrays.equals(into, random(1000, i))).isTrue();
            }
          };
      ranks.run(both, both);
    }
  }

  /** Not at once, but soon: a message leaves before its receive, however many came before. */
  @ParameterizedTest
  @CsvSource({"0, true", "0, false", "1, true", "1, false"})
  void whatWasReceivedMakesRoomForMore(int from, boolean isPosted) throws Exception {
    try (Ranks ranks = new Ranks(2, "shm", OPTIONS.withUnexpectedBytes(16 << 10))) {
      for (int i = 0; i < 100; i++) {
        boolean unused = sendsThenReceives(ranks, from, isPosted);
      }
      Await.until("there is room", () -> sendsThenReceives(ranks, from, false));
      assertThat(ranks.of(1).unexpected()).isZero();
    }
  }

  /** Returns whether a message was sent before its receive was there. */
  private static boolean sendsThenReceives(Ranks ranks, int from, boolean isPosted) {
    Layout into = Ranks.room(new byte[1000]);
    try {
      ReceiveRequest receive = isPosted ? ranks.of(1).irecv(ranks.all, from, 1, into) : null;
      SendRequest send = ranks.of(from).isend(ranks.all, 1, 1, Ranks.room(new byte[1000]));
      boolean isSent = send.isDone();
      if (!isPosted) {
        Await.until("it is there", () -> ranks.of(1).unexpected() == 1);
      }
      ranks.of(1).await(receive != null ? receive : ranks.of(1).irecv(ranks.all, from, 1, into));
      ranks.of(from).await(send);
      return isSent;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsUnexpectedStaysWithinItsBound() throws Exception {
    long bound = 256 << 10;
    try (Ranks ranks = new Ranks(2, "shm", OPTIONS.withUnexpectedBytes(bound))) {
      List<SendRequest> sends = new ArrayList<>();
      for (int i = 0; i < 6_000; i++) {
        sends.add(
            ranks.of(0).isend(ranks.all, 1, i, Layout.of(MemorySegment.ofArray(new long[] {i}))));
      }
      long whole = bound / 2 / (8 + Wire.CHARGE_BYTES);
      Await.until("all that may come", () -> ranks.of(1).unexpected() >= whole + Wire.HEADS);
      Await.idle(Duration.ofMillis(100)); // for what should not come to come
      assertThat(ranks.of(1).unexpected()).isEqualTo(whole + Wire.HEADS);
      long[] into = new long[1];
      ranks.of(1).recv(ranks.all, 0, 5_999, Layout.of(MemorySegment.ofArray(into)));
      assertThat(into[0]).isEqualTo(5_999);
      for (int i = 0; i < 5_999; i++) {
        ranks.of(1).recv(ranks.all, 0, i, Layout.of(MemorySegment.ofArray(into)));
        assertThat(MemorySegment.ofArray(into).get(JAVA_LONG, 0)).isEqualTo(i);
      }
      for (SendRequest send : sends) {
        ranks.of(0).await(send);
      }
    }
  }

  @Test
  void whatARankSendsItselfStaysWithinItsBound() throws Exception {
    long bound = 64 << 10;
    try (Ranks ranks = new Ranks(1, "shm", OPTIONS.withUnexpectedBytes(bound))) {
      Device device = ranks.of(0);
      List<SendRequest> sends = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        sends.add(device.isend(ranks.all, 0, i, Ranks.room(new byte[8])));
      }
      long whole = bound / (8 + Wire.CHARGE_BYTES);
      assertThat(sends.stream().filter(Request::isDone)).hasSize((int) whole);
      for (int i = 0; i < 1000; i++) {
        device.recv(ranks.all, 0, i, Ranks.room(new byte[8]));
      }
      assertThat(sends).allMatch(Request::isDone);
    }
  }

  /** Longer than any array, to another rank and to itself; its memory is none. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aMessageMayBeLongerThanAnInt(int from) throws Exception {
    long bytes = (1L << 31) + 12_345;
    try (Ranks ranks =
        new Ranks(2, "shm", new DeviceOptions(64 << 20, 1 << 15, 1 << 16, 1 << 20))) {
      Counted counted = new Counted(bytes);
      SendRequest send = ranks.of(from).isend(ranks.all, 1, 0, new Counted(bytes));
      Status status = ranks.of(1).recv(ranks.all, from, 0, counted);
      ranks.of(from).await(send);
      assertThat(status.bytes()).isEqualTo(bytes);
      assertThat(counted.done).hasValue(bytes);
    }
  }

  /** Each piece begins with its place in the message. */
  private record Counted(long bytes, AtomicLong done) implements Layout {
    Counted(long bytes) {
      this(bytes, new AtomicLong());
    }

    @Override
    public void gather(long from, long length, MemorySegment to, long at) {
      to.set(JAVA_LONG_UNALIGNED, at, from);
    }

    @Override
    public void scatter(long to, long length, MemorySegment source, long at) {
      long expected = done.getAndAdd(length);
      if (expected != to || source.get(JAVA_LONG_UNALIGNED, at) != to) {
        done.set(Long.MIN_VALUE); // never what is expected
      }
    }
  }
}
