// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.Errands;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** A file mapped into memory. Closing unmaps it; late accesses throw instead of crashing. */
final class SharedFile implements AutoCloseable {

  static final String OF_THE_LIMIT =
      "the process may have no files of that size: raise the limit with 'ulimit -f'";

  /** There is no such file, or no longer. */
  static final class MissingException extends IOException {
    private static final long serialVersionUID = 1;

    MissingException(Path path, NoSuchFileException cause) {
      super(
          path
              + " is not there: its node has closed it, or the nodes do not share this file system",
          cause);
    }
  }

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** One for all files: a buffer for each would outlive it until the collector runs. */
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

  private final Path path;
  private final MemorySegment segment;
  private final Arena arena;

  private SharedFile(Path path, FileChannel channel, long bytes) throws IOException {
    this.path = path;
    this.arena = Arena.ofShared();
    MemorySegment mapped = channel.map(MapMode.READ_WRITE, 0, bytes, arena);
    // The same memory as a plain native segment: all lanes then have one class for the JIT.
    this.segment = MemorySegment.ofAddress(mapped.address()).reinterpret(bytes, arena, null);
  }

  /** Creates a zeroed file that only its owner can open; interrupts do not matter. */
  static SharedFile create(Path path, long bytes) throws IOException {
    return Uninterrupted.call(() -> createHere(path, bytes));
  }

  private static SharedFile createHere(Path path, long bytes) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try (FileChannel channel = FileChannel.open(path, options, PRIVATE)) {
      reserve(channel, bytes);
      return new SharedFile(path, channel, bytes);
    } catch (IOException e) {
      Files.deleteIfExists(path);
      throw new IOException(
          "cannot create "
              + path
              + " of "
              + bytes
              + " bytes: "
              + e.getMessage()
              + "; "
              + advice(path, e),
          e);
    }
  }

  /** Whether the process may have no file of that size. */
  static boolean isLimited(IOException e) {
    return String.valueOf(e.getMessage()).contains("File too large");
  }

  private static String advice(Path path, IOException e) {
    Path folder = path.getParent();
    if (e instanceof NoSuchFileException) {
      return "the folder "
          + folder
          + " was emptied or removed since this node opened it: open the node anew; systemd empties"
          + " /dev/shm when a user's last session ends, unless 'loginctl enable-linger' is set for"
          + " the user";
    }
    return isLimited(e) ? OF_THE_LIMIT : "is the file system full ('df -h " + folder + "')?";
  }

  /** Writes every block now: a full file system is an exception here and a crash later. */
  private static void reserve(FileChannel channel, long bytes) throws IOException {
    ByteBuffer zeros = ZEROS.duplicate();
    for (long left = bytes; left > 0; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), left));
      left -= channel.write(zeros);
    }
  }

  /** Maps a file that another process of this user created; interrupts do not matter. */
  static SharedFile open(Path path, long bytes) throws IOException {
    return Uninterrupted.call(() -> openHere(path, bytes));
  }

  private static SharedFile openHere(Path path, long bytes) throws IOException {
    check(path, bytes);
    Set<java.nio.file.OpenOption> options =
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try (FileChannel channel = FileChannel.open(path, options)) {
      if (channel.size() != bytes) {
        throw new IOException(path + " has " + channel.size() + " bytes; expected " + bytes);
      }
      return new SharedFile(path, channel, bytes);
    } catch (NoSuchFileException e) {
      throw new MissingException(path, e);
    }
  }

  private static void check(Path path, long bytes) throws IOException {
    PosixFileAttributes attributes;
    try {
      attributes = Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException e) {
      throw new MissingException(path, e);
    }
    if (!attributes.isRegularFile() || attributes.size() != bytes) {
      throw new IOException(path + " is no regular file of " + bytes + " bytes");
    }
    if (!attributes.owner().equals(Files.getOwner(path.getParent()))) {
      throw new IOException(path + " belongs to " + attributes.owner() + ", not to this user");
    }
  }

  MemorySegment segment() {
    return segment;
  }

  Path path() {
    return path;
  }

  /**
   * Unmaps, now or as soon as the last thread that sleeps on a word of it is awake; the file stays.
   */
  @Override
  public void close() {
    if (!tryUnmap()) {
      Errands.run("verbena-shm-unmap", this::unmapSoon);
    }
  }

  private void unmapSoon() {
    while (!tryUnmap()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private boolean tryUnmap() {
    try {
      if (arena.scope().isAlive()) {
        arena.close();
      }
      return true;
    } catch (IllegalStateException e) {
      return !arena.scope().isAlive(); // a futex call of another thread holds it a moment longer
    }
  }

  /** Unmaps and deletes. */
  void closeAndDelete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // It lies in a private folder and is swept with its owner's other leftovers.
    }
    close();
  }
}
