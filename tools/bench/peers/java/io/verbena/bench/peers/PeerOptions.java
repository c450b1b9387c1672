// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

import java.util.HashMap;
import java.util.Map;

/** What a process of a peer is told on its command line: {@code --name=value}. */
public final class PeerOptions {

  private final Map<String, String> values = new HashMap<>();

  /** Reads a command line. */
  public PeerOptions(String[] arguments) {
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException("'" + argument + "': expected --name=value");
      }
      values.put(argument.substring(2, equals), argument.substring(equals + 1));
    }
  }

  /** A value that must be there. */
  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("--" + name + " is missing");
    }
    return value;
  }

  /** A number that must be there. */
  public int number(String name) {
    return Integer.parseInt(text(name));
  }

  /** {@code sender} or {@code receiver}. */
  public String role() {
    return text("role");
  }

  /** Whether this process sends. */
  public boolean sends() {
    return role().equals("sender");
  }

  /** Whether messages are requests that are answered. */
  public boolean hasReplies() {
    return text("workload").equals("latency");
  }

  /** The bytes of a message. */
  public int sizeBytes() {
    return number("size");
  }
}
