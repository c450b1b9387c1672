// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.testkit.Threads;
import io.verbena.testkit.Threads.Crew;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Ends, connections and fabrics are closed in every order under threads that use them: what must
 * not happen is that the JVM dies. More rounds: {@code -Dverbena.rounds=1000}; the same orders:
 * {@code -Dverbena.seed=N}.
 */
@Tag("timing")
@Timeout(1200)
class ChannelClosingTest {

  private static final int ROUNDS = Integer.getInteger("verbena.rounds", 25);
  private static final long SEED = Long.getLong("verbena.seed", System.nanoTime());
  private static final int RING = 1 << 13;

  @Test
  void anyOrderUnderLoad() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      try {
        closeUnderLoad(random);
      } catch (Throwable e) {
        throw new AssertionError("round " + round + ", -Dverbena.seed=" + SEED, e);
      }
    }
    assertThat(Threads.ofVerbena()).isEmpty();
  }

  private static void closeUnderLoad(Random random) throws Exception {
    Two nodes = new Two();
    ChannelReader in = nodes.two.openReader(5, RING);
    ChannelWriter out = nodes.one.openWriter(2, 5, Two.LONG);
    ChannelReader back = nodes.one.openReader(6, RING);
    ChannelWriter forth = nodes.two.openWriter(1, 6, Two.LONG);
    Connections listening = nodes.two.openConnections(RING);
    Connections connecting = nodes.one.openConnections(RING);
    listening.listen(2);
    List<CountDownLatch> allBusy = new ArrayList<>();
    Crew crew = new Crew();
    List<Supplier<ChannelOutcome>> works =
        List.of(
            () -> write(out),
            () -> forward(in, forth),
            () -> read(back),
            () -> accept(listening),
            () -> connect(connecting, nodes.two.address()));
    for (Supplier<ChannelOutcome> work : works) {
      CountDownLatch busy = new CountDownLatch(1);
      allBusy.add(busy);
      crew.start(() -> untilItEnds(work, busy));
    }
    for (CountDownLatch busy : allBusy) {
      busy.await();
    }
    List<AutoCloseable> all =
        new ArrayList<>(List.of(in, out, back, forth, listening, connecting, nodes.one, nodes.two));
    all.addAll(List.of(in, out, nodes.one)); // twice
    Collections.shuffle(all, random);
    crew.start(() -> closeAll(all.subList(0, 5)));
    closeAll(all.subList(5, all.size()));
    crew.join();
  }

  private static Void closeAll(List<AutoCloseable> some) throws Exception {
    for (AutoCloseable one : some) {
      if (one instanceof Channel end) {
        end.closeForSure(); // a message of it may be on its way into another one
      } else {
        one.close();
      }
    }
    return null;
  }

  private static Void untilItEnds(Supplier<ChannelOutcome> work, CountDownLatch busy) {
    try {
      while (work.get() == ChannelOutcome.DONE) {
        busy.countDown();
      }
    } catch (FabricException | IllegalStateException e) {
      // closed, or a view of what is
    } finally {
      busy.countDown();
    }
    return null;
  }

  private static ChannelOutcome write(ChannelWriter out) {
    ChannelOutcome outcome = out.push(new byte[3 * RING], Two.LONG);
    if (outcome == ChannelOutcome.DONE) {
      outcome = out.claim(1000, Two.LONG);
    }
    if (outcome == ChannelOutcome.DONE) {
      MemorySegment place = out.claimed();
      place.fill((byte) 1);
      out.publish(1000);
      place.fill((byte) 0); // too late: bytes of its own message, and no harm to the JVM
    }
    return outcome;
  }

  private static ChannelOutcome forward(ChannelReader in, ChannelWriter forth) {
    ChannelOutcome outcome = in.peek(Two.LONG);
    if (outcome == ChannelOutcome.TOO_LARGE) {
      return in.pop(new byte[3 * RING], Two.LONG);
    }
    if (outcome == ChannelOutcome.DONE) {
      outcome = forth.push(in.message(), Two.LONG);
      in.release();
    }
    return outcome;
  }

  private static ChannelOutcome read(ChannelReader back) {
    ChannelOutcome outcome = back.peek(Two.LONG);
    if (outcome == ChannelOutcome.DONE) {
      MemorySegment message = back.message();
      assertThat(message.get(ValueLayout.JAVA_BYTE, 0)).isBetween((byte) 0, (byte) 1);
      back.release();
    }
    return outcome;
  }

  private static ChannelOutcome accept(Connections listening) {
    try (Connection accepted = listening.accept(Two.LONG).orElseThrow()) {
      return accepted.reader().peek(Two.LONG);
    }
  }

  private static ChannelOutcome connect(Connections connecting, String address) {
    try (Connection made = connecting.connect(address, Two.LONG)) {
      ChannelOutcome outcome = made.writer().push(new byte[100], Two.LONG);
      made.reader().peek(Two.LONG); // until the far side has gone
      return outcome;
    }
  }
}
