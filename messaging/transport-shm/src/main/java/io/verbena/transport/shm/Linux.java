// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The system calls this transport needs and Java does not offer: futex and prctl. */
final class Linux {

  private static final int FUTEX_WAIT = 0; // not private: the word is shared between processes
  private static final int FUTEX_WAKE = 1;
  private static final int PR_SET_TIMERSLACK = 29;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle SYSCALL = futexCall();
  private static final MethodHandle PRCTL = prctl();
  private static final long FUTEX = futexNumber();

  private Linux() {}

  /** Why this platform will not do; empty if it will. */
  static String unusableBecause() {
    return FUTEX >= 0
        ? ""
        : "shared memory needs Linux on x86-64 or arm64, this is "
            + System.getProperty("os.name")
            + " on "
            + System.getProperty("os.arch");
  }

  private static long futexNumber() {
    return switch (System.getProperty("os.name") + '/' + System.getProperty("os.arch")) {
      case "Linux/amd64" -> 202;
      case "Linux/aarch64" -> 98;
      default -> -1;
    };
  }

  private static MethodHandle futexCall() {
    FunctionDescriptor shape =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS);
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("syscall"), shape, Linker.Option.firstVariadicArg(1));
  }

  private static MethodHandle prctl() {
    FunctionDescriptor shape =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("prctl"), shape, Linker.Option.firstVariadicArg(1));
  }

  /** Sleeps while the word is 1, until woken or the time is over; may return early. */
  static void futexWait(MemorySegment word, long timeoutNs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(16, 8);
      time.set(ValueLayout.JAVA_LONG, 0, timeoutNs / 1_000_000_000);
      time.set(ValueLayout.JAVA_LONG, 8, timeoutNs % 1_000_000_000);
      long unused = (long) SYSCALL.invokeExact(FUTEX, word, FUTEX_WAIT, 1, time);
    } catch (Throwable e) {
      throw new IllegalStateException("futex wait failed", e);
    }
  }

  /** Wakes all who sleep on the word. */
  static void futexWake(MemorySegment word) {
    try {
      long unused =
          (long)
              SYSCALL.invokeExact(FUTEX, word, FUTEX_WAKE, Integer.MAX_VALUE, MemorySegment.NULL);
    } catch (Throwable e) {
      throw new IllegalStateException("futex wake failed", e);
    }
  }

  /** Makes the calling thread's timed sleeps end on time instead of up to 50 µs late. */
  static void sharpenTimers() {
    try {
      int unused = (int) PRCTL.invokeExact(PR_SET_TIMERSLACK, 1L);
    } catch (Throwable e) {
      throw new IllegalStateException("prctl failed", e);
    }
  }
}
