// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A space of messages of its own, as a communicator has: whom one may send to and receive from in
 * it, by numbers of its own. Messages of other contexts never match. All that talk in a context use
 * the same id; a message may arrive before the receiver has made its own side of it. Immutable.
 */
public final class Context {

  private final int id;
  private final int[] members;
  private final Map<Integer, Integer> numbers; // by rank; empty where each member is its own rank

  private Context(int id, int[] members) {
    this.id = id;
    this.members = members;
    this.numbers = isIdentity(members) ? Map.of() : numbers(members);
  }

  /**
   * Makes a context.
   *
   * @param id the same at all members, and of no other context that may have messages under way
   * @param members the rank of each in the job, in the order of their numbers here; of an
   *     intercommunicator those of the other group
   * @throws IllegalArgumentException if a rank is negative, or there twice
   */
  public static Context of(int id, int... members) {
    Context made = new Context(id, members.clone());
    if (!made.numbers.isEmpty() && made.numbers.size() != members.length) {
      throw new IllegalArgumentException("a rank twice among " + Arrays.toString(members));
    }
    return made;
  }

  /** A context of ranks 0 to {@code size - 1}, in which each has its own number. */
  public static Context ofAll(int id, int size) {
    int[] members = new int[size];
    Arrays.setAll(members, rank -> rank);
    return new Context(id, members);
  }

  private static boolean isIdentity(int[] members) {
    for (int i = 0; i < members.length; i++) {
      if (members[i] != i) {
        return false;
      }
    }
    return true;
  }

  private static Map<Integer, Integer> numbers(int[] members) {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int i = 0; i < members.length; i++) {
      if (members[i] < 0) {
        throw new IllegalArgumentException("rank " + members[i] + " among the members");
      }
      numbers.put(members[i], i);
    }
    return numbers;
  }

  /** What messages of this context carry. */
  public int id() {
    return id;
  }

  /** How many members there are. */
  public int size() {
    return members.length;
  }

  /**
   * The rank in the job of a member.
   *
   * @throws IllegalArgumentException if there is no such member
   */
  public int rankOf(int member) {
    if (member < 0 || member >= members.length) {
      throw new IllegalArgumentException(
          "there is no member %d in context %d: choose 0 to %d"
              .formatted(member, id, members.length - 1));
    }
    return members[member];
  }

  /**
   * The number here of a rank of the job; -1 if it is no member. {@link Device#PROC_NULL} is
   * itself.
   */
  public int memberOf(int rank) {
    if (rank < 0) {
      return rank;
    }
    if (numbers.isEmpty()) {
      return rank < members.length ? rank : -1;
    }
    return numbers.getOrDefault(rank, -1);
  }
}
