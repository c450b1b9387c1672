// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.PeerLostException;
import io.verbena.internal.memory.RetiredMemory;
import io.verbena.transport.LaneMemory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The memory of a session outlives it by a while. The JVM interrupts a thread that is in the middle
 * of an access to memory whose arena is closed, and threads that wait at a lane look at it.
 */
@Tag("timing")
class LeftMemoryTest {

  @Test
  void memoryOfASessionIsFreedAWhileAfterItsEnd() {
    TestHost left = new TestHost(1).keepMemory();
    HandWire wire = new HandWire(left, new TestHost(2)).link();
    LaneMemory memory = wire.left().session().shared().ring().memory();
    left.tick(0);
    end(wire);
    left.tick(RetiredMemory.KEPT_NS - 1);
    assertThat(memory.segment().scope().isAlive()).isTrue();
    left.tick(RetiredMemory.KEPT_NS);
    assertThat(memory.segment().scope().isAlive()).isFalse();
    wire.close();
  }

  private static void end(HandWire wire) {
    wire.left().close(new PeerLostException("closed on purpose"));
    wire.deliver();
  }

  /**
   * In a JVM without a JIT: compiled code is hardly ever stopped in the middle of an access, so
   * that this would take hours to show.
   */
  @Test
  void threadThatWaitsAtALaneWhileItsSessionEndsIsNotInterrupted() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xint",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Sessions.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said.strip()).isEqualTo("0 of 500 threads were interrupted");
    assertThat(process.waitFor()).isZero();
  }

  /** Ends one session after the other, each while a thread waits at its lane. */
  static final class Sessions {

    private static final int ROUNDS = 500;

    private final TestHost left = new TestHost(1).keepMemory();
    private final TestHost right = new TestHost(2).keepMemory();
    private final HandWire wire = new HandWire(left, right);
    private int interrupted; // by one waiting thread after the other

    public static void main(String[] args) throws InterruptedException {
      Sessions sessions = new Sessions();
      for (int round = 1; round <= ROUNDS; round++) {
        sessions.endOneWhileSomebodyWaits();
        sessions.free(round);
      }
      System.out.printf("%d of %d threads were interrupted%n", sessions.interrupted, ROUNDS);
    }

    private void endOneWhileSomebodyWaits() throws InterruptedException {
      Session session = wire.link().left().session();
      CountDownLatch begun = new CountDownLatch(1);
      AtomicBoolean over = new AtomicBoolean();
      Thread waiting = Thread.ofPlatform().start(() -> waitAtALane(session, begun, over));
      begun.await();
      end(wire);
      over.set(true);
      waiting.join();
    }

    /** Looks at the lane all the time, as who waits for room does before it sleeps. */
    private void waitAtALane(Session session, CountDownLatch begun, AtomicBoolean over) {
      SharedLane lane = session.shared();
      while (!over.get()) {
        session.laneWait().untilConsumed(lane, lane.consumed());
        begun.countDown();
      }
      interrupted += Thread.interrupted() ? 1 : 0;
    }

    private void free(int round) {
      left.tick(round * RetiredMemory.KEPT_NS);
      right.tick(round * RetiredMemory.KEPT_NS);
    }
  }
}
