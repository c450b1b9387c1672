// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ClusterKey;
import io.verbena.transport.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the cluster key; says nothing about it. */
public final class KeyFile {

  static final int MIN_BYTES = 16;

  private KeyFile() {}

  /** The key given as text or in a file; null if neither is given. */
  public static @Nullable ClusterKey key(String text, String file) {
    if (!text.isEmpty() && !file.isEmpty()) {
      throw new ConfigException("cluster.key and cluster.key.file are both set; choose one");
    }
    if (!file.isEmpty()) {
      return keyOf("the key in cluster.key.file " + file, read(file));
    }
    return text.isEmpty() ? null : keyOf("cluster.key", text);
  }

  private static ClusterKey keyOf(String what, String secret) {
    if (!isLongEnough(secret)) {
      throw new ConfigException(
          what + ": expected at least " + MIN_BYTES + " bytes; 'openssl rand -hex 32' makes a key");
    }
    return new ClusterKey(bytes(secret));
  }

  static boolean isLongEnough(String secret) {
    return bytes(secret).length >= MIN_BYTES;
  }

  private static byte[] bytes(String secret) {
    return secret.getBytes(StandardCharsets.UTF_8);
  }

  private static String read(String name) {
    try {
      Path file = Path.of(name);
      requirePrivate(file, "cluster.key.file " + file);
      return Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      throw unreadable(name, "there is no such file");
    } catch (InvalidPathException e) {
      throw unreadable(name, "it cannot be the name of a file");
    } catch (IOException e) {
      throw unreadable(name, e.toString());
    }
  }

  private static ConfigException unreadable(String name, String why) {
    return new ConfigException("cluster.key.file " + name + " cannot be read: " + why);
  }

  /**
   * Refuses a file that others than its owner have access to.
   *
   * @param what the file in words, for the error
   */
  static void requirePrivate(Path file, String what) throws IOException {
    String exposure = PrivateFile.exposure(file);
    if (!exposure.isEmpty()) {
      throw new ConfigException(what + " " + exposure);
    }
  }
}
