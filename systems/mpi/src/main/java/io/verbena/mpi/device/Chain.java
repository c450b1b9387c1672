// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import org.jspecify.annotations.Nullable;

/**
 * A list whose members know their places, so that each leaves it in constant time. Not for several
 * threads at once.
 */
final class Chain<T> {

  /** A member's place: in one chain at a time, or in none. */
  static final class Place<T> {
    final T member;
    private @Nullable Chain<T> chain;
    private @Nullable Place<T> before;
    private @Nullable Place<T> next;

    Place(T member) {
      this.member = member;
    }

    @Nullable Place<T> next() {
      return next;
    }

    boolean isLinked() {
      return chain != null;
    }
  }

  private @Nullable Place<T> first;
  private @Nullable Place<T> last;

  @Nullable Place<T> first() {
    return first;
  }

  boolean isEmpty() {
    return first == null;
  }

  void add(Place<T> place) {
    Place<T> end = last;
    place.chain = this;
    place.before = end;
    last = place;
    if (end == null) {
      first = place;
    } else {
      end.next = place;
    }
  }

  /** Takes a member out of the chain that it is in. */
  static <T> void remove(Place<T> place) {
    Chain<T> from = place.chain;
    if (from == null) {
      return;
    }
    Place<T> before = place.before;
    Place<T> next = place.next;
    if (before == null) {
      from.first = next;
    } else {
      before.next = next;
    }
    if (next == null) {
      from.last = before;
    } else {
      next.before = before;
    }
    place.chain = null;
    place.before = null;
    place.next = null;
  }
}
