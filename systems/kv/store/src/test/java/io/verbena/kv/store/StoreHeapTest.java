// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls take of the heap beside the value that they return, whatever compiles them. */
class StoreHeapTest {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
  private static final int KEYS = 5000;
  private static final int MOST = 100;
  private static final int ARRAY_HEAD = 16;

  @TempDir private Path folder;
  private Store store;
  private final byte[] key = "key-....".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private final ByteBuffer number = ByteBuffer.wrap(key, 4, 4).slice();

  @BeforeEach
  void open() {
    store = Store.open(folder, StoreOptions.defaults().withDurability(Durability.MEMORY));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private byte[] key(int which) {
    number.putInt(0, which);
    return key;
  }

  /** Bytes that each call takes, after some that load classes and fill what is used again. */
  private double heapOf(IntConsumer call) {
    run(call);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    run(call);
    return (double) (THREADS.getCurrentThreadAllocatedBytes() - before) / KEYS;
  }

  private static void run(IntConsumer call) {
    for (int i = 0; i < KEYS; i++) {
      call.accept(i);
    }
  }

  /** Within a table, and in a tree; in the leaf, and in the log. */
  @ParameterizedTest
  @ValueSource(ints = {9, 999})
  void putAndGet(int length) {
    byte[] value = new byte[length];
    assertThat(heapOf(i -> store.put(key(i), value))).isLessThan(MOST);
    int array = ARRAY_HEAD + length + 7 & -8;
    assertThat(heapOf(i -> assertLength(store.get(key(i)), length))).isLessThan(MOST + array);
    store.flush();
    assertThat(heapOf(i -> assertLength(store.get(key(i)), length))).isLessThan(MOST + array);
    assertThat(heapOf(i -> store.delete(key(i)))).isLessThan(MOST);
    assertThat(store.get(key(1))).isNull();
  }

  private static void assertLength(byte[] value, int length) {
    if (value.length != length) {
      throw new AssertionError("a value of " + value.length + " bytes");
    }
  }

  @Test
  void putAndGetInSegments() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(8);
      MemorySegment value = arena.allocate(200);
      MemorySegment into = arena.allocate(1000);
      IntConsumer put = i -> store.put(named(name, i), value);
      assertThat(heapOf(put)).isLessThan(MOST);
      assertThat(heapOf(i -> store.get(named(name, i), into))).isLessThan(MOST);
      store.flush();
      assertThat(heapOf(i -> store.get(named(name, i), into))).isLessThan(MOST);
      assertThat(store.get(named(name, 1), into)).isEqualTo(200);
    }
  }

  private static MemorySegment named(MemorySegment name, int number) {
    name.set(java.lang.foreign.ValueLayout.JAVA_INT, 0, number);
    return name;
  }
}
