// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file that results are written to, perhaps several times during a run. */
public final class JsonFile {

  private JsonFile() {}

  /**
   * Writes the text so that whoever reads the file sees all of it or what was there before. What is
   * no plain file, a pipe, a link or {@code /dev/null}, is written to and stays what it is.
   */
  public static void write(Path file, String text) throws IOException {
    if (!isPlainOrNew(file)) {
      Files.writeString(file, text);
      return;
    }
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) { // a folder that is not ours, or a file that is mounted there
      Files.deleteIfExists(next);
      Files.writeString(file, text);
    }
  }

  private static boolean isPlainOrNew(Path file) {
    return Files.notExists(file, LinkOption.NOFOLLOW_LINKS)
        || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
  }
}
