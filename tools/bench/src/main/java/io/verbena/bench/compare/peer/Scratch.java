// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.process.AtExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A folder for the processes of a contestant, where files are memory if there is such a place.
 * Beside it lies a {@link InUseMark mark} under the same name: a folder whose mark nobody holds was
 * left behind by a run that was killed, and the next run deletes both.
 */
public final class Scratch implements AutoCloseable {

  static final String PREFIX = "verbena-peer-";
  static final String MARK = ".in-use";

  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path path;
  private final Path markFile;
  private final InUseMark mark;
  private final Runnable atExit = this::delete;

  private Scratch(Path markFile, InUseMark mark) {
    this.path = folderOf(markFile);
    this.markFile = markFile;
    this.mark = mark;
    AtExit.add(atExit);
  }

  /** Makes one where files are memory. */
  public static Scratch open() {
    return open(Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** Makes one, and deletes what runs that are over have left. */
  public static Scratch open(Path place) {
    try {
      sweep(place);
      Scratch scratch = null;
      while (scratch == null) { // if another run's sweep came between, which it hardly does
        scratch = tryOpen(place);
      }
      return scratch;
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for a peer in " + place, e);
    }
  }

  private static @Nullable Scratch tryOpen(Path place) throws IOException {
    Path markFile = Files.createTempFile(place, PREFIX, MARK);
    InUseMark mark = InUseMark.take(markFile);
    if (mark == null) {
      return null; // a sweep took it for one that was left, and deletes it
    }
    Scratch scratch = new Scratch(markFile, mark);
    Files.createDirectory(
        scratch.path,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return scratch;
  }

  /** Deletes what runs that are over have left. */
  static void sweep(Path place) throws IOException {
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(place, PREFIX + "*" + MARK)) {
      sweepAll(marks);
    }
  }

  static void sweepAll(Iterable<Path> marks) throws IOException {
    try {
      for (Path markFile : marks) {
        try (InUseMark mark = InUseMark.take(markFile)) {
          if (mark != null) {
            delete(markFile);
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause(); // iterators may not throw it as it is
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  private static Path folderOf(Path markFile) {
    String name = String.valueOf(markFile.getFileName());
    return markFile.resolveSibling(name.substring(0, name.length() - MARK.length()));
  }

  private boolean delete() {
    return delete(markFile);
  }

  /**
   * Deletes the folder of a mark, then the mark: while there is a folder a sweep has to find it.
   */
  private static boolean delete(Path markFile) {
    Path folder = folderOf(markFile);
    try {
      if (Files.exists(folder)) {
        deleteTree(folder);
      }
      Files.deleteIfExists(markFile);
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false; // somebody writes there, or it is another user's: the next sweep tries again
    }
  }

  /** Deletes a folder with all in it. */
  public static void deleteTree(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() {
    if (!delete()) {
      System.err.println("verbena: " + path + " cannot be deleted yet");
      return; // held on to, and tried again at the end
    }
    AtExit.remove(atExit);
    try {
      mark.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close " + markFile, e);
    }
  }
}
