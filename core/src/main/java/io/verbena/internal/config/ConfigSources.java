// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Values by source; nearer ones go before farther ones. */
public final class ConfigSources {

  private static final String PROPERTY_PREFIX = "verbena.";
  private static final String ENVIRONMENT_PREFIX = "VERBENA_";

  private final Map<String, ConfigKey> keys;
  private final Map<String, String> files = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> set = new HashMap<>();

  /** Accepts these keys and no others. */
  public ConfigSources(Map<String, ConfigKey> keys) {
    this.keys = keys;
  }

  /** Sets a value in the program. */
  public void set(String key, String value) {
    put(set, key, value, "the program");
  }

  /** Reads a properties file. */
  public void load(Path file) throws IOException {
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      read.load(reader);
    }
    for (String key : read.stringPropertyNames()) {
      put(files, key, read.getProperty(key), file.toString());
    }
  }

  /** Reads system properties and the environment. */
  public void loadSystem(Properties system, Map<String, String> variables) {
    for (String name : system.stringPropertyNames()) {
      String key = name.startsWith(PROPERTY_PREFIX) ? name.substring(8) : "";
      if (keys.containsKey(key)) {
        // Others with this prefix may belong to tools and tests: they are not ours to refuse.
        put(properties, key, system.getProperty(name), "system property " + name);
      }
    }
    variables.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)) {
            String key = name.substring(8).toLowerCase(Locale.ROOT).replace('_', '.');
            if (keys.containsKey(key)) {
              put(environment, key, value, "environment variable " + name);
            }
          }
        });
  }

  /** What counts for each key that was set anywhere. */
  public Map<String, String> effective() {
    Map<String, String> all = new HashMap<>(files);
    all.putAll(environment);
    all.putAll(properties);
    all.putAll(set);
    return Map.copyOf(all);
  }

  private void put(Map<String, String> into, String name, String value, String source) {
    ConfigKey key = keys.get(name);
    if (key == null) {
      throw new ConfigException(
          "unknown key '" + name + "' from " + source + "; did you mean '" + nearest(name) + "'?");
    }
    Values.check(key, value, source);
    into.put(name, value.strip());
  }

  private String nearest(String name) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String key : keys.keySet()) {
      int distance = distance(name, key);
      if (distance < least) {
        least = distance;
        best = key;
      }
    }
    return best;
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
