// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Grids for a number of processes: {@code MPI_Dims_create} (MPI 4.1, section 8.5.2). */
public final class Dimensions {

  private Dimensions() {}

  /**
   * Chooses those dimensions that are 0, so that all multiply to the number of processes. They are
   * in descending order, and as close to each other as can be: the largest is as small as it can
   * be, then the next one.
   *
   * @param given the dimensions; those that are not 0 stay
   * @return all of them
   * @throws IllegalArgumentException if there are no such numbers, or one is negative
   */
  public static int[] create(int processes, int... given) {
    int[] dims = given.clone();
    int[] open = IntStream.range(0, dims.length).filter(i -> dims[i] == 0).toArray();
    int[] chosen = new int[open.length];
    int left = left(processes, given);
    if (!choose(left, divisors(left), chosen, 0, left)) {
      throw none(processes, given);
    }
    for (int i = 0; i < open.length; i++) {
      dims[open[i]] = chosen[i];
    }
    return dims;
  }

  /** What the dimensions that are open have to multiply to. */
  private static int left(int processes, int... given) {
    int left = processes;
    for (int dim : given) {
      if (left < 1 || dim < 0 || (dim > 0 && left % dim != 0)) {
        throw none(processes, given);
      }
      left /= Math.max(dim, 1);
    }
    if (left < 1) {
      throw none(processes, given);
    }
    return left;
  }

  private static IllegalArgumentException none(int processes, int... given) {
    return new IllegalArgumentException(
        "no grid of %d processes has the dimensions %s, in which 0 is to be chosen"
            .formatted(processes, Arrays.toString(given)));
  }

  private static int[] divisors(int of) {
    return IntStream.rangeClosed(1, (int) Math.sqrt(of))
        .filter(small -> of % small == 0)
        .flatMap(small -> IntStream.of(small, of / small))
        .sorted()
        .distinct()
        .toArray();
  }

  /**
   * Chooses the dimensions from {@code place} on, none above {@code most}; whether it can be done.
   */
  private static boolean choose(int product, int[] divisors, int[] into, int place, int most) {
    int open = into.length - place;
    if (open == 0) {
      return product == 1;
    }
    for (int dim : divisors) {
      if (dim > most) {
        return false;
      }
      if (product % dim == 0 && Math.pow(dim, open) > product - 0.5) {
        into[place] = dim;
        if (choose(product / dim, divisors, into, place + 1, dim)) {
          return true;
        }
      }
    }
    return false;
  }
}
