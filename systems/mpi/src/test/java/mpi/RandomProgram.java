// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Calls that all ranks make in the same order, drawn by one seed. Each rank knows what all do, so
 * also what it is to get: the members of communicators, the messages, and the results.
 */
final class RandomProgram {

  private static final int STEPS = 12;

  /** A communicator, null at those that are no members, and the ranks in the job it should have. */
  private record Circle(@Nullable Intracomm comm, int... members) {}

  private final Random random;
  private final List<Circle> circles = new ArrayList<>();

  private RandomProgram(long seed) {
    random = new Random(seed);
    circles.add(new Circle(MPI.COMM_WORLD, IntStream.range(0, MPI.COMM_WORLD.Size()).toArray()));
  }

  static void run(long seed) {
    RandomProgram program = new RandomProgram(seed);
    MPI.Buffer_attach(new byte[8 << 20]);
    for (int step = 0; step < STEPS; step++) {
      program.step();
    }
    MPI.Buffer_detach();
    while (program.circles.size() > 1) {
      program.free(program.circles.size() - 1);
    }
  }

  private void step() {
    int which = random.nextInt(circles.size());
    int kind = random.nextInt(10);
    long seed = random.nextLong();
    Circle circle = circles.get(which);
    if (kind < 3 && circles.size() < 8) {
      make(circle, new Random(seed), kind == 0);
    } else if (kind == 3 && which > 0) {
      free(which);
    } else if (circle.comm != null && kind < 7) {
      new RandomMessages(circle.comm, new Random(seed)).run();
    } else if (circle.comm != null) {
      new RandomCollective(circle.comm, new Random(seed)).run();
    }
  }

  private void free(int which) {
    Circle circle = circles.remove(which);
    if (circle.comm != null) {
      circle.comm.Free();
      assertThat(circle.comm.Is_null()).isTrue();
    }
  }

  // ---------------------------------------------------------------- communicators

  private void make(Circle from, Random drawn, boolean isSplit) {
    if (isSplit) {
      split(from, drawn);
    } else if (from.members.length > 1 && drawn.nextBoolean()) {
      merge(from, drawn);
    } else {
      int[] ranks = IntStream.range(0, from.members.length).toArray();
      shuffle(ranks, drawn);
      int[] chosen = Arrays.copyOf(ranks, 1 + drawn.nextInt(ranks.length));
      boolean isCopy = drawn.nextInt(4) == 0;
      Intracomm made = null;
      if (from.comm != null) {
        made =
            isCopy
                ? (Intracomm) from.comm.clone()
                : from.comm.Create(from.comm.Group().Incl(chosen));
      }
      add(made, isCopy ? from.members : pick(from.members, chosen));
    }
  }

  private void split(Circle from, Random drawn) {
    int size = from.members.length;
    int[] colors = drawn.ints(size, -1, 2).toArray();
    int[] keys = drawn.ints(size, 0, 3).toArray();
    Intracomm made = null;
    if (from.comm != null) {
      int me = from.comm.Rank();
      made = from.comm.Split(colors[me] < 0 ? MPI.UNDEFINED : colors[me], keys[me]);
    }
    for (int color = 0; color < 2; color++) {
      int of = color;
      int[] ranks =
          IntStream.range(0, size)
              .filter(rank -> colors[rank] == of)
              .boxed()
              .sorted((a, b) -> keys[a] == keys[b] ? a - b : keys[a] - keys[b])
              .mapToInt(rank -> rank)
              .toArray();
      if (ranks.length > 0) {
        boolean isMine = from.comm != null && colors[from.comm.Rank()] == color;
        add(isMine ? made : null, pick(from.members, ranks));
      }
    }
    if (from.comm != null && colors[from.comm.Rank()] < 0) {
      assertThat(made.Is_null()).isTrue();
    }
  }

  /** Two groups, of which the second may become the first of both. */
  private void merge(Circle from, Random drawn) {
    int size = from.members.length;
    int border = 1 + drawn.nextInt(size - 1);
    boolean isUpperFirst = drawn.nextBoolean();
    int lowLeader = drawn.nextInt(border);
    int highLeader = drawn.nextInt(size - border);
    Intracomm made = null;
    if (from.comm != null) {
      boolean isLow = from.comm.Rank() < border;
      Intracomm own = from.comm.Split(isLow ? 0 : 1, 0);
      Intercomm both =
          from.comm.Create_intercomm(
              own, isLow ? lowLeader : highLeader, isLow ? border + highLeader : lowLeader, 3);
      assertThat(both.Remote_size()).isEqualTo(isLow ? size - border : border);
      across(both, isLow ? from.members[border] : from.members[0]);
      made = both.Merge(isLow == isUpperFirst);
      both.Free();
      own.Free();
    }
    int[] ranks = IntStream.range(0, size).map(i -> (i + border) % size).toArray();
    add(made, isUpperFirst ? pick(from.members, ranks) : from.members);
  }

  /** The first members tell each other who they are. */
  private static void across(Intercomm both, int other) {
    if (both.Rank() == 0) {
      int[] got = new int[1];
      int[] sent = {MPI.COMM_WORLD.Rank()};
      both.Sendrecv(sent, 0, 1, MPI.INT, 0, 9, got, 0, 1, MPI.INT, MPI.ANY_SOURCE, 9);
      assertThat(got[0]).isEqualTo(other);
    }
  }

  private static int[] pick(int[] from, int... places) {
    return Arrays.stream(places).map(place -> from[place]).toArray();
  }

  private static void shuffle(int[] ranks, Random drawn) {
    for (int i = ranks.length - 1; i > 0; i--) {
      int j = drawn.nextInt(i + 1);
      int kept = ranks[i];
      ranks[i] = ranks[j];
      ranks[j] = kept;
    }
  }

  private void add(@Nullable Intracomm made, int... members) {
    int me = MPI.COMM_WORLD.Rank();
    int place = Arrays.stream(members).boxed().toList().indexOf(me);
    if (place < 0) {
      assertThat(made == null || made.Is_null()).as("is no member").isTrue();
      circles.add(new Circle(null, members));
      return;
    }
    assertThat(made.Rank()).isEqualTo(place);
    assertThat(made.Size()).isEqualTo(members.length);
    int[] ranks = IntStream.range(0, members.length).toArray();
    assertThat(Group.Translate_ranks(made.Group(), ranks, MPI.COMM_WORLD.Group()))
        .isEqualTo(members);
    circles.add(new Circle(made, members));
  }
}
