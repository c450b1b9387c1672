// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.time.Duration;

/**
 * What numbers that callers give may be. C takes most of them unsigned, so one below zero has to be
 * refused before: it would be a great one there. Refusals name value and limit. None of it
 * allocates unless it refuses.
 */
final class Limits {

  /** Of a node that somebody numbers; peers that nobody numbers have greater ids. */
  static final int MOST_NODE = 65_535;

  private Limits() {}

  /** The id of a node that is opened here. */
  static int ownNode(int id) {
    return within("the id of a node", id, 0, MOST_NODE);
  }

  /** The id of another node. */
  static int peer(int id) {
    return within("the id of a node", id, 0, Integer.MAX_VALUE);
  }

  static int within(String what, int number, int least, int most) {
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          what + " is " + number + "; it may be " + least + " to " + most);
    }
    return number;
  }

  static int atLeast(String what, int number, int least) {
    atLeast(what, (long) number, least);
    return number;
  }

  static long atLeast(String what, long number, long least) {
    if (number < least) {
      throw new IllegalArgumentException(what + " is " + number + "; it must be at least " + least);
    }
    return number;
  }

  /** Where an operation works, and on how much. */
  static void bounds(long localOffset, long offset, long length) {
    atLeast("the offset in the local region", localOffset, 0);
    atLeast("the offset in what the key names", offset, 0);
    atLeast("the length", length, 0);
  }

  static Duration positive(String what, Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(what + " is " + time + "; it must be more than 0");
    }
    return time;
  }
}
