// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The file descriptors of this process, as far as the system shows them. */
public final class OpenFiles {

  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private OpenFiles() {}

  /** Whether this system shows them. */
  public static boolean areVisible() {
    return Files.isDirectory(DESCRIPTORS);
  }

  /** How many sockets, pipes, event and shared memory descriptors are open, by kind. */
  public static Map<String, Integer> count() {
    Map<String, Integer> kinds = new TreeMap<>();
    try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
      descriptors.forEach(descriptor -> kinds.merge(kindOf(descriptor), 1, Integer::sum));
    } catch (IOException e) {
      return Map.of();
    }
    kinds.remove("");
    return kinds;
  }

  private static String kindOf(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      if (target.startsWith("/")) {
        return target.startsWith("/dev/shm") || target.contains("verbena-shm") ? target : "";
      }
      return target.replaceAll(":.*", "");
    } catch (IOException e) {
      return ""; // closed meanwhile: the descriptor of the listing itself
    }
  }
}
