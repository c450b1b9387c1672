// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.fabric.ChannelOutcome;
import io.verbena.fabric.ChannelReader;
import io.verbena.fabric.ChannelWriter;
import io.verbena.fabric.Connection;
import io.verbena.fabric.Connections;
import io.verbena.fabric.Fabric;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A sensor writes measurements where their reader finds them, over a channel; then both talk over a
 * connection, for which an address is enough. Both could be processes of their own.
 */
public final class Measurements {

  private static final int SENSOR = 1;
  private static final int STATION = 2;
  private static final int CHANNEL = 5;
  private static final int RING_BYTES = 1 << 16;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int COUNT = 1_000_000;
  private static final long NUMBER = 0; // of 8 bytes, like the value behind it
  private static final long VALUE = 8;
  private static final long BYTES = 16;

  private Measurements() {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Fabric sensor = open(SENSOR);
        Fabric station = open(STATION)) {
      sensor.addPeer(STATION, station.address());
      Thread measuring = Thread.ofPlatform().start(() -> measure(sensor));
      add(station);
      measuring.join();
      talk(sensor, station);
    }
  }

  private static Fabric open(int id) {
    return Fabric.builder(id).listen("127.0.0.1:0").device("softnic").channels(8).open();
  }

  private static void measure(Fabric sensor) {
    try (ChannelWriter writer = sensor.openWriter(STATION, CHANNEL, PATIENCE)) {
      for (long i = 0; i < COUNT; i++) {
        if (writer.claim(BYTES, PATIENCE) != ChannelOutcome.DONE) {
          return; // whoever closes without an end is lost to the reader
        }
        MemorySegment place = writer.claimed(); // in the reader's memory, on one host
        place.set(ValueLayout.JAVA_LONG, NUMBER, i);
        place.set(ValueLayout.JAVA_DOUBLE, VALUE, i * 0.5);
        writer.publish(BYTES);
      }
      writer.end(PATIENCE);
    }
  }

  private static void add(Fabric station) {
    try (ChannelReader reader = station.openReader(CHANNEL, RING_BYTES)) {
      double sum = 0;
      long next = 0;
      ChannelOutcome outcome = reader.peek(PATIENCE);
      while (outcome == ChannelOutcome.DONE) {
        MemorySegment message = reader.message(); // where it lies
        if (message.get(ValueLayout.JAVA_LONG, NUMBER) == next) {
          next++;
        }
        sum += message.get(ValueLayout.JAVA_DOUBLE, VALUE);
        reader.release(); // the writer may write there again
        outcome = reader.peek(PATIENCE);
      }
      String how = outcome == ChannelOutcome.ENDED ? "all there are" : reader.lostBecause();
      System.out.printf("%d measurements in order, sum %.1f: %s%n", next, sum, how);
    }
  }

  private static void talk(Fabric sensor, Fabric station) throws InterruptedException {
    try (Connections here = station.openConnections(RING_BYTES);
        Connections there = sensor.openConnections(RING_BYTES)) {
      here.listen(4);
      Thread answering = Thread.ofPlatform().start(() -> answer(here));
      try (Connection to = there.connect(station.address(), PATIENCE)) {
        byte[] large = new byte[3 * RING_BYTES]; // copied, in pieces: a ring is smaller
        to.writer().push(large, PATIENCE);
        byte[] into = new byte[100];
        to.reader().pop(into, PATIENCE);
        int length = (int) to.reader().length();
        System.out.println(new String(into, 0, length, StandardCharsets.UTF_8));
        to.writer().end(PATIENCE);
        to.reader().peek(PATIENCE); // the end of the other side
      }
      answering.join();
    }
  }

  private static void answer(Connections here) {
    try (Connection from = here.accept(PATIENCE).orElseThrow()) {
      byte[] asked = new byte[1 << 20];
      while (from.reader().pop(asked, PATIENCE) == ChannelOutcome.DONE) {
        String text = "got " + from.reader().length() + " bytes";
        from.writer().push(text.getBytes(StandardCharsets.UTF_8), PATIENCE);
      }
      from.writer().end(PATIENCE);
    }
  }
}
