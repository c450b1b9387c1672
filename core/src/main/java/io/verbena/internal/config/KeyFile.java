// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import io.verbena.transport.ClusterKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the cluster key; says nothing about it. */
public final class KeyFile {

  private static final int MIN_BYTES = 16;
  private static final Set<PosixFilePermission> OWNER =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private KeyFile() {}

  /** The key given as text or in a file; null if neither is given. */
  public static @Nullable ClusterKey key(String text, String file) {
    if (!text.isEmpty() && !file.isEmpty()) {
      throw new ConfigException("cluster.key and cluster.key.file are both set; choose one");
    }
    String secret = file.isEmpty() ? text : read(Path.of(file));
    if (secret.isEmpty() && file.isEmpty()) {
      return null;
    }
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_BYTES) {
      throw new ConfigException(
          (file.isEmpty() ? "cluster.key" : "the key in " + file) + " has " + bytes.length
              + " bytes: expected at least " + MIN_BYTES);
    }
    return new ClusterKey(bytes);
  }

  private static String read(Path file) {
    try {
      if (!OWNER.containsAll(Files.getPosixFilePermissions(file))) {
        throw new ConfigException(
            "cluster.key.file " + file + " can be read by others; run 'chmod 600 " + file + "'");
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ConfigException("cluster.key.file " + file + " cannot be read: " + e);
    }
  }
}
