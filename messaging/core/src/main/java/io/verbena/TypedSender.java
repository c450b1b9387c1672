// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * An exclusive lane, for records of one type: see {@link Sender#typed}. Used by one thread at a
 * time, as the sender it comes from; both write to the same lane, in the order of the calls.
 *
 * <p>The way of a record to the lane is code made for its type. Where the JIT inlines it, a record
 * that is built for the call alone is never created: its components go to the lane at once.
 *
 * @param <T> the type
 */
@FunctionalInterface
public interface TypedSender<T extends Record> {

  /** As {@link Sender#send}. */
  void send(T message);
}
