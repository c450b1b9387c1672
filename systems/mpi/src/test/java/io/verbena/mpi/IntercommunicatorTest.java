// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two groups that talk with each other. */
class IntercommunicatorTest {

  private static final Group EVEN = Group.of(0, 2, 4);
  private static final Group ODD = Group.of(1, 3);

  /** Of processes with even numbers and of those with odd ones; leaders are 4 and 1. */
  private static Intercommunicator make(World world) throws InterruptedException {
    Intracommunicator all = world.communicator();
    boolean isEven = world.rank() % 2 == 0;
    Intracommunicator own = all.split(world.rank() % 2, 0).orElseThrow();
    return own.intercommunicator(isEven ? 2 : 0, all, isEven ? 1 : 4, 99);
  }

  private static void talks(Intercommunicator between) throws InterruptedException {
    int self = between.world().rank();
    boolean isEven = self % 2 == 0;
    assertThat(between.group()).isEqualTo(isEven ? EVEN : ODD);
    assertThat(between.remoteGroup()).isEqualTo(isEven ? ODD : EVEN);
    assertThat(between.remoteSize()).isEqualTo(isEven ? 2 : 3);
    for (int to = 0; to < between.remoteSize(); to++) {
      between.isend(Data.of(self), to, 0);
    }
    for (int from = 0; from < between.remoteSize(); from++) {
      int[] got = new int[1];
      assertThat(between.recv(Data.of(got), from, 0).source()).isEqualTo(from);
      assertThat(got[0]).isEqualTo(between.remoteGroup().processOf(from));
    }
  }

  @Test
  void eachTalksWithThoseOfTheOtherGroup() throws Exception {
    Worlds.run(
        5,
        world -> {
          Intercommunicator between = make(world);
          talks(between);
          Intercommunicator duplicate = between.dup();
          talks(duplicate);
          assertThat(duplicate.compare(between)).isEqualTo(Similarity.CONGRUENT);
          assertThat(between.compare(world.communicator())).isEqualTo(Similarity.UNEQUAL);
          assertThat(world.communicator().compare(between)).isEqualTo(Similarity.UNEQUAL);
          duplicate.free();
          assertThat(duplicate.isFree()).isTrue();
          talks(between);
        });
  }

  @Test
  void groupsAreMergedInTheOrderThatTheySay() throws Exception {
    Worlds.run(
        5,
        world -> {
          Intercommunicator between = make(world);
          boolean isEven = world.rank() % 2 == 0;
          check(between.merge(isEven), Group.of(1, 3, 0, 2, 4));
          check(between.merge(!isEven), Group.of(0, 2, 4, 1, 3));
          check(between.merge(true), Group.of(0, 2, 4, 1, 3));
          check(between.merge(false), Group.of(0, 2, 4, 1, 3));
        });
  }

  private static void check(Intracommunicator merged, Group expected) throws InterruptedException {
    assertThat(merged.group()).isEqualTo(expected);
    assertThat(merged.errors()).isEqualTo(ErrorMode.ERRORS_RETURN);
    Intracommunicator turned = merged.split(0, -merged.rank()).orElseThrow();
    assertThat(turned.rank()).isEqualTo(4 - merged.rank());
  }

  @Test
  void groupsWithACommonMemberAreRefusedByAll() throws Exception {
    Worlds.run(
        3,
        world -> {
          Intracommunicator all = world.communicator();
          Intracommunicator peer = all.dup();
          Group mine = Group.of(0, 2);
          Group other = Group.of(1, 2);
          Optional<Intracommunicator> one = all.create(world.rank() == 1 ? Group.EMPTY : mine);
          Optional<Intracommunicator> two = all.create(world.rank() == 0 ? Group.EMPTY : other);
          if (world.rank() < 2) {
            Intracommunicator own = world.rank() == 0 ? one.orElseThrow() : two.orElseThrow();
            int far = 1 - world.rank();
            assertThatIllegalArgumentException()
                .isThrownBy(() -> own.intercommunicator(0, peer, far, 0))
                .withMessageContaining("[2] are in both groups");
          } else {
            // It follows both leaders, one after the other.
            assertThatIllegalArgumentException()
                .isThrownBy(() -> one.orElseThrow().intercommunicator(0, peer, 1, 0));
            assertThatIllegalArgumentException()
                .isThrownBy(() -> two.orElseThrow().intercommunicator(0, peer, 0, 0));
          }
        });
  }
}
