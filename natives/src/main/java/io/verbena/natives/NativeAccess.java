// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

/** Whether a module may call native code, which the JVM refuses to those it was not told of. */
public final class NativeAccess {

  private NativeAccess() {}

  /**
   * Tries what only such a module may do.
   *
   * @param user a class of the module
   * @param restricted calls a restricted method, in the module's own code: {@code () ->
   *     MemorySegment.NULL.reinterpret(0)}
   * @return empty if it may, else a sentence that says what to do
   */
  public static String deniedBecause(Class<?> user, Runnable restricted) {
    try {
      restricted.run();
      return "";
    } catch (IllegalCallerException e) {
      boolean isNamed = user.getModule().isNamed();
      return "the JVM denies native access to "
          + (isNamed ? "module " + user.getModule().getName() : "the class path")
          + "; start it with --enable-native-access="
          + (isNamed ? user.getModule().getName() : "ALL-UNNAMED");
    }
  }
}
