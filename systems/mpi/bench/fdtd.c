// SPDX-License-Identifier: Apache-2.0
//
// The plane of io.verbena.examples.Fdtd, by another MPI:
//
//   mpicc -O3 fdtd.c -lm -o fdtd
//   mpirun -n 4 ./fdtd [CELLS [STEPS]]
//
// The same arithmetic in the same order, the same messages: the energy is the same but for the last
// digits of exp(), and the times can be held against each other.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELECTRIC = 1, MAGNETIC = 2 };
static const double COURANT = 0.5;

static int ranks, rank;
static int cells, width;     // a row has one value more than cells
static int first_row, rows;  // of this rank
static int above, below;
static double *ez, *hx, *hy;  // as in Fdtd.java: ez has the row below, hy the one above

static int first_row_of(int of) {
  return (int)((long)cells * of / ranks);
}

static double* field(int row_count) {
  double* made = calloc((size_t)row_count * (size_t)width, sizeof(double));
  if (made == NULL) {
    fprintf(stderr, "fdtd: no memory for %d rows of %d values\n", row_count, width);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return made;
}

static double* row(double* of, int number) {
  return of + (size_t)number * (size_t)width;
}

static void magnetic(int from, int to) {
  for (int i = from; i < to; i++) {
    const double* restrict e = row(ez, i);
    const double* restrict next_row = row(ez, i + 1);
    double* restrict x = row(hx, i);
    double* restrict y = row(hy, i + 1);
    for (int j = 0; j < cells; j++) {
      x[j] -= COURANT * (e[j + 1] - e[j]);
      y[j] += COURANT * (next_row[j] - e[j]);
    }
  }
}

static void electric(int from, int to) {
  for (int i = from; i < to; i++) {
    if (first_row + i == 0) continue;
    double* restrict e = row(ez, i);
    const double* restrict x = row(hx, i);
    const double* restrict y = row(hy, i + 1);
    const double* restrict former_row = row(hy, i);
    for (int j = 1; j < cells; j++) {
      e[j] += COURANT * ((y[j] - former_row[j]) - (x[j] - x[j - 1]));
    }
  }
}

static void excite(int step) {
  int at = cells / 2 - first_row;
  if (at >= 0 && at < rows) {
    double time = (step - 30) / 10.0;
    row(ez, at)[cells / 2] += exp(-time * time);
  }
}

static void one_step(int step) {
  MPI_Request both[2];
  MPI_Isend(row(ez, 0), width, MPI_DOUBLE, above, ELECTRIC, MPI_COMM_WORLD, &both[0]);
  MPI_Irecv(row(ez, rows), width, MPI_DOUBLE, below, ELECTRIC, MPI_COMM_WORLD, &both[1]);
  magnetic(0, rows - 1);
  MPI_Wait(&both[1], MPI_STATUS_IGNORE);
  magnetic(rows - 1, rows);
  MPI_Wait(&both[0], MPI_STATUS_IGNORE);

  MPI_Isend(row(hy, rows), width, MPI_DOUBLE, below, MAGNETIC, MPI_COMM_WORLD, &both[0]);
  MPI_Irecv(row(hy, 0), width, MPI_DOUBLE, above, MAGNETIC, MPI_COMM_WORLD, &both[1]);
  electric(1, rows);
  MPI_Wait(&both[1], MPI_STATUS_IGNORE);
  electric(0, 1);
  MPI_Wait(&both[0], MPI_STATUS_IGNORE);
  excite(step);
}

static double energy(void) {
  double* own = calloc((size_t)rows, sizeof(double));
  double* whole = calloc((size_t)cells, sizeof(double));
  int* counts = calloc((size_t)ranks, sizeof(int));
  int* places = calloc((size_t)ranks, sizeof(int));
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cells; j++) own[i] += row(ez, i)[j] * row(ez, i)[j];
  }
  for (int each = 0; each < ranks; each++) {
    places[each] = first_row_of(each);
    counts[each] = first_row_of(each + 1) - places[each];
  }
  MPI_Gatherv(own, rows, MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  double sum = 0;
  for (int i = 0; i < cells; i++) sum += whole[i];
  free(own);
  free(whole);
  free(counts);
  free(places);
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cells = argc > 1 ? atoi(argv[1]) : 512;
  int steps = argc > 2 ? atoi(argv[2]) : 200;
  if (cells < ranks) {
    fprintf(stderr, "fdtd: %d rows for %d ranks: each needs one\n", cells, ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  width = cells + 1;
  first_row = first_row_of(rank);
  rows = first_row_of(rank + 1) - first_row;
  above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
  ez = field(rows + 1);
  hx = field(rows);
  hy = field(rows + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  double since = MPI_Wtime();
  for (int step = 0; step < steps; step++) one_step(step);
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = MPI_Wtime() - since;
  double total = energy();
  if (rank == 0) {
    printf("%d x %d cells, %d steps: energy %.17g\n", cells, cells, steps, total);
    printf("%d ranks, %.3f s\n", ranks, seconds);
  }
  MPI_Finalize();
  return 0;
}
