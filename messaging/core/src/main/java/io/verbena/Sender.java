// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;

/**
 * An exclusive lane: the fastest way to send much to one node. Used by one thread at a time,
 * without a lock. Nothing checks that; two threads in one sender at the same time can write to
 * memory that is freed and so end the process.
 *
 * <p>Messages go as records with {@link #send}, or as bytes written in place:
 *
 * <pre>{@code
 * long at = sender.claim(TICK, 24);            // waits for room
 * sender.segment().set(JAVA_LONG_UNALIGNED, at, price);
 * sender.commit();
 * }</pre>
 *
 * <p>In an inline handler nothing waits: where a lane is full, {@link #send} and {@link #claim}
 * throw {@link BackPressureException} there, and {@link #close} returns at once. Once the session
 * is over every method throws what ended it, {@link PeerLostException} or {@link
 * PeerRestartedException}, and {@link #segment()} may not be written any more ({@link
 * IllegalStateException}); open another sender.
 */
public interface Sender extends AutoCloseable {

  /** The node at the other end. */
  int to();

  /**
   * As {@link Node#send(int, Record)}, on this lane.
   *
   * @throws BackPressureException if the lane is full and the caller is an inline handler
   */
  void send(Record message);

  /**
   * This lane for records of one type: the fastest way to send records. It ends with this sender.
   *
   * @throws UnregisteredTypeException if the type is not registered
   */
  <T extends Record> TypedSender<T> typed(Class<T> type);

  /** As {@link Node#trySend}, on this lane. */
  SendResult trySend(Record message);

  /**
   * Claims room for a message whose bytes the caller writes; waits while the lane is full.
   *
   * @param typeId a registered type
   * @param length the message's bytes, 0 to {@link #maxClaim()}
   * @return the offset in {@link #segment()} to write to, a multiple of 8; all bytes are to be
   *     written, because what lies there is what earlier messages have left
   * @throws IllegalStateException if a claim is open
   * @throws UnregisteredTypeException if this node or the far one does not know the type
   * @throws BackPressureException if the lane is full and the caller is an inline handler
   */
  long claim(int typeId, int length);

  /** As {@link #claim}, but returns -1 instead of waiting. */
  long tryClaim(int typeId, int length);

  /**
   * A future that completes when {@link #tryClaim} of this length finds room, if nothing else is
   * sent on this lane before. Never waits. Called by whoever uses the sender; what is attached to
   * the future runs on a thread that receives as a rule, or on the calling one if there is room
   * already, so it uses the sender only if nobody else does at that time.
   *
   * <p>The future completes once: it fails with what ends the session, or with {@link
   * PeerLostException} if this sender is closed.
   *
   * @param length the message's bytes, 0 to {@link #maxClaim()}
   * @throws IllegalStateException if a claim is open or the sender is closed
   */
  CompletableFuture<Void> whenRoom(int length);

  /**
   * As {@link #whenRoom(int)}, for {@link #trySend} of a record.
   *
   * @throws MessageTooLargeException if it is larger than {@code message.max.bytes}, or {@link
   *     #trySend} never finds room for it in this lane
   * @throws UnregisteredTypeException if the message's class is not registered
   */
  CompletableFuture<Void> whenRoom(Record message);

  /** Publishes the claimed message. */
  void commit();

  /** Gives the claim up; nothing is sent. */
  void abort();

  /** The memory that claims are written to. */
  MemorySegment segment();

  /** The largest message in bytes that can be claimed. */
  int maxClaim();

  /**
   * Closes the lane once the peer has consumed it, and waits for that, while a broken link is
   * resumed too; the messages sent are not lost. Idempotent.
   */
  @Override
  void close();
}
