// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What is open of a fabric's channels, all of which goes before it does. Any thread. */
final class Channels {

  private static final long LEAST_RING_BYTES = 4096;
  private static final long MOST_RING_BYTES = 1L << 31;

  private final Set<Channel> ends = ConcurrentHashMap.newKeySet();
  private final Set<Connections> connections = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosing;

  ChannelReader openReader(MemorySegment fabric, int number, long ringBytes) {
    checkNumber(number);
    checkRing(ringBytes);
    return reader(
        "channel " + number,
        Handle.made(at -> Calls.call(ChannelFunctions.OPEN_READER, fabric, number, ringBytes, at)));
  }

  ChannelWriter openWriter(MemorySegment fabric, int node, int number, Duration timeout) {
    checkNumber(number);
    long timeoutNs = Calls.nanos(timeout);
    return writer(
        "channel " + number + " of node " + node,
        Handle.made(
            at -> Calls.call(ChannelFunctions.OPEN_WRITER, fabric, node, number, timeoutNs, at)));
  }

  /** From here on what waits for somebody ends: the fabric is about to close. */
  void closing() {
    isClosing = true;
  }

  boolean isClosing() {
    return isClosing;
  }

  Connections openConnections(MemorySegment fabric, long ringBytes) {
    checkRing(ringBytes);
    Connections opened =
        new Connections(
            this,
            Handle.make(
                "a node's connections",
                ChannelFunctions.FREE_CONNECTIONS,
                at -> Calls.call(ChannelFunctions.OPEN_CONNECTIONS, fabric, ringBytes, at)));
    connections.add(opened);
    return opened;
  }

  private static void checkNumber(int number) {
    Limits.within("the number of the channel", number, 0, Channel.MOST_NUMBER);
  }

  private static void checkRing(long bytes) {
    boolean isPower = Long.bitCount(bytes) == 1;
    if (!isPower || bytes < LEAST_RING_BYTES || bytes > MOST_RING_BYTES) {
      throw new IllegalArgumentException(
          "a ring of "
              + bytes
              + " bytes: its size is a power of two from "
              + LEAST_RING_BYTES
              + " to "
              + MOST_RING_BYTES);
    }
  }

  /** By who keeps the fabric open: one that C has made. */
  ChannelReader reader(String channel, MemorySegment made) {
    ChannelReader reader = new ChannelReader(this, channel, made);
    ends.add(reader);
    return reader;
  }

  /** Likewise. */
  ChannelWriter writer(String channel, MemorySegment made) {
    ChannelWriter writer = new ChannelWriter(this, channel, made);
    ends.add(writer);
    return writer;
  }

  void forget(Channel closed) {
    ends.remove(closed);
  }

  void forget(Connections closed) {
    connections.remove(closed);
  }

  /** When nobody opens any more. Whoever accepts makes ends until connections are closed. */
  void closeAll() {
    connections.forEach(Connections::close);
    ends.forEach(Channel::closeForSure);
  }
}
