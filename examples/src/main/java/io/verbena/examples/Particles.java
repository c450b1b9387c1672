// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.mpi.Data;
import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.Reductions;
import io.verbena.mpi.World;
import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.Layout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Particles in a box whose sides meet, drawn to its middle: {@code ./verbena run -n 4 -- java …
 * Particles [PARTICLES [STEPS]]}.
 *
 * <p>Each rank has a slab of the box and the particles in it. After each step those that have left
 * it go to the ranks in whose slabs they are: how many, by an all-to-all, then themselves, by an
 * all-to-all of blocks of any length. Where a particle is depends on itself alone, so what comes
 * out is the same however many ranks there are.
 */
public final class Particles {

  /** Of a particle: its number, where it is, how fast. */
  private static final int NUMBERS = 5;

  private static final double STEP = 0.01;

  private final Intracommunicator all;
  private double[] own; // NUMBERS of each, of those that are here
  private int count;
  private long moved; // to other ranks

  private Particles(Intracommunicator all, int count) {
    this.all = all;
    this.own = new double[NUMBERS * Math.max(1, count)];
    fill(count);
  }

  /** Runs one rank. */
  public static void main(String[] arguments) throws InterruptedException {
    int particles = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    try (World world = World.open()) {
      Intracommunicator all = world.communicator();
      Particles here = new Particles(all, particles);
      all.barrier();
      long sinceNs = System.nanoTime();
      for (int step = 0; step < steps; step++) {
        here.move();
        here.exchange();
      }
      all.barrier();
      here.tell(particles, steps, (System.nanoTime() - sinceNs) / 1e9);
    }
  }

  /** All ranks make all particles, and keep their own. */
  private void fill(int particles) {
    SplittableRandom random = new SplittableRandom(20_110_000);
    for (int number = 0; number < particles; number++) {
      double[] each = {
        number,
        random.nextDouble(),
        random.nextDouble(),
        random.nextDouble(-1, 1),
        random.nextDouble(-1, 1)
      };
      if (ownerOf(each[1]) == all.rank()) {
        System.arraycopy(each, 0, own, NUMBERS * count++, NUMBERS);
      }
    }
  }

  private int ownerOf(double x) {
    return Math.min((int) (x * all.size()), all.size() - 1);
  }

  private void move() {
    for (int at = 0; at < NUMBERS * count; at += NUMBERS) {
      for (int axis = 1; axis <= 2; axis++) {
        own[at + axis + 2] += STEP * (0.5 - own[at + axis]);
        double moved = own[at + axis] + STEP * own[at + axis + 2];
        own[at + axis] = moved - Math.floor(moved);
      }
    }
  }

  private void exchange() throws InterruptedException {
    int[] leaving = new int[all.size()];
    for (int at = 0; at < NUMBERS * count; at += NUMBERS) {
      leaving[ownerOf(own[at + 1])]++;
    }
    moved += count - leaving[all.rank()];
    double[] sorted = byOwner(leaving);
    int[] coming = new int[all.size()];
    all.alltoall(single(leaving), single(coming));
    count = Arrays.stream(coming).sum();
    own = new double[NUMBERS * Math.max(1, count)];
    all.alltoallv(parts(sorted, leaving), parts(own, coming));
  }

  /** The particles here, those of a rank behind those of the rank before. */
  private double[] byOwner(int[] leaving) {
    int[] next = new int[all.size()];
    for (int rank = 1; rank < next.length; rank++) {
      next[rank] = next[rank - 1] + leaving[rank - 1];
    }
    double[] sorted = new double[own.length];
    for (int at = 0; at < NUMBERS * count; at += NUMBERS) {
      int to = next[ownerOf(own[at + 1])]++;
      System.arraycopy(own, at, sorted, NUMBERS * to, NUMBERS);
    }
    return sorted;
  }

  private static Blocks single(int[] ofRanks) {
    return Blocks.equal(MemorySegment.ofArray(ofRanks), ofRanks.length);
  }

  private static Blocks parts(double[] particles, int[] counts) {
    Layout[] layouts = new Layout[counts.length];
    int from = 0;
    for (int rank = 0; rank < layouts.length; rank++) {
      layouts[rank] = Data.section(particles, NUMBERS * from, NUMBERS * counts[rank]);
      from += counts[rank];
    }
    return Blocks.of(layouts);
  }

  private void tell(int particles, int steps, double seconds) throws InterruptedException {
    long[] sums = {count, 0, moved};
    for (int at = 0; at < NUMBERS * count; at += NUMBERS) {
      sums[1] += Arrays.hashCode(Arrays.copyOfRange(own, at, at + NUMBERS));
    }
    all.allreduce(null, Data.of(sums), Reductions.longs(Long::sum));
    if (all.rank() == 0) {
      System.out.printf(
          "%d of %d particles, %d steps: %016x%n", sums[0], particles, steps, sums[1]);
      System.out.printf("%d ranks, %d moves between them, %.3f s%n", all.size(), sums[2], seconds);
    }
  }
}
