// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A lock that belongs to a descriptor: the kernel drops it when that descriptor is closed or its
 * process ends, and at no other time. Java's own file locks belong to the process, and vanish when
 * it closes any channel of the file, even one that another class loader's copy of this class has
 * opened.
 */
final class DescriptorLock implements AutoCloseable {

  private static final int READ_ONLY = 0;
  private static final int READ_WRITE = 2;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int LOCK_EX = 2;
  private static final int F_OFD_SETLK = 37;
  private static final short F_WRLCK = 1;
  private static final int EACCES = 13;
  private static final int EAGAIN = 11;

  /** The struct flock: type, whence, start, length, process. All zero is the whole file. */
  private static final long FLOCK_BYTES = 32;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
  private static final MethodHandle OPEN =
      call(
          "open",
          FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FLOCK = call("flock", FunctionDescriptor.of(INT, INT, INT));
  private static final MethodHandle FCNTL =
      call(
          "fcntl",
          FunctionDescriptor.of(INT, INT, INT, ValueLayout.ADDRESS),
          Linker.Option.firstVariadicArg(2),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));

  private final int descriptor;

  private DescriptorLock(int descriptor) {
    this.descriptor = descriptor;
  }

  private static MethodHandle call(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
  }

  /** Locks a folder. Waits until nobody else, thread or process, holds its lock. */
  static DescriptorLock onFolder(Path folder) throws IOException {
    DescriptorLock lock = new DescriptorLock(open(folder, READ_ONLY));
    try {
      if ((int) FLOCK.invokeExact(lock.descriptor, LOCK_EX) != 0) {
        lock.close();
        throw new IOException(folder + " cannot be locked; choose a shm.directory on tmpfs");
      }
      return lock;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("flock cannot be called", e);
    }
  }

  /**
   * Locks a file that is there. Such a lock and one of Java's exclude each other.
   *
   * @return null if anybody holds it, be it this process
   */
  static @Nullable DescriptorLock tryOnFile(Path file) throws IOException {
    DescriptorLock lock = new DescriptorLock(open(file, READ_WRITE));
    int error = lock.lockWholeFile();
    if (error == 0) {
      return lock;
    }
    lock.close();
    if (error == EAGAIN || error == EACCES) {
      return null;
    }
    throw new IOException(
        file + " cannot be locked (errno " + error + "); choose a shm.directory on tmpfs");
  }

  private int lockWholeFile() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment whole = arena.allocate(FLOCK_BYTES, Long.BYTES);
      whole.set(ValueLayout.JAVA_SHORT, 0, F_WRLCK);
      boolean isLocked = (int) FCNTL.invokeExact(state, descriptor, F_OFD_SETLK, whole) == 0;
      return isLocked ? 0 : state.get(INT, ERRNO);
    } catch (Throwable e) {
      throw new IllegalStateException("fcntl cannot be called", e);
    }
  }

  private static int open(Path path, int mode) throws IOException {
    int descriptor;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(path.toString());
      descriptor = (int) OPEN.invokeExact(text, mode | CLOSE_ON_EXEC);
    } catch (Throwable e) {
      throw new IllegalStateException("open cannot be called", e);
    }
    if (descriptor < 0) {
      throw new IOException(path + " cannot be opened: is it there, and this user's?");
    }
    return descriptor;
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
