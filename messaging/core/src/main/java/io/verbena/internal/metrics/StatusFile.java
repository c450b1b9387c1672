// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file in which a node shows its counters to other processes of its user; docs/top.md describes
 * its layout. A reader compares the sequence before and after it reads: the sequence is odd while
 * the node writes, and has changed once the node has written.
 *
 * <p>It is written to and not mapped: a file system without room is an exception then, and not a
 * page that is missing. It is no channel either, which an interrupted thread would close.
 *
 * <p>Used by one thread at a time.
 */
public final class StatusFile implements AutoCloseable {

  /** The file's first eight bytes, which name layout and version. */
  static final long MAGIC = 0x3150_4F54_4252_4556L; // "VERBTOP1", little-endian

  static final int SEQUENCE_OFFSET = 8;
  static final int LENGTH_OFFSET = 16;
  static final int TEXT_OFFSET = 24;

  /** As long from the start, as readers map it. What was never written to costs nothing. */
  static final int FILE_BYTES = 1 << 20;

  /** As {@code NodeStatus} names them. */
  private static final Pattern NAME = Pattern.compile("(?<pid>[0-9]{1,18})-.*");

  /** A node writes once a second. */
  private static final long SWEPT_AFTER_MS = 60_000;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;
  private final RandomAccessFile file;
  private long sequence;

  /**
   * Makes the file, in place of one of the same name that a former process has left.
   *
   * @param folder made if it is not there; must belong to this user alone
   * @throws IOException if the folder is somebody else's, or the file cannot be made or has no room
   */
  public StatusFile(Path folder, String name) throws IOException {
    makePrivate(folder);
    this.path = folder.resolve(name);
    Files.deleteIfExists(path);
    Files.createFile(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    this.file = new RandomAccessFile(path.toFile(), "rw");
    try {
      file.setLength(FILE_BYTES);
      writeWord(0, MAGIC);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /**
   * Removes files of processes that are gone: killed ones leave theirs, and nobody may ever look at
   * them. What was written to a short while ago stays: its process may live where this one sees no
   * processes, in another container.
   */
  public static void sweep(Path folder) {
    long silentSinceMs = System.currentTimeMillis() - SWEPT_AFTER_MS;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(StatusFile::isOfNobody).toList()) {
        if (Files.getLastModifiedTime(file).toMillis() < silentSinceMs) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // the next node that opens looks again
    }
  }

  private static boolean isOfNobody(Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    return name.matches() && ProcessHandle.of(Long.parseLong(name.group("pid"))).isEmpty();
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

  /**
   * Replaces the text; one that is too long is cut at the end of a line.
   *
   * @throws IOException if there is no room for it; what the file says is of no use then
   */
  public void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = bytes.length;
    if (length > FILE_BYTES - TEXT_OFFSET) {
      length = FILE_BYTES - TEXT_OFFSET;
      while (length > 0 && bytes[length - 1] != '\n') {
        length--;
      }
    }
    // Readers map the file: each of these calls takes and leaves the file's lock in the kernel,
    // which keeps them in order for whoever reads with acquire.
    writeWord(SEQUENCE_OFFSET, ++sequence);
    writeText(bytes, length);
    writeWord(SEQUENCE_OFFSET, ++sequence);
  }

  private void writeWord(long offset, long value) throws IOException {
    write(offset, littleEndian(Long.BYTES).putLong(value));
  }

  /** The length, and the text behind it. */
  private void writeText(byte[] bytes, int length) throws IOException {
    int bodyBytes = TEXT_OFFSET - LENGTH_OFFSET;
    write(
        LENGTH_OFFSET,
        littleEndian(bodyBytes + length).putInt(length).put(bodyBytes, bytes, 0, length));
  }

  private static ByteBuffer littleEndian(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** In one call: a reader finds no word half written. */
  private void write(long offset, ByteBuffer bytes) throws IOException {
    file.seek(offset);
    file.write(bytes.array());
  }

  @Override
  public void close() {
    try (RandomAccessFile closed = file) {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // The next node that opens removes the file once this process has ended.
    }
  }
}
