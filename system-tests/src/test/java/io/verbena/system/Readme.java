// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What README.md, or another page, prints for a user to copy. */
final class Readme {

  private static final Path FILE = Path.of("..", "README.md");
  private static final Path KV_PAGE = Path.of("..", "docs", "kv.md");
  private static final Pattern MAIN_CLASS = Pattern.compile("public (?:final )?class (\\w+)");

  private Readme() {}

  /** The first program. */
  static String program() {
    return block(FILE, "java");
  }

  /** The first program of the store. */
  static String programOfTheStore() {
    return block(KV_PAGE, "java");
  }

  /** The lines by which a pom depends on Verbena. */
  static String dependency() {
    return block(FILE, "xml");
  }

  /** The name of the program's main class. */
  static String mainClass() {
    return mainClass(program());
  }

  static String mainClass(String program) {
    Matcher name = MAIN_CLASS.matcher(program);
    assertThat(name.find()).as("the program is a public class").isTrue();
    return name.group(1);
  }

  private static String block(Path page, String language) {
    Matcher blocks = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(text(page));
    assertThat(blocks.find()).as("%s has a ```%s block", page, language).isTrue();
    return blocks.group(1);
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
