// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.memory;

import static io.verbena.internal.memory.RetiredMemory.KEPT_NS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory is freed a while after it was given up, or when there is too much of it. */
class RetiredMemoryTest {

  private static final long BEGIN_NS = Long.MAX_VALUE - KEPT_NS / 2; // System.nanoTime may wrap

  private final RetiredMemory memory = new RetiredMemory(100);
  private final List<String> freed = new ArrayList<>();

  private void add(String name, long nowNs, long bytes) {
    memory.add(nowNs, bytes, () -> freed.add(name));
  }

  @Test
  void isFreedAfterItsTimeAndNotBefore() {
    add("first", BEGIN_NS, 10);
    add("second", BEGIN_NS + 1, 10);
    memory.tick(BEGIN_NS + KEPT_NS - 1);
    assertThat(freed).isEmpty();
    memory.tick(BEGIN_NS + KEPT_NS);
    assertThat(freed).containsExactly("first");
    memory.tick(BEGIN_NS + KEPT_NS + 1);
    assertThat(freed).containsExactly("first", "second");
    assertThat(memory.isEmpty()).isTrue();
  }

  @Test
  void oldestGoesWhereTheLimitIsExceeded() {
    add("first", BEGIN_NS, 60);
    add("second", BEGIN_NS, 40);
    assertThat(freed).isEmpty();
    add("third", BEGIN_NS, 1);
    assertThat(freed).containsExactly("first");
    memory.tick(BEGIN_NS + KEPT_NS);
    add("fourth", BEGIN_NS + KEPT_NS, 100); // what was freed does not count any more
    assertThat(freed).containsExactly("first", "second", "third");
  }

  @Test
  void pieceLargerThanTheLimitIsKept() {
    add("small", BEGIN_NS, 10);
    add("large", BEGIN_NS, 1000);
    assertThat(freed).containsExactly("small");
    memory.tick(BEGIN_NS + KEPT_NS);
    assertThat(freed).containsExactly("small", "large");
  }

  @Test
  void closeFreesAllAndWhatComesLaterAtOnce() {
    add("kept", BEGIN_NS, 10);
    memory.close();
    assertThat(freed).containsExactly("kept");
    add("late", BEGIN_NS, 10);
    assertThat(freed).containsExactly("kept", "late");
    memory.close();
    assertThat(freed).hasSize(2);
  }
}
