// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** The checksum of a lane: the sum of what its pairs add. */
class PairsTest {

  private static final int PAIRS = 50;

  private final long[] targets = new long[PAIRS];
  private final long[] others = new long[PAIRS];

  @RepeatedTest(20)
  void noExchangeIsMissed(RepetitionInfo repetition) {
    SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
    for (int i = 0; i < PAIRS; i++) {
      targets[i] = i; // all differ, so that every exchange changes something
      others[i] = PAIRS + random.nextInt(1 << 20) * PAIRS + i;
    }
    int a = random.nextInt(PAIRS);
    int b = (a + 1 + random.nextInt(PAIRS - 1)) % PAIRS;
    long right = sum();

    exchange(others, a, b);
    assertThat(sum()).as("a vertex of two pairs").isNotEqualTo(right);
    exchange(targets, a, b);
    assertThat(sum()).as("two whole pairs").isNotEqualTo(right);
    exchange(others, a, b);
    exchange(targets, a, b);
    long target = targets[a];
    targets[a] = others[a];
    others[a] = target;
    assertThat(sum()).as("both vertices of a pair").isNotEqualTo(right);
    others[a] = targets[a];
    targets[a] = target;
    assertThat(sum()).isEqualTo(right);
  }

  private static void exchange(long[] vertices, int a, int b) {
    long vertex = vertices[a];
    vertices[a] = vertices[b];
    vertices[b] = vertex;
  }

  private long sum() {
    long sum = 0;
    for (int place = 0; place < PAIRS; place++) {
      sum += Pairs.digest(place, targets[place], others[place]);
    }
    return sum;
  }
}
