// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static io.verbena.fabric.ChannelOutcome.DONE;
import static io.verbena.fabric.ChannelOutcome.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The other end of a channel is in a process of its own, which is killed at it. */
@Tag("timing")
@Timeout(600)
class KilledEndTest {

  private static final int NUMBER = 5;
  private static final int RING = 1 << 16;
  private static final int READ = 10;

  private final String cluster = "killed-end-" + ProcessHandle.current().pid();

  private static FabricBuilder node(int id, String cluster) {
    return Fabric.builder(id)
        .cluster(cluster)
        .listen("127.0.0.1:0")
        .device("softnic")
        .channels(4)
        .deadAfter(Duration.ofSeconds(5));
  }

  /** Writes numbers to node 1 until it is killed. */
  static final class EndlessWriter {
    private EndlessWriter() {}

    public static void main(String[] where) {
      Fabric fabric = node(2, where[0]).open();
      fabric.addPeer(1, where[1]);
      ChannelWriter writer = fabric.openWriter(1, NUMBER, Two.LONG);
      MemorySegment message = Arena.global().allocate(ValueLayout.JAVA_LONG);
      for (long i = 0; writer.push(message, Two.LONG) == DONE; i++) {
        message.set(ValueLayout.JAVA_LONG, 0, i + 1);
      }
    }
  }

  @Test
  void allThatAKilledWriterHasPublishedIsRead() throws Exception {
    try (Fabric fabric = node(1, cluster).open();
        ChannelReader reader = fabric.openReader(NUMBER, RING);
        Child writer = new Child(EndlessWriter.class, cluster, fabric.address())) {
      long count = 0;
      for (; count < 10_000; count++) {
        assertThat(reader.peek(Two.LONG)).isEqualTo(DONE);
        assertThat(reader.message().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(count);
        reader.release();
      }
      writer.kill();
      ChannelOutcome outcome = reader.peek(Two.LONG);
      for (; outcome == DONE; count++) {
        assertThat(reader.message().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(count);
        reader.release();
        outcome = reader.peek(Two.LONG);
      }
      assertThat(outcome).isEqualTo(LOST);
      assertThat(reader.lostBecause()).isNotEmpty();
    }
  }

  /** Reads some messages, says up to where, and reads no more. */
  static final class TiredReader {
    private TiredReader() {}

    public static void main(String[] where) throws Exception {
      Fabric fabric = node(2, where[0]).open();
      ChannelReader reader = fabric.openReader(NUMBER, RING);
      System.out.println(fabric.address());
      for (int i = 0; i < READ && reader.peek(Two.LONG) == DONE; i++) {
        reader.release();
      }
      System.out.println(reader.released());
      TimeUnit.MINUTES.sleep(5);
    }
  }

  @Test
  void writerKnowsWhatAKilledReaderHasReleased() throws Exception {
    try (Child reader = new Child(TiredReader.class, cluster);
        Fabric fabric = node(1, cluster).open()) {
      fabric.addPeer(2, reader.line());
      ChannelWriter writer = fabric.openWriter(2, NUMBER, Two.LONG);
      for (int i = 0; i < 2 * READ; i++) {
        assertThat(writer.push(new byte[100], Two.LONG)).isEqualTo(DONE);
      }
      long released = Long.parseLong(reader.line());
      reader.kill();
      ChannelOutcome outcome = DONE;
      while (outcome == DONE) {
        outcome = writer.push(new byte[100], Two.LONG);
      }
      assertThat(outcome).isEqualTo(LOST);
      assertThat(writer.lostBecause()).isNotEmpty();
      assertThat(writer.released()).isEqualTo(released).isPositive();
    }
  }
}
