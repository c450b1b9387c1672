// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.process.AtExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder for the processes of a contestant, where files are memory if there is such a place. Its
 * name begins with the number of the process it is for: one whose process is gone was left behind
 * by a run that was killed, and the next run deletes it.
 *
 * @param path where it is
 */
record Scratch(Path path) implements AutoCloseable {

  private static final String PREFIX = "verbena-peer-";
  private static final Path MEMORY = Path.of("/dev/shm");

  static Scratch open() {
    Path place = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      sweep(place);
      String prefix = PREFIX + ProcessHandle.current().pid() + "-";
      Path path = Files.createTempDirectory(place, prefix);
      AtExit.add(path);
      return new Scratch(path);
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for a peer in " + place, e);
    }
  }

  /** Deletes what runs that are over have left. */
  static void sweep(Path place) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, PREFIX + "*")) {
      for (Path folder : folders) {
        if (!isInUse(folder)) {
          AtExit.delete(folder);
        }
      }
    }
  }

  private static boolean isInUse(Path folder) {
    String[] words = folder.getFileName().toString().substring(PREFIX.length()).split("-");
    try {
      return ProcessHandle.of(Long.parseLong(words[0])).map(ProcessHandle::isAlive).orElse(false);
    } catch (NumberFormatException e) {
      return true; // not one of ours
    }
  }

  @Override
  public void close() {
    if (!AtExit.delete(path)) {
      System.err.println("verbena: " + path + " cannot be deleted yet");
    }
  }
}
