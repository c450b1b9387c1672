// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.Layout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One side of a call: a buffer with one message; or, in collective calls, with a part for each
 * member, which have their counts and places, or all as many, one behind the other.
 *
 * @param counts how many of the datatype each part has; null if all have {@code count}
 * @param places of the parts, in extents behind the offset; null if one lies behind the other
 */
record Side(
    @Nullable Object buffer,
    int offset,
    int count,
    int @Nullable [] counts,
    int @Nullable [] places,
    Datatype type,
    boolean isWritten) {

  /** What this member sends. */
  static Side from(@Nullable Object buffer, int offset, int count, Datatype type) {
    return new Side(buffer, offset, count, null, null, Datatype.usable(type), false);
  }

  /** Where this member receives. */
  static Side into(@Nullable Object buffer, int offset, int count, Datatype type) {
    return new Side(buffer, offset, count, null, null, Datatype.usable(type), true);
  }

  /** Parts with counts and places of their own. */
  Side withParts(int[] of, int[] at, int members) {
    int[] lengths = checkLength("counts", of, members);
    int[] places = checkLength("displacements", at, members);
    return new Side(buffer, offset, 0, lengths, places, type, isWritten);
  }

  private static int[] checkLength(String what, int @Nullable [] array, int members) {
    int[] given = MPIException.given(array, "array of " + what + " is null");
    MPIException.check(
        given.length >= members, "%d %s for %d members", given.length, what, members);
    return given;
  }

  /** How many of a datatype each member gets, and together no more than an array has. */
  static int[] counts(int @Nullable [] given, int members) {
    int[] counts = Arrays.copyOf(checkLength("counts", given, members), members);
    long all = 0;
    for (int count : counts) {
      MPIException.check(count >= 0, "count is %d, less than 0", count);
      all += count;
    }
    MPIException.check(all == (int) all, "counts of %d; 2147483647 is most", all);
    return counts;
  }

  /** Whether both begin at the same element: what is reduced lies where the result is to be. */
  boolean isAt(Side other) {
    return buffer == other.buffer && offset == other.offset;
  }

  private int countOf(int member) {
    return counts == null ? count : counts[member];
  }

  private int offsetOf(int member) {
    long place = places == null ? (long) member * count : places[member];
    long at = offset + place * type.map.extent();
    MPIException.check(
        at == (int) at || countOf(member) == 0, "a part of a buffer at offset %d", at);
    return (int) at;
  }

  /** The one part there is, as a message. */
  Layout layout() {
    return type.layout(buffer, offset, count, isWritten);
  }

  /** The part of each member, as messages. */
  Blocks blocks(int members) {
    Layout[] all = new Layout[members];
    for (int member = 0; member < members; member++) {
      all[member] = type.layout(buffer, offsetOf(member), countOf(member), isWritten);
    }
    return Blocks.of(all);
  }

  ObjectCollectives.Part part() {
    return new ObjectCollectives.Part(buffer, offset, count, type).checked();
  }

  ObjectCollectives.Part part(int member) {
    return new ObjectCollectives.Part(buffer, offsetOf(member), countOf(member), type).checked();
  }

  /** Checks all parts before anything is sent. */
  Side checked(int members) {
    for (int member = 0; member < members; member++) {
      ObjectCollectives.Part unused = part(member);
    }
    return this;
  }
}
