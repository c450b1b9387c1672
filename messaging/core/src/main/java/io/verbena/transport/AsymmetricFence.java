// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A store-load fence that costs the frequent side nothing: the rare side pays for both, by making
 * the kernel run a barrier on every core that runs the frequent side (membarrier, Linux 4.16 or
 * later). docs/adr/0003-asymmetric-fence.md.
 *
 * <p>The frequent side stores, calls {@link #light}, loads; the rare side stores, calls {@link
 * #heavy}, loads. At least one of the two loads sees the other side's store, if both sides are
 * threads of one process. Between processes {@link #heavyEverywhere} makes that likely, and no
 * more.
 */
public final class AsymmetricFence {

  private static final int GLOBAL_EXPEDITED = 1 << 1;
  private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;
  private static final int PRIVATE_EXPEDITED = 1 << 3;
  private static final int REGISTER_PRIVATE_EXPEDITED = 1 << 4;

  private static final MethodHandle SYSCALL = syscall();
  private static final long NUMBER = number();
  private static final boolean AVAILABLE = NUMBER >= 0 && call(REGISTER_PRIVATE_EXPEDITED) == 0;
  private static final boolean REACHABLE = AVAILABLE && call(REGISTER_GLOBAL_EXPEDITED) == 0;

  private AsymmetricFence() {}

  /** Whether {@link #heavy} reaches the other threads of this process. */
  public static boolean isAvailable() {
    return AVAILABLE;
  }

  /** Whether {@link #heavyEverywhere}, called by any process, is meant to reach this one. */
  public static boolean isReachable() {
    return REACHABLE;
  }

  /** The frequent side's fence: none if the rare side's reaches us, else a full one. */
  public static void light() {
    if (!AVAILABLE) {
      VarHandle.fullFence();
    }
  }

  /** The rare side's fence: a full one here and on every core that runs this process. */
  public static void heavy() {
    run(AVAILABLE, PRIVATE_EXPEDITED);
  }

  /**
   * The rare side's fence where the frequent side may be another process: a full one here and on
   * every core that runs a registered process, except that the kernel misses one now and then, as
   * the adr tells. What was published there is visible a moment later: who sleeps because it saw
   * nothing has to look again soon.
   */
  public static void heavyEverywhere() {
    run(REACHABLE, GLOBAL_EXPEDITED);
  }

  private static void run(boolean possible, int command) {
    VarHandle.fullFence();
    if (possible && call(command) != 0) {
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
