// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static io.verbena.fabric.ChannelOutcome.DONE;
import static io.verbena.fabric.ChannelOutcome.ENDED;
import static io.verbena.fabric.ChannelOutcome.LOST;
import static io.verbena.fabric.ChannelOutcome.TOO_LARGE;
import static io.verbena.fabric.ChannelOutcome.WOULD_BLOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.verbena.testkit.Threads.Crew;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Channels between two nodes of this process, whose ends share the smallest of rings. */
@Tag("timing")
@Timeout(600)
class ChannelTest {

  private static final int NUMBER = 7;
  private static final int RING = 4096;
  private static final long SEED = Long.getLong("verbena.seed", System.nanoTime());

  private final Two nodes = new Two(isByDevice());
  private final ChannelReader reader = nodes.two.openReader(NUMBER, RING);
  private final ChannelWriter writer = nodes.one.openWriter(2, NUMBER, Two.LONG);

  /** Whether the nodes share no memory. */
  boolean isByDevice() {
    return false;
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void push(String text) {
    assertThat(writer.push(bytes(text), Two.LONG)).isEqualTo(DONE);
  }

  /** By the device what was pushed comes a little later; in shared memory it is there. */
  private void awaitMessage() {
    while (reader.probe() == WOULD_BLOCK) {
      assertThat(isByDevice()).isTrue();
      Thread.onSpinWait();
    }
  }

  private String peeked() {
    assertThat(reader.peek(Two.LONG)).isEqualTo(DONE);
    return new String(reader.message().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }

  private String popped() {
    byte[] into = new byte[100];
    assertThat(reader.pop(into, Two.LONG)).isEqualTo(DONE);
    return new String(into, 0, (int) reader.length(), StandardCharsets.UTF_8);
  }

  /** Whose bytes tell where they belong. */
  private static byte[] pattern(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  // ---------------------------------------------------------------- messages

  @Test
  void messagesGoInPlaceAndCopied() {
    assertThat(writer.claim(64)).isEqualTo(DONE);
    assertThat(writer.claimed().byteSize()).isEqualTo(64);
    writer.claimed().copyFrom(MemorySegment.ofArray(bytes("claimed")));
    writer.publish(7);
    push("pushed");
    push("");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom("native");
      assertThat(writer.push(text.asSlice(0, 6))).isEqualTo(DONE);
      assertThat(writer.flush(Two.LONG)).isEqualTo(DONE);
      assertThat(peeked()).isEqualTo("claimed");
      assertThat(reader.message().isReadOnly()).isTrue();
      reader.release();
      assertThat(reader.probe()).isEqualTo(DONE);
      assertThat(reader.length()).isEqualTo(6);
      assertThat(popped()).isEqualTo("pushed");
      assertThat(popped()).isEmpty();
      MemorySegment into = arena.allocate(100);
      assertThat(reader.pop(into)).isEqualTo(DONE);
      assertThat(reader.length()).isEqualTo(6);
      assertThat(into.getString(0)).isEqualTo("native");
    }
    assertThat(reader.peek()).isEqualTo(WOULD_BLOCK);
    assertThat(reader.pop(new byte[8])).isEqualTo(WOULD_BLOCK);
    assertThat(reader.probe()).isEqualTo(WOULD_BLOCK);
    assertThat(reader.drop()).isEqualTo(WOULD_BLOCK);
    reader.tell();
    assertThat(writer.isShared()).isNotEqualTo(isByDevice());
    assertThat(writer.peer()).isEqualTo(2);
    assertThat(reader.peer()).isEqualTo(1);
    if (!isByDevice()) { // by which the writer hears of it later
      assertThat(writer.released()).isEqualTo(writer.published()).isEqualTo(reader.released());
    }
    assertThat(reader.lostBecause()).isEmpty();
  }

  @Test
  void whatDoesNotFitStays() {
    push("some text");
    awaitMessage();
    assertThat(reader.pop(new byte[8])).isEqualTo(TOO_LARGE);
    assertThat(reader.length()).isEqualTo(9);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(reader.pop(arena.allocate(8), Two.LONG)).isEqualTo(TOO_LARGE);
      assertThat(reader.length()).isEqualTo(9);
    }
    assertThat(popped()).isEqualTo("some text");
    assertThat(writer.mostInPlace()).isEqualTo(RING / 2 - 16);
    assertThat(writer.claim(writer.mostInPlace())).isEqualTo(DONE);
    assertThat(writer.claim(writer.mostInPlace() + 1)).isEqualTo(TOO_LARGE);
    push("dropped");
    push("kept");
    awaitMessage();
    assertThat(reader.drop()).isEqualTo(DONE);
    assertThat(reader.length()).isEqualTo(7);
    assertThat(popped()).isEqualTo("kept");
  }

  /** A message that is larger than the ring, of the heap and native, to the heap and native. */
  @Test
  void largeMessagesGoInPieces() {
    for (boolean fromHeap : List.of(true, false)) {
      for (boolean toHeap : List.of(true, false)) {
        byte[] sent = pattern(5 * RING + 3, fromHeap == toHeap ? 1 : 2);
        MemorySegment from = fromHeap ? MemorySegment.ofArray(sent) : copied(sent);
        Crew crew = new Crew();
        crew.start(
            () -> {
              assertThat(writer.push(from, Two.LONG)).isEqualTo(DONE);
              return null;
            });
        byte[] got = new byte[sent.length + 5];
        MemorySegment into = toHeap ? MemorySegment.ofArray(got) : copied(got);
        assertThat(reader.pop(into, Two.LONG)).isEqualTo(DONE);
        assertThat(reader.length()).isEqualTo(sent.length);
        assertThat(into.asSlice(0, sent.length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(sent);
        crew.join();
      }
    }
  }

  private static MemorySegment copied(byte[] bytes) {
    return Arena.ofAuto().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  @Test
  void whatWouldBlockInTheMiddleGoesOn() {
    byte[] large = pattern(3 * RING, 3);
    assertThat(writer.push(large)).isEqualTo(WOULD_BLOCK);
    assertThat(writer.push(large, Duration.ofMillis(1))).isEqualTo(WOULD_BLOCK);
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.claim(8))
        .withMessageContaining("12288 bytes is written in part");
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.push(bytes("another one")))
        .withMessageContaining("12288 bytes is written in part; this one has 11");
    assertThatIllegalStateException().isThrownBy(() -> writer.push(copied(bytes("native"))));
    assertThatIllegalStateException().isThrownBy(() -> writer.end(Two.LONG));
    awaitMessage();
    assertThat(reader.probe()).isEqualTo(DONE);
    assertThat(reader.length()).isEqualTo(large.length);
    assertThat(reader.peek()).isEqualTo(TOO_LARGE);
    byte[] got = new byte[large.length];
    ChannelOutcome outcome = reader.pop(got);
    assertThat(outcome).isEqualTo(WOULD_BLOCK);
    ChannelOutcome pushed = WOULD_BLOCK;
    while (outcome == WOULD_BLOCK) {
      pushed = pushed == DONE ? DONE : writer.push(large);
      outcome = reader.pop(got);
    }
    assertThat(got).isEqualTo(large);
    assertThat(reader.length()).isEqualTo(large.length);
    push("next");
    assertThat(popped()).isEqualTo("next");
  }

  /** Until there is no room in it, though the device have room. How many messages that were. */
  private int fillRing() {
    int whole = 0;
    while (writer.push(new byte[(int) writer.mostInPlace() / 2]) == DONE) {
      whole++;
    }
    int before;
    do {
      before = whole;
      assertThat(writer.flush(Two.LONG)).isEqualTo(DONE);
      while (writer.push(new byte[0]) == DONE) {
        whole++;
      }
    } while (whole > before);
    return whole;
  }

  /** One that has not begun is nobody's: others may be pushed first. */
  @Test
  void largeMessageThatHasNotBegunMakesWayForAnother() {
    int whole = fillRing();
    byte[] large = pattern(2 * RING, 4);
    assertThat(writer.push(large)).isEqualTo(WOULD_BLOCK);
    byte[] other = pattern(2 * RING, 5);
    System.arraycopy(other, 0, large, 0, other.length); // the array is used for the next message
    for (; whole > 0; whole--) {
      awaitMessage();
      assertThat(reader.drop()).isEqualTo(DONE);
    }
    byte[] got = new byte[other.length];
    while (reader.pop(got) == WOULD_BLOCK) {
      writer.push(large);
    }
    assertThat(got).isEqualTo(other);
  }

  @Test
  void everySizeGoesAroundTheSmallestRing() {
    Random sizes = new Random(SEED);
    int messages = 5_000;
    Crew crew = new Crew();
    crew.start(
        () -> {
          Random same = new Random(SEED);
          for (int i = 0; i < messages; i++) {
            write(i, pattern(size(same), i));
          }
          assertThat(writer.end(Two.LONG)).isEqualTo(DONE);
          return null;
        });
    for (int i = 0; i < messages; i++) {
      byte[] due = pattern(size(sizes), i);
      assertThat(read(i, due.length)).as("message %s, -Dverbena.seed=%s", i, SEED).isEqualTo(due);
    }
    assertThat(reader.peek(Two.LONG)).isEqualTo(ENDED);
    crew.join();
  }

  /** Mostly small, some of more than a ring. */
  private static int size(Random random) {
    return random.nextInt(1 << random.nextInt(14));
  }

  private void write(int number, byte[] message) {
    boolean isLarge = message.length > writer.mostInPlace();
    switch (number % 3) {
      case 0 -> assertThat(writer.push(message, Two.LONG)).isEqualTo(DONE);
      case 1 -> assertThat(writer.push(copied(message), Two.LONG)).isEqualTo(DONE);
      default -> {
        ChannelOutcome claimed = writer.claim(message.length, Two.LONG);
        assertThat(claimed).isEqualTo(isLarge ? TOO_LARGE : DONE);
        if (isLarge) {
          write(0, message);
        } else {
          writer.claimed().copyFrom(MemorySegment.ofArray(message));
          writer.publish(message.length);
        }
      }
    }
  }

  private byte[] read(int number, int length) {
    if (number % 5 > 2) {
      ChannelOutcome outcome = reader.peek(Two.LONG);
      if (outcome == DONE) {
        byte[] got = reader.message().toArray(ValueLayout.JAVA_BYTE);
        reader.release();
        return got;
      }
      assertThat(outcome).isEqualTo(TOO_LARGE);
    }
    MemorySegment into =
        number % 2 == 0 ? copied(new byte[length]) : MemorySegment.ofArray(new byte[length]);
    assertThat(reader.pop(into, Two.LONG)).isEqualTo(DONE);
    assertThat(reader.length()).isEqualTo(length);
    return into.toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void slowReaderIsNeverWrittenOver() {
    byte[] first = pattern(500, 6);
    assertThat(writer.push(first)).isEqualTo(DONE);
    awaitMessage();
    assertThat(reader.peek()).isEqualTo(DONE);
    MemorySegment view = reader.message();
    int more = 0;
    while (writer.push(new byte[500]) == DONE) {
      more++;
    }
    assertThat(more).isBetween(5, 8);
    assertThat(writer.claim(500, Duration.ofMillis(300))).isEqualTo(WOULD_BLOCK);
    assertThat(writer.released()).isZero();
    assertThat(view.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(first);
    reader.release();
    assertThat(writer.claim(500, Two.LONG)).isEqualTo(DONE);
  }

  // ---------------------------------------------------------------- time

  @Test
  void whoWaitsIsWokenByWhatComes() {
    Crew crew = new Crew();
    crew.start(
        () -> {
          for (int i = 0; i < 200; i++) {
            push("message " + i);
          }
          assertThat(writer.end(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(DONE);
          return null;
        });
    Duration forever = ChronoUnit.FOREVER.getDuration();
    for (int i = 0; i < 200; i++) {
      assertThat(reader.peek(forever)).isEqualTo(DONE);
      assertThat(reader.length()).isEqualTo(("message " + i).length());
      reader.release();
    }
    assertThat(reader.pop(new byte[8], forever)).isEqualTo(ENDED);
    crew.join();
    assertThat(writer.push(new byte[1], Two.LONG)).isEqualTo(ENDED);
  }

  @Test
  void timeIsOverWhenItIs() {
    long before = System.nanoTime();
    assertThat(reader.peek(Duration.ofMillis(250))).isEqualTo(WOULD_BLOCK);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(250_000_000);
    assertThat(reader.peek(Duration.ofSeconds(-5))).isEqualTo(WOULD_BLOCK);
    assertThat(reader.pop(new byte[8], Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(WOULD_BLOCK);
  }

  /** More than there are carriers here wait for those that come last. */
  @Test
  void virtualThreadsThatWaitHoldNoCarrier() throws Exception {
    int channels = Math.min(14, 2 * Runtime.getRuntime().availableProcessors());
    List<ChannelWriter> writers = new ArrayList<>();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      ChannelReader in = nodes.two.openReader(100 + i, RING);
      writers.add(nodes.one.openWriter(2, 100 + i, Two.LONG));
      all.add(onVirtualThread(() -> assertThat(in.peek(Two.LONG)).isEqualTo(DONE)));
    }
    for (ChannelWriter out : writers) {
      all.add(onVirtualThread(() -> assertThat(out.push(new byte[100])).isEqualTo(DONE)));
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .get(Two.LONG.toSeconds(), TimeUnit.SECONDS);
  }

  private static CompletableFuture<Void> onVirtualThread(Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                work.run();
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            });
    return done;
  }

  // ---------------------------------------------------------------- ends

  @Test
  void endOfAStreamIsToldFromALoss() {
    push("last");
    assertThat(writer.end(Two.LONG)).isEqualTo(DONE);
    writer.close();
    assertThat(peeked()).isEqualTo("last");
    reader.release();
    assertThat(reader.peek(Two.LONG)).isEqualTo(ENDED);
    assertThat(reader.probe()).isEqualTo(ENDED);

    ChannelReader other = nodes.two.openReader(NUMBER + 1, RING);
    try (ChannelWriter gone = nodes.one.openWriter(2, NUMBER + 1, Two.LONG)) {
      assertThat(gone.push(bytes("come"))).isEqualTo(DONE);
      assertThat(gone.flush(Two.LONG))
          .isEqualTo(DONE); // what is under way by the device may be lost
    }
    assertThat(other.pop(new byte[8], Two.LONG)).isEqualTo(DONE);
    assertThat(other.peek(Two.LONG)).isEqualTo(LOST);
    assertThat(other.lostBecause()).contains("given up by its writer");
  }

  @Test
  void writerHearsThatNobodyReadsAndUpToWhere() {
    push("read");
    push("never read");
    assertThat(popped()).isEqualTo("read");
    long released = reader.released();
    reader.close();
    ChannelOutcome outcome = DONE;
    while (outcome == DONE) {
      outcome = writer.push(new byte[100], Two.LONG);
    }
    assertThat(outcome).isEqualTo(LOST);
    assertThat(writer.lostBecause()).contains("is read no more");
    assertThat(writer.released()).isLessThanOrEqualTo(released).isLessThan(writer.published());
    if (!isByDevice()) { // by which a reader tells of it now and then
      assertThat(writer.released()).isEqualTo(released);
    }
  }

  @Test
  void channelsGoWithFuturesAndWithPolling() {
    nodes.one.drive();
    try (Region mine = nodes.one.allocate(RING);
        Region theirs = nodes.two.allocate(RING);
        Remote remote = Remote.of(theirs.share(0, RING, Access.PUT))) {
      Completions completions = new Completions(8);
      for (int i = 0; i < 100; i++) {
        CompletableFuture<Void> put = nodes.link().put(mine, 0, remote, 0, 8);
        push("one");
        assertThat(nodes.two.poll(completions)).isZero();
        assertThat(popped()).isEqualTo("one");
        Two.get(put);
      }
    }
  }

  // ---------------------------------------------------------------- misuse

  @Test
  void badArgumentsAreRefusedWithASentence() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.two.openReader(16_384, RING))
        .withMessageContaining("16384; it may be 0 to 16383");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.one.openWriter(2, -1, Two.LONG))
        .withMessageContaining("-1; it may be 0 to 16383");
    for (long bytes : new long[] {0, -4096, 2048, 5000, 1L << 32}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> nodes.two.openReader(8, bytes))
          .withMessageContaining(bytes + " bytes: its size is a power of two from 4096");
    }
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> nodes.one.openWriter(2, NUMBER, Duration.ZERO))
        .withMessageContaining("writes to it already");
    assertThatExceptionOfType(FabricException.class)
        .isThrownBy(() -> nodes.one.openWriter(2, NUMBER + 1, Duration.ofSeconds(1)))
        .withMessageContaining("does not read it (yet)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nodes.one.openWriter(-5, NUMBER, Two.LONG));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.claim(-1))
        .withMessageContaining("is -1; it must be at least 0");
    assertThatIllegalArgumentException().isThrownBy(() -> writer.publish(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> Fabric.builder(3).channels(-1));
    assertThat(writer.claim(Long.MAX_VALUE)).isEqualTo(TOO_LARGE);
    assertThat(writer.claim(8)).isEqualTo(DONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.publish(9))
        .withMessageContaining("publish 9 bytes: 8 are claimed");
    writer.publish(8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader.pop(MemorySegment.ofArray(new byte[8]).asReadOnly()))
        .withMessageContaining("read-only");
    awaitMessage();
    assertThat(reader.pop(new byte[8])).isEqualTo(DONE);
    try (Fabric without = Fabric.builder(3).listen("127.0.0.1:0").device("softnic").open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> without.openReader(1, RING))
          .withMessageContaining("without channels");
    }
  }

  @Test
  void whatIsNotClaimedOrPeekedAtIsRefused() {
    assertThatIllegalStateException().isThrownBy(writer::claimed);
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.publish(0))
        .withMessageContaining("nothing is claimed");
    assertThat(writer.claim(8)).isEqualTo(DONE);
    push("instead of it");
    assertThatIllegalStateException().isThrownBy(() -> writer.publish(0));
    assertThatIllegalStateException().isThrownBy(reader::message);
    assertThatIllegalStateException()
        .isThrownBy(reader::release)
        .withMessageContaining("no message was peeked at");
    assertThat(peeked()).isEqualTo("instead of it");
    reader.release();
    assertThatIllegalStateException().isThrownBy(reader::message);
    assertThatIllegalStateException().isThrownBy(reader::release);
  }

  @Test
  void secondThreadAtTheSameMomentIsRefused() {
    Crew crew = new Crew();
    crew.start(
        () -> {
          assertThat(Two.whenFree(() -> reader.peek(Two.LONG))).isEqualTo(DONE);
          return null;
        });
    assertThat(Two.refusal(reader::probe))
        .hasMessageContaining("the reader of channel 7 is in use by another thread");
    push("go on");
    crew.join();
  }

  @Test
  void viewsOfAClosedEndAreDead() {
    push("seen");
    awaitMessage();
    assertThat(reader.peek()).isEqualTo(DONE);
    MemorySegment message = reader.message();
    assertThat(writer.claim(8)).isEqualTo(DONE);
    MemorySegment place = writer.claimed();
    reader.close();
    writer.close();
    reader.close();
    assertThatIllegalStateException().isThrownBy(() -> message.get(ValueLayout.JAVA_BYTE, 0));
    assertThatIllegalStateException()
        .isThrownBy(() -> place.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(reader::peek)
        .withMessageContaining("the reader of channel 7 is closed");
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> writer.push(new byte[1]))
        .withMessageContaining("the writer of channel 7 of node 2 is closed");
    assertThatExceptionOfType(ClosedException.class).isThrownBy(reader::lostBecause);
    assertThat(reader).hasToString("Channel[reader of channel 7, closed]");
  }

  // ---------------------------------------------------------------- cost

  /**
   * The least of many rounds: the first ones run before the JIT has done its work. Without views,
   * which the JIT leaves out mostly, and so not always.
   */
  @Test
  void tryFormsAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    MemorySegment copy = Arena.ofAuto().allocate(64);
    long until = System.nanoTime() + Two.LONG.toNanos();
    long least = Long.MAX_VALUE;
    while (least > 0 && System.nanoTime() < until) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 2000; i++) {
        goAround(copy);
      }
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 2000);
    }
    assertThat(least).isZero();
  }

  private void goAround(MemorySegment copy) {
    if (writer.claim(64) == DONE) {
      writer.publish(64);
    }
    if (reader.peek() == DONE) {
      reader.release();
    }
    if (writer.push(copy) == DONE && reader.probe() == DONE) {
      reader.pop(copy);
    }
    reader.peek();
  }
}
