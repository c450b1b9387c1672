// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.mpi.device.SendRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Communicators made from others. */
class IntracommunicatorTest {

  /** Each member's number in the job comes round to each. */
  private static void talks(Intracommunicator among) throws InterruptedException {
    int size = among.size();
    int next = (among.rank() + 1) % size;
    int before = (among.rank() + size - 1) % size;
    int[] token = {among.world().rank()};
    int[] got = new int[1];
    among.sendrecv(Data.of(token), next, 5, Data.of(got), before, 5);
    assertThat(got[0]).isEqualTo(among.group().processOf(before));
    assertThat(among.iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG)).isEmpty();
  }

  @Test
  void aDuplicateHasMessagesOfItsOwn() throws Exception {
    Worlds.run(
        3,
        world -> {
          Intracommunicator all = world.communicator();
          SendRequest send = all.isend(Data.of(1), (world.rank() + 1) % 3, 5);
          Intracommunicator duplicate = all.dup();
          assertThat(duplicate.compare(all)).isEqualTo(Similarity.CONGRUENT);
          assertThat(duplicate.compare(duplicate)).isEqualTo(Similarity.IDENTICAL);
          assertThat(duplicate.errors()).isEqualTo(ErrorMode.ERRORS_RETURN);
          talks(duplicate);
          talks(duplicate.dup());
          all.recv(Data.of(new int[1]), (world.rank() + 2) % 3, 5);
          all.await(send);
        });
  }

  @Test
  void membersAreSplitByColorAndOrderedByKey() throws Exception {
    Worlds.run(
        6,
        world -> {
          Intracommunicator all = world.communicator();
          int color = world.rank() == 5 ? Intracommunicator.NO_COLOR : world.rank() % 2;
          int unused = world.ids().take();
          world.ids().putBack(unused);
          Optional<Intracommunicator> part = all.split(color, -world.rank());
          if (world.rank() < 3) { // the first of nobody
            assertThat(world.ids().take()).isEqualTo(unused);
          }
          if (world.rank() == 5) {
            assertThat(part).isEmpty();
            return;
          }
          Group expected = color == 0 ? Group.of(4, 2, 0) : Group.of(3, 1);
          assertThat(part.orElseThrow().group()).isEqualTo(expected);
          talks(part.orElseThrow());
          Intracommunicator again = part.orElseThrow().split(0, 0).orElseThrow();
          assertThat(again.group()).isEqualTo(expected); // same keys: the order stays
          talks(again);
        });
  }

  @Test
  void groupsThatShareNobodyAreMadeInOneCall() throws Exception {
    Worlds.run(
        5,
        world -> {
          Intracommunicator all = world.communicator();
          Group low = Group.of(1, 0);
          Group high = Group.of(2, 4);
          Group mine = world.rank() == 3 ? Group.EMPTY : world.rank() < 2 ? low : high;
          Optional<Intracommunicator> made = all.create(mine);
          assertThat(made.isPresent()).isEqualTo(world.rank() != 3);
          if (made.isPresent()) {
            assertThat(made.get().group()).isEqualTo(mine);
            assertThat(made.get().compare(all)).isEqualTo(Similarity.UNEQUAL);
            talks(made.get());
            assertThatIllegalArgumentException()
                .isThrownBy(() -> made.get().create(Group.of(3)))
                .withMessageContaining("[3]");
          }
        });
  }

  @Test
  void gridsAreMadeAndCut() throws Exception {
    Worlds.run(
        7,
        world -> {
          Intracommunicator all = world.communicator();
          boolean[] rings = {false, true};
          CartesianTopology grid = CartesianTopology.of(new int[] {2, 3}, rings);
          Optional<Intracommunicator> made = all.create(grid);
          assertThat(made.isPresent()).isEqualTo(world.rank() < 6);
          assertThatIllegalStateException().isThrownBy(() -> all.sub(true));
          if (made.isEmpty()) {
            return;
          }
          Intracommunicator member = made.get();
          assertThat(member.topology()).hasValue(grid);
          assertThat(member.dup().topology()).hasValue(grid);
          CartesianTopology.Shift east = grid.shift(member.rank(), 1, 1);
          int[] from = new int[1];
          member.sendrecv(
              Data.of(member.rank()), east.destination(), 0, Data.of(from), east.source(), 0);
          assertThat(from[0]).isEqualTo(east.source());
          CartesianTopology.Shift south = grid.shift(member.rank(), 0, 1);
          from[0] = -9;
          member.sendrecv(
              Data.of(member.rank()), south.destination(), 0, Data.of(from), south.source(), 0);
          assertThat(from[0]).isEqualTo(member.rank() < 3 ? -9 : member.rank() - 3);
          Intracommunicator row = member.sub(false, true);
          assertThat(row.topology())
              .hasValue(CartesianTopology.of(new int[] {3}, new boolean[] {true}));
          int first = member.rank() / 3 * 3;
          assertThat(row.group()).isEqualTo(Group.of(first, first + 1, first + 2));
          talks(row);
        });
  }

  @Test
  void graphsAreMade() throws Exception {
    Worlds.run(
        3,
        world -> {
          GraphTopology graph = GraphTopology.of(new int[] {1, 2}, new int[] {1, 0});
          Optional<Intracommunicator> made = world.communicator().create(graph);
          assertThat(made.isPresent()).isEqualTo(world.rank() < 2);
          made.ifPresent(member -> assertThat(member.topology()).hasValue(graph));
          GraphTopology large = GraphTopology.of(new int[4], new int[0]);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> world.communicator().create(large))
              .withMessageContaining("4 ranks");
        });
  }

  /** Each thread makes communicators from one of its own, and all at the same time. */
  @Test
  void manyThreadsMakeCommunicatorsAtOnce() throws Exception {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Worlds.run(
          3,
          world -> {
            Set<Integer> ids = ConcurrentHashMap.newKeySet();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              Intracommunicator own = world.communicator().dup();
              all.add(threads.submit(() -> makeMany(own, ids)));
            }
            for (Future<?> each : all) {
              each.get(100, TimeUnit.SECONDS);
            }
            assertThat(ids).hasSize(4 * 20 * 2);
          });
    }
  }

  private static Void makeMany(Intracommunicator from, Set<Integer> ids) throws Exception {
    for (int i = 0; i < 20; i++) {
      Intracommunicator duplicate = from.dup();
      Intracommunicator turned = from.split(0, -from.rank()).orElseThrow();
      talks(duplicate);
      talks(turned);
      assertThat(ids.add(duplicate.id) && ids.add(turned.id)).isTrue();
    }
    return null;
  }

  @Test
  void whatWasFreedIsOutOfUse() throws Exception {
    Worlds.run(
        2,
        world -> {
          Intracommunicator duplicate = world.communicator().dup();
          talks(duplicate);
          duplicate.free();
          assertThat(duplicate.isFree()).isTrue();
          assertThatIllegalStateException()
              .isThrownBy(() -> duplicate.send(Data.empty(), 0, 0))
              .withMessageContaining("was freed");
          assertThatIllegalStateException().isThrownBy(duplicate::dup);
          assertThatIllegalStateException().isThrownBy(duplicate::free);
          assertThatIllegalStateException().isThrownBy(() -> world.communicator().free());
          assertThatIllegalStateException().isThrownBy(() -> world.self().free());
          talks(world.communicator());
        });
  }

  @Test
  void aRankHasACommunicatorForItselfAlone() throws Exception {
    Worlds.run(
        2,
        world -> {
          Intracommunicator self = world.self();
          assertThat(self.group()).isEqualTo(Group.of(world.rank()));
          assertThat(self.rank()).isZero();
          talks(self);
          talks(self.dup());
        });
  }
}
