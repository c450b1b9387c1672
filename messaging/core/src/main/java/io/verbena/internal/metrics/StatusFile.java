// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A mapped file in which a node shows its counters to other processes of its user; docs/top.md
 * describes its layout. A reader compares the sequence before and after it reads: the sequence is
 * odd while the node writes, and has changed once the node has written.
 *
 * <p>Used by one thread at a time.
 */
public final class StatusFile implements AutoCloseable {

  /** The file's first eight bytes, which name layout and version. */
  static final long MAGIC = 0x3150_4F54_4252_4556L; // "VERBTOP1", little-endian

  static final int SEQUENCE_OFFSET = 8;
  static final int LENGTH_OFFSET = 16;
  static final int TEXT_OFFSET = 24;

  /** Pages that were never written to cost nothing on tmpfs. */
  static final int FILE_BYTES = 1 << 20;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt HALF =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SEQUENCE = WORD.varHandle();

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;
  private long sequence;

  /**
   * Makes the file, in place of one of the same name that a former process has left.
   *
   * @param folder made if it is not there; must belong to this user alone
   * @throws IOException if the folder is somebody else's, or the file cannot be made
   */
  public StatusFile(Path folder, String name) throws IOException {
    makePrivate(folder);
    this.path = folder.resolve(name);
    Files.deleteIfExists(path);
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      this.segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, arena);
    } catch (Throwable e) {
      arena.close();
      throw e;
    }
    segment.set(WORD, 0, MAGIC);
  }

  private static void makePrivate(Path folder) throws IOException {
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_FOLDER));
    } catch (FileAlreadyExistsException e) {
      PosixFileAttributes found =
          Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      boolean isMine = found.owner().equals(Files.getOwner(Path.of("/proc/self")));
      if (!found.isDirectory() || !isMine || !OWNER_FOLDER.containsAll(found.permissions())) {
        throw new IOException(
            folder
                + " is not a folder of this user alone ("
                + found.owner()
                + ", "
                + PosixFilePermissions.toString(found.permissions())
                + ")",
            e);
      }
    }
  }

  /** Replaces the text; one that is too long is cut at the end of a line. */
  public void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = bytes.length;
    if (length > FILE_BYTES - TEXT_OFFSET) {
      length = FILE_BYTES - TEXT_OFFSET;
      while (length > 0 && bytes[length - 1] != '\n') {
        length--;
      }
    }
    SEQUENCE.setVolatile(segment, (long) SEQUENCE_OFFSET, ++sequence);
    VarHandle.storeStoreFence(); // a reader of new bytes finds the sequence odd or changed
    segment.set(HALF, LENGTH_OFFSET, length);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, TEXT_OFFSET, length);
    SEQUENCE.setRelease(
        segment, (long) SEQUENCE_OFFSET, ++sequence); // pairs with the reader's acquire
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // The next 'verbena top' removes the file once this process has ended.
    }
    arena.close();
  }
}
