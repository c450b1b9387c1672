// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.RankLostException;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A member's ear for losses that do not concern it directly: the device says when a member has
 * failed, and members say to all others whom they have missed, which may have ended well, but too
 * early.
 */
final class Obituary {

  private static final int TAG = -1;
  private static final int MOST_BYTES = 512;

  private final Device device;
  private final byte[] word = new byte[MOST_BYTES];
  private final ReceiveRequest receive;

  /** Begins to listen. */
  Obituary(Device device, Context context) {
    this.device = device;
    this.receive =
        device.irecv(context, Device.ANY_SOURCE, TAG, Layout.of(MemorySegment.ofArray(word)));
  }

  /**
   * Waits until a request is done.
   *
   * @throws RankLostException if it may never be, as a member is lost
   */
  void awaitInstead(Request request) throws InterruptedException {
    device.await(request, receive);
    if (!request.isDone()) {
      receive.check();
      throw loss();
    }
  }

  private RankLostException loss() {
    if (!receive.isDone()) {
      throw new IllegalStateException("the node was closed during a collective call");
    }
    return said();
  }

  private RankLostException said() {
    MemorySegment said = MemorySegment.ofArray(word);
    int rank = said.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
    int length = (int) receive.status().bytes();
    String reason = new String(word, Integer.BYTES, length - Integer.BYTES, StandardCharsets.UTF_8);
    return new RankLostException(rank, reason, null);
  }

  /** Listens no more; returns what it has heard. */
  @Nullable RankLostException close() {
    if (!receive.isDone() && device.cancel(receive)) {
      return null;
    }
    return heard();
  }

  /** The loss that it knows of by now. */
  @Nullable RankLostException heard() {
    if (!receive.isDone()) {
      return null;
    }
    return receive.failure() instanceof RankLostException known ? known : said();
  }

  /**
   * Tells other members that one is lost: those at distance 1, 2, 4, … in both directions, who tell
   * others when they end their call, so all hear of it by few messages each. Waits for nobody.
   */
  static void tell(Device device, Context context, int self, RankLostException loss) {
    Layout word = word(loss);
    int size = context.size();
    for (int distance = 1; distance < size; distance *= 2) {
      for (int to : new int[] {(self + distance) % size, (self + size - distance) % size}) {
        if (context.rankOf(to) != loss.rank()) {
          device.isend(context, to, TAG, word);
        }
      }
    }
  }

  private static Layout word(RankLostException loss) {
    byte[] text = String.valueOf(loss.getMessage()).getBytes(StandardCharsets.UTF_8);
    int length = Math.min(MOST_BYTES - Integer.BYTES, text.length);
    MemorySegment word = MemorySegment.ofArray(new byte[Integer.BYTES + length]);
    word.set(ValueLayout.JAVA_INT_UNALIGNED, 0, loss.rank());
    MemorySegment.copy(MemorySegment.ofArray(text), 0, word, Integer.BYTES, length);
    return Layout.of(word);
  }
}
