// SPDX-License-Identifier: Apache-2.0
package mpi;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Random programs of five ranks, in communicators of one to five, against a sequential model. */
@Tag("timing")
class RandomProgramsTest {

  private static LoadedRanks ranks;

  @BeforeContainer
  static void begin() throws Exception {
    ranks = new LoadedRanks(5);
  }

  @AfterContainer
  static void end() {
    ranks.close();
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void eachRankGetsWhatTheModelSays(@ForAll long seed) throws Exception {
    ranks.run(RandomProgram.class, "run", seed);
  }
}
