// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files in which a Linux host tells about itself.
 *
 * @param root {@code /}, or a folder that looks like it
 */
record HostFiles(Path root) {

  static HostFiles ofThisHost() {
    return new HostFiles(Path.of("/"));
  }

  /** The text of a file without white space around it; empty if it cannot be read. */
  Optional<String> text(String path) {
    // Files asks for the size, which is 0 of the kernel's files, and then reads one byte, behind
    // which some of them have nothing more.
    try (InputStream file = new FileInputStream(at(path).toFile())) {
      return Optional.of(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  boolean isFolder(String path) {
    return Files.isDirectory(at(path));
  }

  /** Whatever it is, a link that leads nowhere too. */
  boolean isThere(String path) {
    return Files.exists(at(path), LinkOption.NOFOLLOW_LINKS);
  }

  /** The number of the user that a file belongs to; empty if it cannot be told. */
  Optional<String> ownerId(String path) {
    try {
      Object id = Files.getAttribute(at(path), "unix:uid", LinkOption.NOFOLLOW_LINKS);
      return Optional.of(String.valueOf(id));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Who may do what with a file; nobody anything if it cannot be told. */
  Set<PosixFilePermission> permissions(String path) {
    try {
      return Files.getPosixFilePermissions(at(path), LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      return Set.of();
    }
  }

  /** The number of the user whose process this is: the effective one. */
  Optional<String> userId() {
    return text("proc/self/status")
        .flatMap(text -> text.lines().filter(line -> line.startsWith("Uid:")).findFirst())
        .map(line -> line.split("\\s+")[2]);
  }

  boolean isWritable(String path) {
    return Files.isWritable(at(path));
  }

  /** The names in a folder, in their order; none if it cannot be read. */
  List<String> names(String path) {
    try (Stream<Path> entries = Files.list(at(path))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** How much can still be written below a folder. */
  long freeBytes(String path) {
    try {
      FileStore store = Files.getFileStore(at(path));
      return store.getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The soft limit of this name in {@code /proc/self/limits}; empty if it is not there. */
  Optional<String> limit(String name) {
    return text("proc/self/limits")
        .flatMap(text -> text.lines().filter(line -> line.startsWith(name)).findFirst())
        .map(line -> line.substring(name.length()).strip().split("\\s+", 2)[0]);
  }

  /** A number of {@code /proc/meminfo}, in its unit there; 0 if it is not there. */
  long memoryInfo(String name) {
    return text("proc/meminfo")
        .flatMap(text -> text.lines().filter(line -> line.startsWith(name + ':')).findFirst())
        .map(line -> Long.parseLong(line.substring(name.length() + 1).strip().split("\\s+", 2)[0]))
        .orElse(0L);
  }

  private Path at(String path) {
    return root.resolve(path);
  }
}
