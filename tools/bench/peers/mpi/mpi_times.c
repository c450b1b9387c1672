// SPDX-License-Identifier: Apache-2.0
// What calls of MPI take: the same rounds as io.verbena.bench.mpi.Rounds makes, by the same orders, looked at in the same
// way (io.verbena.bench.mpi.Expectation).
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ORDER = 1, DATA = 2, CYCLE = 1000, NAME_BYTES = 32, SLEEP_NS = 10000000, MOST_RANKS = 1024 };

typedef struct {
  char operation[NAME_BYTES];  // empty for the end
  int size;
  int calls;
} order;

typedef struct {
  const char* name;
  bool has_block_for_each;
  bool has_block_of_each;
  bool is_of_root;
  bool is_for_root;
} operation;

static const operation OPERATIONS[] = {
    {"barrier", false, false, false, false},       {"bcast", false, false, true, false},
    {"gather", false, true, false, true},          {"scatter", true, false, true, false},
    {"allgather", false, true, false, false},      {"alltoall", true, true, false, false},
    {"reduce", false, false, false, true},         {"allreduce", false, false, false, false},
    {"reduce-scatter", true, false, false, false}, {"scan", false, false, false, false},
};
enum { COUNT = sizeof OPERATIONS / sizeof OPERATIONS[0] };

static int self;
static int ranks;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void* allocate(size_t bytes) {
  void* memory = calloc(1, bytes > 0 ? bytes : 1);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return memory;
}

