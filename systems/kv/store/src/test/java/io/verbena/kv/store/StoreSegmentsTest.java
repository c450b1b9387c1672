// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that take keys and values in segments do what those with arrays do, in all regions. */
class StoreSegmentsTest {
  private static final List<String> KEYS = List.of("a", "g", "ga", "m", "zz");

  @TempDir private Path folder;

  @Test
  void segmentsAreAsGoodAsArrays() {
    StoreOptions options = StoreOptions.defaults().withSplits(List.of(bytes("g"), bytes("m")));
    try (Store store = Store.open(folder, options);
        Arena arena = Arena.ofConfined()) {
      for (String key : KEYS) {
        long version = store.put(in(arena, key), in(arena, "1 of " + key));
        assertThat(store.getVersioned(bytes(key)).version()).isEqualTo(version);
        assertThat(store.compareAndSet(in(arena, key), version + 1, in(arena, "2"))).isZero();
        assertThat(store.putIfAbsent(in(arena, key), in(arena, "3"))).isZero();
        long next = store.compareAndSet(in(arena, key), version, in(arena, "4 of " + key));
        assertThat(next).isGreaterThan(version);
      }
      store.delete(in(arena, "ga"));
      assertThat(store.get(in(arena, "ga"), arena.allocate(9))).isEqualTo(-1);
      assertThat(store.putIfAbsent(in(arena, "ga"), in(arena, "5"))).isPositive();

      MemorySegment into = arena.allocate(6);
      assertThat(store.get(in(arena, "m"), into)).isEqualTo(6);
      assertThat(into.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).isEqualTo(bytes("4 of m"));
      assertThat(scan(store, in(arena, "g"), in(arena, "zz")))
          .containsExactly("g=4 of g", "ga=5", "m=4 of m");
      assertThat(scan(store, in(arena, "h"), null)).containsExactly("m=4 of m", "zz=4 of zz");
      assertThatThrownBy(() -> store.compareAndSet(in(arena, "a"), -1, in(arena, "6")))
          .hasMessage("a version of -1; it may be 0 or more");
      assertThatThrownBy(() -> store.get(MemorySegment.NULL, into))
          .hasMessage("a key of 0 bytes; it may have 1 to 1024");
    }
  }

  private static List<String> scan(Store store, MemorySegment from, MemorySegment to) {
    List<String> found = new ArrayList<>();
    try (Scan scan = store.scan(from, to)) {
      while (scan.next()) {
        found.add(text(scan.key()) + "=" + text(scan.value()));
      }
    }
    return found;
  }

  private static MemorySegment in(Arena arena, String text) {
    return arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
