// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is locked for as long as what it stands for is in use. The kernel lets go of the lock
 * however its process ends, and shows it to every process that sees the file: processes in
 * different containers have numbers that say nothing to each other.
 */
final class InUseMark implements AutoCloseable {

  /**
   * Those this process holds. Such a file must not be opened again: closing that second channel
   * would let go of the lock, which is the process's and not the channel's.
   */
  private static final Set<Path> HELD = new HashSet<>();

  private final Path file;
  private final FileChannel channel;

  private InUseMark(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Locks a file that is there.
   *
   * @return null if somebody holds it, it is another user's or no file, or it is gone
   */
  static @Nullable InUseMark take(Path file) throws IOException {
    synchronized (HELD) {
      if (HELD.contains(file)) {
        return null;
      }
      InUseMark mark = lock(file);
      if (mark != null) {
        HELD.add(file);
      }
      return mark;
    }
  }

  private static @Nullable InUseMark lock(Path file) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return null; // gone, another user's, or no file: anybody may put one here
    }
    boolean isTaken = false;
    try {
      // Whoever held it before may have deleted it meanwhile: then the lock is of no file any more.
      isTaken = channel.tryLock() != null && Files.exists(file);
      return isTaken ? new InUseMark(file, channel) : null;
    } finally {
      if (!isTaken) {
        channel.close();
      }
    }
  }

  /** Lets go of it. */
  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      channel.close();
      HELD.remove(file);
    }
  }
}
