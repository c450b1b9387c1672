// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A store-load fence that costs the frequent side nothing: whoever goes to sleep pays for both, by
 * making the kernel run a barrier on every core that runs a registered process (membarrier, Linux
 * 4.16 or later). docs/adr/0003-asymmetric-fence.md.
 *
 * <p>The frequent side stores, calls {@link #light}, loads; the rare side stores, calls {@link
 * #heavy}, loads. At least one of the two loads sees the other side's store.
 */
public final class AsymmetricFence {

  private static final int GLOBAL_EXPEDITED = 1 << 1;
  private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;

  private static final MethodHandle SYSCALL = syscall();
  private static final long NUMBER = number();
  private static final boolean AVAILABLE = NUMBER >= 0 && call(REGISTER_GLOBAL_EXPEDITED) == 0;

  private AsymmetricFence() {}

  /** Whether this process is registered, so that {@link #heavy} of any process reaches it. */
  public static boolean isAvailable() {
    return AVAILABLE;
  }

  /** The frequent side's fence: none if the rare side's reaches us, else a full one. */
  public static void light() {
    if (!AVAILABLE) {
      VarHandle.fullFence();
    }
  }

  /** The rare side's fence: a full one here and on every core that runs a registered process. */
  public static void heavy() {
    VarHandle.fullFence();
    if (AVAILABLE && call(GLOBAL_EXPEDITED) != 0) {
      throw new IllegalStateException("membarrier worked at first and fails now");
    }
  }

  private static long number() {
    return switch (System.getProperty("os.name") + '/' + System.getProperty("os.arch")) {
      case "Linux/amd64" -> 324;
      case "Linux/aarch64" -> 283;
      default -> -1;
    };
  }

  private static MethodHandle syscall() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor shape =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT);
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"), shape, Linker.Option.firstVariadicArg(1));
  }

  private static long call(int command) {
    try {
      return (long) SYSCALL.invokeExact(NUMBER, command, 0, 0);
    } catch (Throwable e) {
      throw new IllegalStateException("membarrier cannot be called", e);
    }
  }
}
