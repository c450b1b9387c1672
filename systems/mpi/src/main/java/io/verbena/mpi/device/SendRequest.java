// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A send. It is done when its memory may be used again; a synchronous one not before its receive is
 * there.
 */
public final class SendRequest extends Request {

  private final int to;
  private final int tag;
  private final Layout from;
  private final boolean isSynchronous;
  private final @Nullable Note note;

  // Once it was told to go; guarded by its outbox's turn.
  private long receiver;
  private long wanted;
  private long sent;

  private boolean wasWhole; // written before its number is given away, read by who has taken it

  /**
   * @param to a rank of the job
   */
  SendRequest(
      Context context, int to, int tag, Layout from, boolean isSynchronous, @Nullable Note note) {
    super(context);
    this.to = to;
    this.tag = tag;
    this.from = from;
    this.isSynchronous = isSynchronous;
    this.note = note;
  }

  int tag() {
    return tag;
  }

  Layout from() {
    return from;
  }

  long bytes() {
    return from.bytes();
  }

  boolean isSynchronous() {
    return isSynchronous;
  }

  @Nullable Note note() {
    return note;
  }

  /** Whether its bytes went with its head. */
  boolean wasWhole() {
    return wasWhole;
  }

  void wasWhole(boolean is) {
    wasWhole = is;
  }

  // ---------------------------------------------------------------- by pieces

  /**
   * Its receiver is there.
   *
   * @param number what the receiver calls its receive
   * @param bytes how much of the message it has room for
   */
  void go(long number, long bytes) {
    receiver = number;
    wanted = Math.min(bytes, from.bytes());
  }

  long receiver() {
    return receiver;
  }

  /** Where the next piece begins. */
  long sent() {
    return sent;
  }

  /** How long the next piece is. */
  int nextBytes(int mostBytes) {
    return (int) Math.min(mostBytes, wanted - sent);
  }

  void gatherNext(int bytes, MemorySegment into, long at) {
    from.gather(sent, bytes, into, at);
  }

  /** Returns whether that was the last piece. */
  boolean wasSent(int bytes) {
    sent += bytes;
    return sent == wanted;
  }

  @Override
  String call() {
    return isSynchronous ? "synchronous send" : "send";
  }

  @Override
  int peer() {
    return to;
  }

  @Override
  int wireTag() {
    return tag;
  }
}
