// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * Values by source: what the program set goes before system properties, those before the
 * environment, that before files, those before what the program has for want of these. A value is
 * checked when it is read, so that its error can name the source.
 */
public final class ConfigSources {

  private static final String PROPERTY_PREFIX = "verbena.";
  private static final String ENVIRONMENT_PREFIX = "VERBENA_";

  /** A name this near to a key is a slip; one farther away may belong to a tool or a test. */
  private static final int SLIP_DISTANCE = 2;

  /** A beginning shorter than this may be anything. */
  private static final int SHORTEST_CUT = 4;

  private final Map<String, ConfigKey> keys;
  private final Map<String, String> defaults = new HashMap<>();
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

  /** Sets a value that counts if no source has one; of a key that there is not, nothing. */
  public void setDefault(String key, String value) {
    if (keys.containsKey(key)) {
      put(defaults, key, value, "the program");
    }
  }

  /** Reads a properties file; of several the last one read goes first. */
  public void load(Path file) throws IOException {
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      read.load(reader);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(file + " is not a properties file: it has a broken \\u escape");
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    for (String key : read.stringPropertyNames()) {
      put(files, key, read.getProperty(key), file.toString());
      if (known(key, file.toString()).kind() == Kind.SECRET) {
        KeyFile.requirePrivate(file, file + ", which holds " + key + ",");
      }
    }
  }

  /** Most of these exceptions say no more than the file's name. */
  private static IOException unreadable(Path file, IOException e) {
    String asked = "it was to be read as configuration, and ";
    return switch (e) {
      case NoSuchFileException missing ->
          new NoSuchFileException(file.toString(), null, asked + "there is no such file");
      case AccessDeniedException denied ->
          new AccessDeniedException(file.toString(), null, asked + "this user may not read it");
      case CharacterCodingException broken -> new IOException(file + ": " + asked + "is not UTF-8");
      default -> new IOException(file + ": " + asked + "cannot be: " + e.getMessage(), e);
    };
  }

  /** Reads system properties and the environment. */
  public void loadSystem(Properties system, Map<String, String> variables) {
    for (String name : system.stringPropertyNames()) {
      if (name.startsWith(PROPERTY_PREFIX)) {
        String key = name.substring(PROPERTY_PREFIX.length());
        putOurs(properties, key, system.getProperty(name), "system property " + name);
      }
    }
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(ENVIRONMENT_PREFIX)) {
        String key = keyOfVariable(name.substring(ENVIRONMENT_PREFIX.length()));
        putOurs(environment, key, variable.getValue(), "environment variable " + name);
      }
    }
  }

  /** What counts for each key that was set anywhere. */
  public Map<String, String> effective() {
    Map<String, String> all = new HashMap<>(defaults);
    all.putAll(files);
    all.putAll(environment);
    all.putAll(properties);
    all.putAll(set);
    return Map.copyOf(all);
  }

  private static String keyOfVariable(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.');
  }

  private void putOurs(Map<String, String> into, String name, String value, String source) {
    if (keys.containsKey(name) || isSlip(name)) {
      put(into, name, value, source);
    }
  }

  private boolean isSlip(String name) {
    return EditDistance.between(name, nearest(name)) <= SLIP_DISTANCE || isCutShort(name);
  }

  /** In its last word, as {@code encrypt} for {@code encryption}. */
  private boolean isCutShort(String name) {
    return name.length() >= SHORTEST_CUT
        && keys.keySet().stream()
            .anyMatch(key -> key.startsWith(name) && key.indexOf('.', name.length()) < 0);
  }

  private void put(Map<String, String> into, String name, String value, String source) {
    ConfigKey key = known(name, source);
    String stripped = value.strip();
    Values.check(key, stripped, source);
    into.put(name, stripped);
  }

  /** The key of this name; the value is not told, because it may be a secret under a wrong name. */
  private ConfigKey known(String name, String source) {
    ConfigKey key = keys.get(name);
    if (key == null) {
      String fault =
          MergedJars.faultOfKey(name, keys.keySet(), ConfigSources.class.getClassLoader());
      throw new ConfigException(
          "unknown key '"
              + name
              + "' from "
              + source
              + ";"
              + (fault.isEmpty()
                  ? guess(name) + " docs/configuration.md lists all keys"
                  : " " + fault));
    }
    return key;
  }

  /** Nothing if it is too far from every key to be a slip of one. */
  private String guess(String name) {
    String nearest = nearest(name);
    boolean isLikely =
        EditDistance.between(name, nearest) <= Math.max(SLIP_DISTANCE, name.length() / 2);
    return isLikely ? " did you mean '" + nearest + "'?" : "";
  }

  private String nearest(String name) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String key : keys.keySet()) {
      int distance = EditDistance.between(name, key);
      if (distance < least) {
        least = distance;
        best = key;
      }
    }
    return best;
  }
}
