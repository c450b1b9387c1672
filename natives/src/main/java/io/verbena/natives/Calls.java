// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls into C where nanoseconds do not count. */
public final class Calls {

  /** A text that ends with a zero byte, wherever that is. */
  public static final AddressLayout TEXT =
      ValueLayout.ADDRESS.withTargetLayout(
          MemoryLayout.sequenceLayout(Long.MAX_VALUE, ValueLayout.JAVA_BYTE));

  /** Sums with the clock do not overflow. */
  private static final long LONGEST_NS = Long.MAX_VALUE / 2;

  private Calls() {}

  /** A time that C takes: none for a negative one, and as much as there is for a longer one. */
  public static long nanos(Duration timeout) {
    return Math.clamp(TimeUnit.NANOSECONDS.convert(timeout), 0, LONGEST_NS);
  }

  /** Calls a function; the result is boxed, null for none. */
  public static Object call(MethodHandle function, Object... arguments) {
    try {
      return function.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a C function threw", e); // they cannot
    }
  }

  /** Calls a function that returns a text; null for C's null. */
  public static @Nullable String text(MethodHandle function, Object... arguments) {
    MemorySegment text = (MemorySegment) call(function, arguments);
    return text.address() == 0 ? null : text.getString(0);
  }
}
