// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of a buffer a datatype takes, in the order in which they travel (MPI 4.1, section
 * 5.1): runs of equal blocks at equal distances. Neighbouring elements are one block, and blocks of
 * equal length and distance one run, so most types are one run. Immutable.
 *
 * @param size how many elements there are
 * @param lb the lower bound, in elements
 * @param ub the upper bound
 * @param hasLb whether {@code lb} was set by MPI.LB
 * @param hasUb whether {@code ub} was set by MPI.UB
 * @param lowest the first element that is touched; 0 if none is
 * @param highest the one behind the last; 0 if none is
 */
record TypeMap(
    List<Run> runs,
    long size,
    long lb,
    long ub,
    boolean hasLb,
    boolean hasUb,
    long lowest,
    long highest) {

  /** One element. */
  static final TypeMap ELEMENT =
      new TypeMap(List.of(new Run(0, 1, 1, 1)), 1, 0, 1, false, false, 0, 1);

  /** A mark that sets the lower bound where it stands. */
  static final TypeMap LOWER = new TypeMap(List.of(), 0, 0, 0, true, false, 0, 0);

  /** A mark that sets the upper bound where it stands. */
  static final TypeMap UPPER = new TypeMap(List.of(), 0, 0, 0, false, true, 0, 0);

  /**
   * Blocks of equal length at equal distances.
   *
   * @param first where the first one begins
   * @param length of each
   * @param stride from each to the next
   * @param blocks how many
   */
  record Run(long first, long length, long stride, long blocks) {

    long elements() {
      return length * blocks;
    }

    long lastBlock() {
      return first + (blocks - 1) * stride;
    }

    Run shifted(long by) {
      return new Run(first + by, length, stride, blocks);
    }

    /** Both as one, if they are; else null. */
    static @Nullable Run joined(Run one, Run other) {
      if (one.length != other.length) {
        return null;
      }
      long distance = other.first - one.lastBlock();
      boolean fits =
          (one.blocks == 1 || one.stride == distance)
              && (other.blocks == 1 || other.stride == distance);
      return fits ? new Run(one.first, one.length, distance, one.blocks + other.blocks) : null;
    }
  }

  long extent() {
    return ub - lb;
  }

  /** Whether several of them, one behind the other, have no gaps, and are in ascending order. */
  boolean isDense() {
    return runs.size() == 1 && runs.getFirst().blocks() == 1 && size == extent();
  }

  /** The places of all elements that {@code count} of them take, in the order of the message. */
  int[] elements(int offset, int count) {
    int[] places = new int[Math.toIntExact(size * count)];
    int next = 0;
    for (int i = 0; i < count; i++) {
      for (Run run : runs) {
        for (long block = 0; block < run.blocks(); block++) {
          long first = offset + i * extent() + run.first() + block * run.stride();
          for (long element = 0; element < run.length(); element++) {
            places[next++] = (int) (first + element);
          }
        }
      }
    }
    return places;
  }

  /** Puts a type together of others. */
  static final class Builder {

    private final List<Run> runs = new ArrayList<>();
    private long blockFirst; // what has not been put into a run yet
    private long blockLength;
    private long size;
    private long lb = Long.MAX_VALUE;
    private long ub = Long.MIN_VALUE;
    private boolean hasLb;
    private boolean hasUb;
    private long lowest = Long.MAX_VALUE;
    private long highest = Long.MIN_VALUE;

    /** Adds {@code count} of a type, one behind the other. */
    Builder add(TypeMap type, long displacement, long count) {
      if (count == 0) {
        return this;
      }
      size += type.size * count;
      MPIException.check(
          size <= Integer.MAX_VALUE, "a datatype of %d elements; 2^31 - 1 is most", size);
      long last = displacement + (count - 1) * type.extent();
      bound(type, displacement);
      bound(type, last);
      if (type.size > 0) {
        lowest = Math.min(lowest, Math.min(displacement, last) + type.lowest);
        highest = Math.max(highest, Math.max(displacement, last) + type.highest);
      }
      if (type.isDense()) {
        block(displacement + type.runs.getFirst().first(), count * type.size);
      } else if (type.size > 0) {
        for (long i = 0; i < count; i++) {
          runs(type, displacement + i * type.extent());
        }
      }
      return this;
    }

    /** Marks win over what only lies there, the farthest of them. */
    private void bound(TypeMap type, long displacement) {
      if (type.size == 0 && !type.hasLb && !type.hasUb) {
        return;
      }
      long low = displacement + type.lb;
      long high = displacement + type.ub;
      if (isMarkOf(type.hasUb, type.hasLb, type.size)) {
        // an upper mark alone says nothing of the lower bound
      } else if (type.hasLb == hasLb) {
        lb = Math.min(lb, low);
      } else if (type.hasLb) {
        lb = low;
        hasLb = true;
      }
      if (isMarkOf(type.hasLb, type.hasUb, type.size)) {
        // and the other way round
      } else if (type.hasUb == hasUb) {
        ub = Math.max(ub, high);
      } else if (type.hasUb) {
        ub = high;
        hasUb = true;
      }
    }

    private static boolean isMarkOf(boolean hasOther, boolean hasThis, long elements) {
      return hasOther && !hasThis && elements == 0;
    }

    private void runs(TypeMap type, long displacement) {
      for (Run run : type.runs) {
        if (run.blocks() == 1) {
          block(displacement + run.first(), run.length());
        } else {
          endBlock();
          run(run.shifted(displacement));
        }
      }
    }

    private void block(long first, long length) {
      if (length == 0) {
        return;
      }
      if (blockLength > 0 && first == blockFirst + blockLength) {
        blockLength += length;
      } else {
        endBlock();
        blockFirst = first;
        blockLength = length;
      }
    }

    private void endBlock() {
      if (blockLength > 0) {
        run(new Run(blockFirst, blockLength, blockLength, 1));
        blockLength = 0;
      }
    }

    private void run(Run run) {
      Run joined = runs.isEmpty() ? null : Run.joined(runs.getLast(), run);
      if (joined == null) {
        runs.add(run);
      } else {
        runs.set(runs.size() - 1, joined);
      }
    }

    TypeMap build() {
      endBlock();
      long lower = lb == Long.MAX_VALUE ? Math.min(0, ub == Long.MIN_VALUE ? 0 : ub) : lb;
      long upper = ub == Long.MIN_VALUE ? Math.max(0, lower) : ub;
      boolean isEmpty = size == 0;
      return new TypeMap(
          List.copyOf(runs),
          size,
          lower,
          upper,
          hasLb,
          hasUb,
          isEmpty ? 0 : lowest,
          isEmpty ? 0 : highest);
    }
  }
}