static void wrong(const order* what, int at, double is, double wanted) {
  fprintf(stderr, "wrong answer: %s of %d bytes, rank %d: element %d is %g instead of %g\n", what->operation, what->size,
          self, at, is, wanted);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// ---- there and back ----

static MPI_Datatype type_of(int size) { return size >= 8 && size % 8 == 0 ? MPI_DOUBLE : MPI_BYTE; }

static int count_of(int size) { return type_of(size) == MPI_DOUBLE ? size / 8 : size; }

static char* filled(int size, bool is_odd) {
  char* memory = allocate((size_t)size);
  for (int i = 0; type_of(size) == MPI_DOUBLE && i < size / 8; i++) {
    ((double*)memory)[i] = is_odd ? -1.0 - i : 1.0 + i;
  }
  for (int i = 0; type_of(size) == MPI_BYTE && i < size; i++) {
    memory[i] = (char)(is_odd ? ~i : i);
  }
  return memory;
}

static void stamp_message(char* memory, int size, int number) {
  if (type_of(size) == MPI_DOUBLE) {
    ((double*)memory)[0] = number;
  } else {
    memcpy(memory, &number, size < 4 ? (size_t)size : 4);
  }
}

static void check_message(const order* what, const char* in, const char* sent) {
  if (memcmp(in, sent, (size_t)what->size) == 0) {
    return;
  }
  int at = 0;
  while (in[at] == sent[at]) {
    at++;
  }
  wrong(what, at, in[at], sent[at]);
}

static void ask(const order* what, int64_t* taken_ns) {
  MPI_Datatype type = type_of(what->size);
  int count = count_of(what->size);
  char* out[2] = {filled(what->size, false), filled(what->size, true)};
  char* in = allocate((size_t)what->size);
  MPI_Recv(in, 0, MPI_BYTE, 1, ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // it has slept
  for (int i = 0; i < what->calls; i++) {
    stamp_message(out[i % 2], what->size, i);
    int64_t since_ns = now_ns();
    MPI_Send(out[i % 2], count, type, 1, DATA, MPI_COMM_WORLD);
    MPI_Recv(in, count, type, 1, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    taken_ns[i] = now_ns() - since_ns;
    check_message(what, in, out[i % 2]);
  }
  free(out[0]);
  free(out[1]);
  free(in);
}

static void answer(const order* what) {
  MPI_Datatype type = type_of(what->size);
  int count = count_of(what->size);
  char* memory = allocate((size_t)what->size);
  MPI_Send(memory, 0, MPI_BYTE, 0, ORDER, MPI_COMM_WORLD);
  for (int i = 0; i < what->calls; i++) {
    MPI_Recv(memory, count, type, 0, DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(memory, count, type, 0, DATA, MPI_COMM_WORLD);
  }
  free(memory);
}

// ---- calls of all ----

typedef struct {
  const operation* operation;
  int block;  // elements
  int from_count;
  int into_count;
  double* from;
  double* into;
  int counts[MOST_RANKS];
} collective;

static double given(int rank, int place, int call) { return (rank + 1.0) * (place % CYCLE + call % CYCLE + 1); }

static double sum(int count, int place, int call) { return count * (count + 1) / 2 * given(0, place, call); }

static bool is(const collective* all, const char* name) { return strcmp(all->operation->name, name) == 0; }

static double wanted(const collective* all, int place, int call, int root) {
  int block = place / all->block, within = place % all->block, own = self * all->block + place;
  if (is(all, "bcast")) return given(root, place, call);
  if (is(all, "scatter")) return given(root, own, call);
  if (is(all, "alltoall")) return given(block, self * all->block + within, call);
  if (is(all, "reduce") || is(all, "allreduce")) return sum(ranks, place, call);
  if (is(all, "reduce-scatter")) return sum(ranks, own, call);
  if (is(all, "scan")) return sum(self + 1, place, call);
  return given(block, within, call);  // gather, allgather
}

// From the first element of a block to the last, and on to the next block's first; or one by one.
static int next(const collective* all, int place, bool is_whole) {
  bool is_first = place % all->block == 0 && all->block > 1;
  return is_first && !is_whole ? place + all->block - 1 : place + 1;
}

static void make(collective* all, int call, int root, bool is_whole) {
  if (is_whole && all->into_count > 0) {
    memset(all->into, 0, (size_t)all->into_count * 8);
  }
  if (all->operation->is_of_root && self != root) {
    return;
  }
  for (int place = 0; place < all->from_count; place = next(all, place, is_whole)) {
    all->from[place] = given(self, place, call);
  }
}

static void check(const collective* all, const order* what, int call, int root, bool is_whole) {
  if (all->operation->is_for_root && self != root) {
    return;
  }
  for (int place = 0; place < all->into_count; place = next(all, place, is_whole)) {
    double value = wanted(all, place, call, root);
    if (all->into[place] != value) {
      wrong(what, place, all->into[place], value);
    }
  }
}

static void make_call(collective* all, int root) {
  const MPI_Comm world = MPI_COMM_WORLD;
  const MPI_Datatype type = MPI_DOUBLE;
  double *from = all->from, *into = all->into;
  int block = all->block;
  switch (all->operation - OPERATIONS) {
    case 0: MPI_Barrier(world); break;
    case 1: MPI_Bcast(from, block, type, root, world); break;
    case 2: MPI_Gather(from, block, type, into, block, type, root, world); break;
    case 3: MPI_Scatter(from, block, type, into, block, type, root, world); break;
    case 4: MPI_Allgather(from, block, type, into, block, type, world); break;
    case 5: MPI_Alltoall(from, block, type, into, block, type, world); break;
    case 6: MPI_Reduce(from, into, block, type, MPI_SUM, root, world); break;
    case 7: MPI_Allreduce(from, into, block, type, MPI_SUM, world); break;
    case 8: MPI_Reduce_scatter(from, into, all->counts, type, MPI_SUM, world); break;
    default: MPI_Scan(from, into, block, type, MPI_SUM, world); break;
  }
}

static const operation* find(const char* name) {
  for (int i = 0; i < COUNT; i++) {
    if (strcmp(OPERATIONS[i].name, name) == 0) {
      return &OPERATIONS[i];
    }
  }
  fprintf(stderr, "no operation '%s'\n", name);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return NULL;
}

static void call_all(const order* what, int64_t* taken_ns) {
  collective all = {.operation = find(what->operation), .block = what->size / 8};
  all.from_count = all.block * (all.operation->has_block_for_each ? ranks : 1);
  all.into_count = all.block * (all.operation->has_block_of_each ? ranks : 1);
  all.from = allocate((size_t)all.from_count * 8);
  all.into = is(&all, "bcast") ? all.from : allocate((size_t)all.into_count * 8);
  for (int rank = 0; rank < ranks; rank++) {
    all.counts[rank] = all.block;
  }
  MPI_Barrier(MPI_COMM_WORLD);  // the others have slept
  for (int i = 0; i < what->calls; i++) {
    int root = i % ranks;
    bool is_whole = i == 0 || i == what->calls - 1;
    make(&all, i, root, is_whole);
    int64_t since_ns = now_ns();
    make_call(&all, root);
    taken_ns[i] = now_ns() - since_ns;
    check(&all, what, i, root, is_whole);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (all.into != all.from) {
    free(all.into);
  }
  free(all.from);
}

// ---- orders ----

static int by_time(const void* a, const void* b) {
  int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
  return (x > y) - (x < y);
}

static void tell(int64_t* taken_ns, int calls) {
  int64_t all_ns = 0;
  for (int i = 0; i < calls; i++) {
    all_ns += taken_ns[i];
  }
  qsort(taken_ns, (size_t)calls, sizeof taken_ns[0], by_time);
  printf("@verbena round\tmean=%ld\tp50=%ld\tp999=%ld\n", (long)(all_ns / calls), (long)taken_ns[calls / 2],
         (long)taken_ns[(int64_t)calls * 999 / 1000]);
  fflush(stdout);
}

static void run_round(const order* what) {
  int64_t* taken_ns = allocate((size_t)what->calls * sizeof(int64_t));
  if (strcmp(what->operation, "ping-pong") != 0) {
    call_all(what, taken_ns);
  } else if (self == 0) {
    ask(what, taken_ns);
  } else {
    answer(what);
  }
  if (self == 0) {
    tell(taken_ns, what->calls);
  }
  free(taken_ns);
}

static void pass(const order* what) {
  for (int rank = 1; rank < ranks; rank++) {
    MPI_Send(what, sizeof *what, MPI_BYTE, rank, ORDER, MPI_COMM_WORLD);
  }
}

static void lead(void) {
  char line[256];
  printf("@verbena ready\n");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    order what = {0};
    if (sscanf(line, "round\toperation=%31[^\t]\tsize=%d\tcalls=%d", what.operation, &what.size, &what.calls) != 3) {
      fprintf(stderr, "no order: %s", line);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    pass(&what);
    run_round(&what);
  }
  order end = {0};
  pass(&end);
}

// A waiting MPI process spins, which would be taken from whoever is measured meanwhile: between rounds it sleeps.
static void await_order(order* what) {
  int is_there = 0;
  for (;;) {
    MPI_Iprobe(0, ORDER, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
    if (is_there) {
      break;
    }
    struct timespec pause = {0, SLEEP_NS};
    nanosleep(&pause, NULL);
  }
  MPI_Recv(what, sizeof *what, MPI_BYTE, 0, ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void follow(void) {
  for (;;) {
    order what;
    await_order(&what);
    if (what.operation[0] == 0) {
      return;
    }
    run_round(&what);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MOST_RANKS) {
    fprintf(stderr, "%d ranks, of at most %d\n", ranks, MOST_RANKS);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (self == 0) {
    lead();
  } else {
    follow();
  }
  MPI_Finalize();
  return 0;
}
