// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.config.CoreKeys;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Keeps the tables of docs/configuration.md equal to the keys in the code. To write them anew:
 *
 * <pre>mvn verify -pl system-tests -am -Dtest=ConfigurationPageTest
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dverbena.test.update=true</pre>
 */
class ConfigurationPageTest {

  private static final Path PAGE = Path.of("..", "docs", "configuration.md");
  private static final String BEGIN = "<!-- keys: made by ConfigurationPageTest -->\n";
  private static final String END = "<!-- end of keys -->\n";

  @Test
  void pageHasExactlyTheKeysOfTheCode() throws IOException {
    String page = Files.readString(PAGE);
    String expected = withTables(page, tables());
    if (Boolean.getBoolean("verbena.test.update")) {
      Files.writeString(PAGE, expected);
      return;
    }
    assertThat(page)
        .as("docs/configuration.md; -Dverbena.test.update=true writes it anew")
        .isEqualTo(expected);
  }

  private static String withTables(String page, String tables) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    assertThat(begin).as("the mark where keys begin").isNotNegative();
    assertThat(end).as("the mark where keys end").isGreaterThan(begin);
    return page.substring(0, begin + BEGIN.length()) + tables + page.substring(end);
  }

  private static String tables() {
    StringBuilder text = new StringBuilder();
    appendTable(text, "The node", CoreKeys.list());
    for (TransportProvider provider : shippedProviders()) {
      appendTable(text, "Transport `" + provider.name() + "`", provider.keys());
    }
    return text.append('\n').toString();
  }

  /** Those of the product: what a test kit adds has no keys. */
  private static List<TransportProvider> shippedProviders() {
    return StreamSupport.stream(ServiceLoader.load(TransportProvider.class).spliterator(), false)
        .filter(provider -> !provider.keys().isEmpty())
        .sorted(Comparator.comparing(TransportProvider::name))
        .toList();
  }

  private static void appendTable(StringBuilder text, String title, List<ConfigKey> keys) {
    text.append("\n## ").append(title).append("\n\n");
    text.append("| key | default | range | what it does |\n|---|---|---|---|\n");
    keys.forEach(key -> text.append(row(key)));
  }

  private static String row(ConfigKey key) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            key.name(), code(key.defaultValue()), cell(key.range()), cell(key.description()));
  }

  private static String code(String value) {
    return value.isEmpty() ? "" : "`" + cell(value) + "`";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
