// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.FabricStructs;
import io.verbena.natives.Struct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link Link} has done since it began, whoever asked for it at this end: also for
 * operations of others than futures.
 *
 * @param peer the node at the other end
 * @param relinks links with this peer that ended before it; 0 of peers beyond the first 16,384 of
 *     those that somebody numbers, 0 to 65,535, and as many others
 * @param puts how many were begun, as of the next three
 * @param gets likewise
 * @param atomics likewise
 * @param flushes likewise
 * @param signals of puts
 * @param putBytes bytes of the puts
 * @param gotBytes bytes of the gets
 * @param byMapping operations that went by memory that both processes map
 * @param byDevice operations that went by the device
 * @param noRoom posts for which there was no room: they are tried again
 * @param refused posts that were refused
 * @param failed operations that ended otherwise than done
 */
public record LinkCounters(
    int peer,
    int relinks,
    long puts,
    long gets,
    long atomics,
    long flushes,
    long signals,
    long putBytes,
    long gotBytes,
    long byMapping,
    long byDevice,
    long noRoom,
    long refused,
    long failed) {

  private static final int FIRST_ROOM = 64;

  /**
   * Asks the library.
   *
   * @throws FabricException if the link is not there
   */
  static LinkCounters of(MemorySegment fabric, long link) {
    try (Arena scratch = Arena.ofConfined()) {
      Struct counters = Struct.allocate(FabricStructs.LINK_COUNTERS, scratch);
      Functions.check((int) Calls.call(Functions.LINK_COUNTERS, fabric, link, counters.memory()));
      return new LinkCounters(
          counters.getInt("peer"),
          counters.getInt("relinks"),
          counters.getLong("puts"),
          counters.getLong("gets"),
          counters.getLong("atomics"),
          counters.getLong("flushes"),
          counters.getLong("signals"),
          counters.getLong("put_bytes"),
          counters.getLong("got_bytes"),
          counters.getLong("by_mapping"),
          counters.getLong("by_device"),
          counters.getLong("no_room"),
          counters.getLong("refused"),
          counters.getLong("failed"));
    }
  }

  /** Of all links that are up. */
  static List<LinkCounters> ofAll(MemorySegment fabric) {
    return ofAll(fabric, FIRST_ROOM);
  }

  /** Likewise, with room for so many at first. */
  static List<LinkCounters> ofAll(MemorySegment fabric, int room) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment ids = scratch.allocate(ValueLayout.JAVA_LONG, room);
      int count = (int) Calls.call(Functions.LINKS, fabric, ids, room);
      return count == room
          ? ofAll(fabric, 2 * room) // there may be more, and nobody says how many
          : ofEach(fabric, ids.asSlice(0, count * Long.BYTES).toArray(ValueLayout.JAVA_LONG));
    }
  }

  private static List<LinkCounters> ofEach(MemorySegment fabric, long[] links) {
    List<LinkCounters> all = new ArrayList<>();
    for (long link : links) {
      try {
        all.add(of(fabric, link));
      } catch (FabricException e) {
        // it has just ended
      }
    }
    return all;
  }
}
