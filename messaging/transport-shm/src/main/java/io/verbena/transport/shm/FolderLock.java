// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * Keeps others, threads and processes, from coming, going and sweeping at the same time. Held on
 * the folder itself: a lock file would have to stay for ever, because whoever waits for a file that
 * is deleted waits for nothing. The kernel releases it if its holder dies.
 */
final class FolderLock implements AutoCloseable {

  private static final int READ_ONLY_CLOSE_ON_EXEC = 0x80000;
  private static final int LOCK_EX = 2;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final AddressLayout TEXT = ValueLayout.ADDRESS;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle OPEN =
      call("open", FunctionDescriptor.of(INT, TEXT, INT), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FLOCK = call("flock", FunctionDescriptor.of(INT, INT, INT));
  private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));

  private final int descriptor;

  private FolderLock(int descriptor) {
    this.descriptor = descriptor;
  }

  private static MethodHandle call(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape, options);
  }

  /** Waits until nobody else holds it. */
  static FolderLock on(Path folder) throws IOException {
    int descriptor = open(folder.toString());
    if (descriptor < 0) {
      throw new IOException(folder + " cannot be opened: is it there, and a folder of this user?");
    }
    FolderLock lock = new FolderLock(descriptor);
    if (!lock.acquire()) {
      lock.close();
      throw new IOException(folder + " cannot be locked; choose a shm.directory on tmpfs");
    }
    return lock;
  }

  private static int open(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(path);
      return (int) OPEN.invokeExact(text, READ_ONLY_CLOSE_ON_EXEC);
    } catch (Throwable e) {
      throw new IllegalStateException("open cannot be called", e);
    }
  }

  private boolean acquire() {
    try {
      return (int) FLOCK.invokeExact(descriptor, LOCK_EX) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("flock cannot be called", e);
    }
  }

  /** Releases it. */
  @Override
  public void close() {
    try {
      int unused = (int) CLOSE.invokeExact(descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close cannot be called", e);
    }
  }
}
