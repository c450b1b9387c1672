// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version the build wrote down. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {
      "verbena " + text(), "JDK " + Runtime.version() + ", " + System.getProperty("os.name")
    };
  }

  private static String text() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the version cannot be read", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
