// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbena.natives.Calls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A {@code vbn_job}, which its last user frees. */
final class NativeJob {

  private static final StructLayout END =
      MemoryLayout.structLayout(
          JAVA_INT.withName("struct_bytes"),
          JAVA_INT.withName("rank"),
          JAVA_INT.withName("status"),
          JAVA_INT.withName("reserved"));

  private final MemorySegment pointer;
  private int users = 1; // guarded by this

  private NativeJob(MemorySegment pointer) {
    this.pointer = pointer;
  }

  static NativeJob open() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment opened = arena.allocate(ADDRESS);
      Functions.check(Functions.OPEN, opened);
      return new NativeJob(opened.get(ADDRESS, 0));
    }
  }

  /** Whoever calls it, as long as the call takes: it is not freed meanwhile. */
  final class User implements AutoCloseable {
    private User() {}

    MemorySegment pointer() {
      return pointer;
    }

    /** The next end of a rank that nobody has been told of. */
    Optional<RankEnd> nextEnd(Duration timeout) {
      return end(Functions.NEXT_END, pointer, Calls.nanos(timeout));
    }

    /** The end with this number, counted from 0. */
    Optional<RankEnd> endAt(int number, Duration timeout) {
      return end(Functions.END_AT, pointer, number, Calls.nanos(timeout));
    }

    @Override
    public void close() {
      release();
    }
  }

  /** One user more. */
  synchronized User use() {
    if (users == 0) {
      throw new IllegalStateException("the job is closed");
    }
    users++;
    return new User();
  }

  /** One user less. */
  synchronized void release() {
    users--;
    if (users == 0) {
      Calls.call(Functions.FREE, pointer);
    }
  }

  private static Optional<RankEnd> end(MethodHandle function, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment end = arena.allocate(END);
      end.set(JAVA_INT, 0, (int) END.byteSize());
      Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = end;
      if ((int) Calls.call(function, all) != 1) {
        return Optional.empty();
      }
      return Optional.of(new RankEnd(end.get(JAVA_INT, 4), end.get(JAVA_INT, 8)));
    }
  }
}
