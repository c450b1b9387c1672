// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.TypedSender;
import java.lang.foreign.MemorySegment;

/**
 * How one message after the other, of one type and of fixed length, gets its room in a lane. The
 * senders that {@link MessageCodec#typedSender} makes take these steps. By one thread at a time.
 */
public interface MessageTurn {

  /**
   * Claims room for a message, waiting for it if need be; {@link #publish} or {@link #abort}
   * follows.
   *
   * @return where the message's body begins in {@link #segment}
   */
  long begin();

  /** What is written to. It is not freed before the turn is over. */
  MemorySegment segment();

  /** The message is written. */
  void publish(long at);

  /** The message could not be written: nobody sees it. */
  void abort(long at);

  /** A sender that takes turns; the generated ones say how a record is written. */
  abstract class Taker implements TypedSender<Record> {

    /** Those of the lane. */
    protected final MessageTurn turn;

    /** Makes one of the lane that gives the turns. */
    protected Taker(MessageTurn turn) {
      this.turn = turn;
    }
  }
}
