/* SPDX-License-Identifier: Apache-2.0
 *
 * heat.c: how warm a plate gets whose edges are held at x + y, by Jacobi's method. Each PE has some
 * rows, and room for one more of each neighbour's. Neighbours put theirs with a signal, so a PE
 * waits for its neighbours and for nobody else.
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define N 62
#define WIDTH (N + 2)
#define LEAST 1e-7 /* change, at which it is warm */
#define MOST_STEPS 20000

static uint64_t from_above, from_below; /* how many rows have come */
static double change, largest;

static double edge(int row, int column) {
  return (double)(row + column) / (N + 1);
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int room = (N + shmem_n_pes() - 1) / shmem_n_pes();
  int first = 1 + me * room; /* row of the plate */
  int rows = N + 1 - first < room ? N + 1 - first : room;
  if (rows < 0) rows = 0;
  int above = rows > 0 && me > 0 ? me - 1 : -1;
  int below = rows > 0 && first + rows <= N ? me + 1 : -1;
  size_t cells = (size_t)(room + 2) * WIDTH;
  double* now = shmem_calloc(cells, sizeof *now);
  double* next = shmem_calloc(cells, sizeof *next);
  for (int row = 0; row < rows + 2; row++) {
    for (int column = 0; column < WIDTH; column++) {
      int plate = first - 1 + row;
      int is_edge = plate == 0 || plate == N + 1 || column == 0 || column == N + 1;
      now[row * WIDTH + column] = next[row * WIDTH + column] = is_edge ? edge(plate, column) : 0;
    }
  }

  uint64_t step = 0;
  largest = 1;
  while (largest > LEAST && step < MOST_STEPS) {
    step++;
    change = 0;
    for (int row = 1; row <= rows; row++) {
      for (int column = 1; column <= N; column++) {
        double* cell = &now[row * WIDTH + column];
        double value = (cell[-1] + cell[1] + cell[-WIDTH] + cell[WIDTH]) / 4;
        change = fmax(change, fabs(value - *cell));
        next[row * WIDTH + column] = value;
      }
    }
    /* A neighbour's rows lie behind its last one; a PE above has as many as there is room for. */
    if (above >= 0) {
      shmem_put_signal(&next[(room + 1) * WIDTH], &next[WIDTH], WIDTH, &from_below, step,
                       SHMEM_SIGNAL_SET, above);
    }
    if (below >= 0) {
      shmem_put_signal(next, &next[rows * WIDTH], WIDTH, &from_above, step, SHMEM_SIGNAL_SET,
                       below);
    }
    if (above >= 0) shmem_wait_until(&from_above, SHMEM_CMP_GE, step);
    if (below >= 0) shmem_wait_until(&from_below, SHMEM_CMP_GE, step);
    double* swap = now;
    now = next;
    next = swap;
    if (step % 100 == 0) shmem_max_reduce(SHMEM_TEAM_WORLD, &largest, &change, 1);
  }

  /* On a plate like this every place ends as x + y. */
  change = 0;
  for (int row = 1; row <= rows; row++) {
    for (int column = 1; column <= N; column++) {
      change = fmax(change, fabs(now[row * WIDTH + column] - edge(first - 1 + row, column)));
    }
  }
  shmem_max_reduce(SHMEM_TEAM_WORLD, &largest, &change, 1);
  int is_right = largest < 1e-3;
  if (me == 0)
    printf("after %d steps no place is off by more than %.6f: %s\n", (int)step, largest,
           is_right ? "right" : "wrong");
  shmem_finalize();
  return is_right ? 0 : 1;
}
