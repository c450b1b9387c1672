// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The form of {@code host:port} and {@code [ipv6]:port}. */
final class Addresses {

  private static final int MAX_PORT = 65_535;

  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[[0-9a-fA-F:.]+(?:%[\\w.-]+)?]|[\\w.-]+):(\\d{1,5})");

  private Addresses() {}

  /** Whether a peer can be found there: port 0 is nowhere. */
  static boolean canBeDialled(String address) {
    return port(address) > 0;
  }

  /** Whether a node can listen there: port 0 is any. */
  static boolean canBeListenedOn(String address) {
    return port(address) >= 0;
  }

  /** The port, or -1 if the text is no address. */
  private static int port(String address) {
    Matcher matcher = ADDRESS.matcher(address);
    int port = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
    return port <= MAX_PORT ? port : -1;
  }
}
