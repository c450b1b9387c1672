// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What README.md prints for a user to copy. */
final class Readme {

  private static final Path FILE = Path.of("..", "README.md");
  private static final Pattern MAIN_CLASS = Pattern.compile("public (?:final )?class (\\w+)");

  private Readme() {}

  /** The first program. */
  static String program() {
    return block("java");
  }

  /** The lines by which a pom depends on Verbena. */
  static String dependency() {
    return block("xml");
  }

  /** The name of the program's main class. */
  static String mainClass() {
    Matcher name = MAIN_CLASS.matcher(program());
    assertThat(name.find()).as("the program of README.md is a public class").isTrue();
    return name.group(1);
  }

  private static String block(String language) {
    Matcher blocks = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(text());
    assertThat(blocks.find()).as("README.md has a ```%s block", language).isTrue();
    return blocks.group(1);
  }

  private static String text() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
