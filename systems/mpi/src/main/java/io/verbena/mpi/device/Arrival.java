// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A message that has come before its receive. */
final class Arrival {

  final Chain.Place<Arrival> placeOfSource = new Chain.Place<>(this);
  final Chain.Place<Arrival> placeOfContext = new Chain.Place<>(this);

  private final Head head;
  private final @Nullable MemorySegment body;
  private final @Nullable SendRequest own;

  private Arrival(Head head, @Nullable MemorySegment body, @Nullable SendRequest own) {
    this.head = head;
    this.body = body;
    this.own = own;
  }

  /** A message whose bytes are here, in memory of its own. */
  static Arrival whole(Head head, MemorySegment body) {
    return new Arrival(head, body, null);
  }

  /** A message whose bytes are still with its sender, another rank. */
  static Arrival announced(Head head) {
    return new Arrival(head, null, null);
  }

  /** A message of this rank itself, still in the memory of its sender. */
  static Arrival own(Head head, SendRequest send) {
    return new Arrival(head, null, send);
  }

  Head head() {
    return head;
  }

  int contextId() {
    return head.contextId();
  }

  int source() {
    return head.source();
  }

  int tag() {
    return head.tag();
  }

  /** Its bytes; null if they are still with the sender. */
  @Nullable MemorySegment body() {
    return body;
  }

  @Nullable SendRequest own() {
    return own;
  }
}
