// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.mpi.Communicator;
import io.verbena.mpi.Data;
import io.verbena.mpi.Intracommunicator;
import io.verbena.mpi.World;
import io.verbena.mpi.collective.Blocks;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import java.lang.foreign.MemorySegment;

/**
 * An electromagnetic wave in a plane with walls that conduct, by finite differences in the time
 * domain (Yee's scheme): {@code ./verbena run -n 4 -- java … Fdtd [CELLS [STEPS]]}.
 *
 * <p>Each rank has rows of the plane. In each half of a step it needs a row of one neighbour, which
 * comes while it computes those that do not. The sum is one over all cells in their order, so it is
 * the same to the last bit however many ranks there are.
 */
public final class Fdtd {

  private static final double COURANT = 0.5;
  private static final int ELECTRIC = 1;
  private static final int MAGNETIC = 2;

  private final Intracommunicator all;
  private final int cells; // in a row, and rows of the plane
  private final int firstRow; // of this rank
  private final int rows;
  private final int above; // the rank that has the rows before
  private final int below;
  private final double[][] ez; // row `rows` is the first one of the rank below
  private final double[][] hx;
  private final double[][] hy; // row 0 is the last one of the rank above, the others are shifted

  private Fdtd(Intracommunicator all, int cells) {
    this.all = all;
    this.cells = cells;
    this.firstRow = firstRowOf(all.rank());
    this.rows = firstRowOf(all.rank() + 1) - firstRow;
    this.above = all.rank() == 0 ? Communicator.PROC_NULL : all.rank() - 1;
    this.below = all.rank() == all.size() - 1 ? Communicator.PROC_NULL : all.rank() + 1;
    this.ez = new double[rows + 1][cells + 1];
    this.hx = new double[rows][cells + 1];
    this.hy = new double[rows + 1][cells + 1];
  }

  private int firstRowOf(int rank) {
    return (int) ((long) cells * rank / all.size());
  }

  /** Runs one rank. */
  public static void main(String[] arguments) throws InterruptedException {
    int cells = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 512;
    int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
    try (World world = World.open()) {
      Intracommunicator all = world.communicator();
      if (cells < all.size()) {
        throw new IllegalArgumentException(
            "%d rows for %d ranks: each needs one".formatted(cells, all.size()));
      }
      Fdtd plane = new Fdtd(all, cells);
      all.barrier();
      long sinceNs = System.nanoTime();
      for (int step = 0; step < steps; step++) {
        plane.step(step);
      }
      all.barrier();
      double seconds = (System.nanoTime() - sinceNs) / 1e9;
      double energy = plane.energy();
      if (all.rank() == 0) {
        System.out.printf("%d x %d cells, %d steps: energy %.17g%n", cells, cells, steps, energy);
        System.out.printf("%d ranks, %.3f s%n", all.size(), seconds);
      }
    }
  }

  private void step(int step) throws InterruptedException {
    Request sent = all.isend(row(ez, 0), above, ELECTRIC);
    ReceiveRequest next = all.irecv(row(ez, rows), below, ELECTRIC);
    magnetic(0, rows - 1);
    all.await(next);
    magnetic(rows - 1, rows);
    all.await(sent);

    sent = all.isend(row(hy, rows), below, MAGNETIC);
    ReceiveRequest former = all.irecv(row(hy, 0), above, MAGNETIC);
    electric(1, rows);
    all.await(former);
    electric(0, 1);
    all.await(sent);
    excite(step);
  }

  private Layout row(double[][] field, int row) {
    return Data.of(field[row]);
  }

  private void magnetic(int from, int to) {
    for (int i = from; i < to; i++) {
      double[] e = ez[i];
      double[] nextRow = ez[i + 1];
      double[] x = hx[i];
      double[] y = hy[i + 1];
      for (int j = 0; j < cells; j++) {
        x[j] -= COURANT * (e[j + 1] - e[j]);
        y[j] += COURANT * (nextRow[j] - e[j]);
      }
    }
  }

  private void electric(int from, int to) {
    for (int i = from; i < to; i++) {
      if (firstRow + i == 0) {
        continue; // a wall
      }
      double[] e = ez[i];
      double[] x = hx[i];
      double[] y = hy[i + 1];
      double[] formerRow = hy[i];
      for (int j = 1; j < cells; j++) {
        e[j] += COURANT * ((y[j] - formerRow[j]) - (x[j] - x[j - 1]));
      }
    }
  }

  /** A pulse in the middle of the plane. */
  private void excite(int step) {
    int row = cells / 2 - firstRow;
    if (row >= 0 && row < rows) {
      double time = (step - 30) / 10.0;
      ez[row][cells / 2] += Math.exp(-time * time);
    }
  }

  /** Of the electric field; the same number at rank 0 for any number of ranks, else nothing. */
  private double energy() throws InterruptedException {
    double[] own = new double[rows];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < cells; j++) {
        own[i] += ez[i][j] * ez[i][j];
      }
    }
    if (all.rank() != 0) {
      all.gatherv(Data.of(own), null, 0);
      return Double.NaN;
    }
    double[] whole = new double[cells];
    all.gatherv(Data.of(own), rowsOfRanks(MemorySegment.ofArray(whole)), 0);
    double sum = 0;
    for (double each : whole) {
      sum += each;
    }
    return sum;
  }

  private Blocks rowsOfRanks(MemorySegment whole) {
    Layout[] blocks = new Layout[all.size()];
    for (int rank = 0; rank < blocks.length; rank++) {
      long from = 8L * firstRowOf(rank);
      blocks[rank] = Data.of(whole.asSlice(from, 8L * firstRowOf(rank + 1) - from));
    }
    return Blocks.of(blocks);
  }
}
