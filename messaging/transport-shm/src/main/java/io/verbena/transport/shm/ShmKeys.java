// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** This transport's configuration keys. */
final class ShmKeys {

  static final ConfigKey DIRECTORY =
      new ConfigKey(
          "shm.directory",
          Kind.TEXT,
          "",
          "a folder on tmpfs",
          "Where lanes and sockets lie; empty means /dev/shm/verbena-UID. Nodes that are to share"
              + " memory name the same one.");

  static final ConfigKey HANDSHAKE_TIMEOUT =
      new ConfigKey(
          "shm.handshake.timeout",
          Kind.DURATION,
          "5s",
          "100ms..1m",
          "How long an incoming connection may take to say who it is.");

  /** The core's key: its port becomes part of the node's name in the folder. */
  static final ConfigKey LISTEN = new ConfigKey("listen", Kind.TEXT, "", "", "");

  /** The core's key: how much a peer may have to say on a link's socket depends on it. */
  static final ConfigKey LANES_MAX = new ConfigKey("lanes.max", Kind.NUMBER, "64", "", "");

  static final List<ConfigKey> ALL = List.of(DIRECTORY, HANDSHAKE_TIMEOUT);

  private ShmKeys() {}

  static Path directory(TransportContext context) throws IOException {
    String set = context.setting(DIRECTORY);
    try {
      return Path.of(set.isEmpty() ? "/dev/shm/verbena-" + userId() : set);
    } catch (InvalidPathException e) {
      throw new IOException(
          "shm.directory cannot be '"
              + set
              + "' here: "
              + e.getReason()
              + "; letters beyond ASCII need a locale with UTF-8 (LC_ALL=C.UTF-8)",
          e);
    }
  }

  private static Object userId() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }
}
