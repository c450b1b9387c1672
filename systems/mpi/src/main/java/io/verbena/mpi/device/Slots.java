// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests that a peer knows by number. A number is not given again before four thousand million
 * others of its place, so what comes late finds nobody. Any thread.
 */
final class Slots<T> {

  /** No request's number. */
  static final long NONE = 0;

  private static final int PLACE_BITS = 32;

  private @Nullable Object[] members = new Object[8];
  private int[] turns = new int[8]; // of each place: how often it was given
  private int[] free = new int[8]; // a stack of places
  private int used; // places that were ever given
  private int freed;
  private boolean closed;

  /** Gives a number to a request; {@link #NONE} once this is closed. */
  synchronized long put(T member) {
    if (closed) {
      return NONE;
    }
    int place = freed > 0 ? free[--freed] : newPlace();
    members[place] = member;
    turns[place]++;
    return number(place);
  }

  private int newPlace() {
    if (used == members.length) {
      members = Arrays.copyOf(members, 2 * used);
      turns = Arrays.copyOf(turns, 2 * used);
      free = Arrays.copyOf(free, 2 * used);
    }
    return used++;
  }

  private long number(int place) {
    return ((long) place + 1) << PLACE_BITS | (turns[place] & 0xffff_ffffL);
  }

  /** The request of this number; null if there is none now. */
  @SuppressWarnings("unchecked") // only members of this type are put there
  synchronized @Nullable T get(long number) {
    long place = (number >>> PLACE_BITS) - 1;
    boolean isThere = place >= 0 && place < used && number(Math.toIntExact(place)) == number;
    return isThere ? (T) members[Math.toIntExact(place)] : null;
  }

  /** Takes the request of this number out; null if there is none now, as when somebody else has. */
  synchronized @Nullable T take(long number) {
    T member = get(number);
    if (member != null) {
      int place = (int) ((number >>> PLACE_BITS) - 1);
      members[place] = null;
      free[freed++] = place;
    }
    return member;
  }

  /** Whether nobody has a number. */
  synchronized boolean isEmpty() {
    return freed == used;
  }

  /** Takes all out and takes none in any more. */
  @SuppressWarnings("unchecked") // as above
  synchronized List<T> close() {
    closed = true;
    List<T> all = new ArrayList<>();
    for (Object member : members) {
      if (member != null) {
        all.add((T) member);
      }
    }
    Arrays.fill(members, null);
    return all;
  }
}
