// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The text to count: files that were named, folders, or the sources of this repository. */
public final class TextFiles {

  private static final Set<String> SUFFIXES =
      Set.of("java", "md", "xml", "properties", "txt", "yml", "yaml", "sh", "h", "c", "cpp", "py");

  private static final Set<String> BUILD_FOLDERS = Set.of("target", "build", "node_modules");

  private TextFiles() {}

  /**
   * Reads the named files, and the text files in named folders.
   *
   * @throws DemoException if there is nothing to read, saying what to name instead
   */
  public static List<String> read(List<Path> named) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : named.isEmpty() ? List.of(repository()) : named) {
      files.addAll(filesAt(path));
    }
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      // Bytes that are no UTF-8 become replacement characters: any file has words.
      texts.add(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static List<Path> filesAt(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return List.of(path);
    }
    if (!Files.isDirectory(path)) {
      throw new DemoException("cannot read " + path + ": it is neither a file nor a folder");
    }
    try (Stream<Path> found = Files.walk(path)) {
      List<Path> files = found.filter(file -> isText(path.relativize(file))).sorted().toList();
      if (files.isEmpty()) {
        throw new DemoException("no text files in " + path + ": name some files");
      }
      return files.stream().filter(Files::isRegularFile).toList();
    }
  }

  private static boolean isText(Path file) {
    for (Path part : file) {
      if (part.toString().startsWith(".") || BUILD_FOLDERS.contains(part.toString())) {
        return false;
      }
    }
    String name = file.toString();
    return SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1));
  }

  /** The folder above these classes that holds the repository, else the working directory. */
  private static Path repository() {
    try {
      Path place =
          Path.of(TextFiles.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      for (Path folder = place; folder != null; folder = folder.getParent()) {
        if (Files.exists(folder.resolve("verbena"))
            && Files.isDirectory(folder.resolve("messaging"))) {
          return folder;
        }
      }
    } catch (URISyntaxException e) {
      // classes from elsewhere: the working directory will do
    }
    return Path.of("");
  }
}
