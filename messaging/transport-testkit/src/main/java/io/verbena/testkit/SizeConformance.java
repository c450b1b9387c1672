// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.verbena.MessageTooLargeException;
import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.Threads.Crew;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Messages of every size arrive whole, wherever in the ring they lie and however they are cut. */
public abstract class SizeConformance extends ConformanceCase {

  private static final int LANE_BYTES = 64 * 1024;
  private static final int FRAME_BYTES_MAX = LANE_BYTES / 4;
  private static final int MESSAGE_BYTES_MAX = 17 << 20;

  /** For a transport. */
  protected SizeConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  @Test
  void everySizeUpToAFewHundredBytesArrivesWhole() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = 0; size <= 600; size++) {
      sizes.add(size);
    }
    sendBlobs(sizes);
  }

  @Test
  void sizesAroundAFragmentArriveWhole() {
    List<Integer> sizes = new ArrayList<>();
    for (int fragments = 1; fragments <= 4; fragments++) {
      for (int around = -48; around <= 48; around++) {
        sizes.add(fragments * FRAME_BYTES_MAX + around);
      }
    }
    sendBlobs(sizes);
  }

  @Test
  void sizesUpToSixteenMebibytesArriveWhole() {
    List<Integer> sizes = new ArrayList<>();
    for (int size = 1 << 15; size <= 16 << 20; size *= 2) {
      sizes.addAll(List.of(size - 1, size, size + 1));
    }
    sendBlobs(sizes);
  }

  @Test
  void everyRingOffsetAtTheEndOfALapIsCrossed() {
    AtomicInteger received = new AtomicInteger();
    Queue<String> errors = new ConcurrentLinkedQueue<>();
    openSmall(2)
        .handleView(
            TestMessages.VIEW,
            (segment, offset, length, from) -> {
              String error = Laps.difference(received.get(), segment, offset, length);
              if (!error.isEmpty()) {
                errors.add(error);
              }
              received.incrementAndGet();
            });
    try (Sender lane = openSmall(1).sender(2)) {
      Laps laps = new Laps(lane, LANE_BYTES, FRAME_BYTES_MAX);
      for (int rest = 8; rest <= FRAME_BYTES_MAX; rest += 8) {
        laps.crossWith(rest);
      }
      await(
          "all " + laps.sent() + " messages; errors: " + errors,
          () -> received.get() == laps.sent() || !errors.isEmpty());
    }
    assertEquals(List.of(), List.copyOf(errors));
  }

  @Test
  void largeMessagesOfSeveralThreadsDoNotMix() {
    Blobs blobs = new Blobs();
    openSmall(2).handle(Blob.class, (blob, from) -> blobs.take(blob));
    Node sender = openSmall(1);
    Crew crew = new Crew();
    for (int source = 0; source < 4; source++) {
      int first = source * 1000;
      crew.start(
          () -> {
            for (int i = 0; i < 40; i++) {
              sender.send(2, blobs.make(first + i, i % 4 == 0 ? 300_000 + i : 10 * i));
            }
            return null;
          });
    }
    crew.join();
    blobs.awaitCount(160);
  }

  @Test
  void largeRequestsGetLargeReplies() throws InterruptedException {
    openSmall(2)
        .handle(
            Blob.class,
            (blob, from) ->
                from.reply(new Blob(blob.number() + 1, Pattern.bytes(blob.number() + 1, 500_000))));
    Node sender = openSmall(1);
    for (int i = 0; i < 10; i++) {
      Blob asked = new Blob(i, Pattern.bytes(i, 400_000 + i));
      Blob reply = sender.request(2, asked, Blob.class, Await.LONG);
      assertEquals(i + 1, reply.number());
      assertEquals("", Pattern.difference(i + 1, reply.data()));
    }
  }

  @Test
  void messagesBeyondTheLimitAreRefusedAndTheNextOneArrives() {
    Blobs blobs = new Blobs();
    open(2).handle(Blob.class, (blob, from) -> blobs.take(blob));
    Node sender = cluster().open(1, builder -> builder.set("message.max.bytes", "1M"));
    Blob tooLarge = new Blob(1, new byte[(1 << 20) + 1]);
    assertThrows(MessageTooLargeException.class, () -> sender.send(2, tooLarge));
    assertThrows(MessageTooLargeException.class, () -> sender.trySend(2, tooLarge));
    sender.send(2, blobs.make(2, 1000));
    blobs.awaitCount(1);
  }

  private void sendBlobs(List<Integer> sizes) {
    Blobs blobs = new Blobs();
    openSmall(2).handle(Blob.class, (blob, from) -> blobs.take(blob));
    Node sender = openSmall(1);
    for (int i = 0; i < sizes.size(); i++) {
      sender.send(2, blobs.make(i, sizes.get(i)));
    }
    blobs.awaitCount(sizes.size());
  }

  private Node openSmall(int id) {
    return cluster()
        .open(
            id,
            builder ->
                builder
                    .set("lane.bytes", Integer.toString(LANE_BYTES))
                    .set("message.max.bytes", Integer.toString(MESSAGE_BYTES_MAX)));
  }

  /** Blobs under way. */
  private static final class Blobs {
    private final AtomicInteger came = new AtomicInteger();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final java.util.Map<Integer, Integer> sizes =
        new java.util.concurrent.ConcurrentHashMap<>();

    Blob make(int number, int size) {
      sizes.put(number, size);
      return new Blob(number, Pattern.bytes(number, size));
    }

    void take(Blob blob) {
      Integer size = sizes.remove(blob.number());
      if (size == null || size != blob.data().length) {
        errors.add("blob " + blob.number() + ": " + blob.data().length + " instead of " + size);
      }
      String difference = Pattern.difference(blob.number(), blob.data());
      if (!difference.isEmpty()) {
        errors.add(difference);
      }
      came.incrementAndGet();
    }

    void awaitCount(int count) {
      Await.until(
          Await.LONG,
          () -> came + " of " + count + " blobs; errors: " + errors,
          () -> came.get() == count || !errors.isEmpty());
      assertEquals(List.of(), List.copyOf(errors));
    }
  }
}
