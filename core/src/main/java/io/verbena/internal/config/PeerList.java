// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code 2=host:port,3=[::1]:7003,4=}. */
public final class PeerList {

  private static final Pattern ENTRY = Pattern.compile("\\s*(\\d{1,5})\\s*=\\s*([^,\\s]*)\\s*");
  private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.%\\w]+]|[^:\\[\\]]+):(\\d{1,5})");

  private PeerList() {}

  /** The peers of the list and those added in the program, which go first. */
  public static Map<Integer, String> merged(String list, Map<Integer, String> added) {
    Map<Integer, String> peers = new TreeMap<>();
    if (!list.isBlank()) {
      for (String entry : list.split(",")) {
        Matcher matcher = ENTRY.matcher(entry);
        if (!matcher.matches()) {
          throw new ConfigException(
              "peers: '" + entry.strip() + "' is not of the form id=host:port or id=");
        }
        int id = checkedId(Integer.parseInt(matcher.group(1)));
        peers.put(id, checkedAddress(id, matcher.group(2)));
      }
    }
    peers.putAll(added);
    return Map.copyOf(peers);
  }

  /** The id if it can be one. */
  public static int checkedId(int id) {
    if (id < 0 || id > 65_535) {
      throw new ConfigException("peer id " + id + ": expected 0..65535");
    }
    return id;
  }

  /** The address if it has the form of one. */
  public static String checkedAddress(int id, String address) {
    Matcher matcher = ADDRESS.matcher(address);
    boolean good =
        address.isEmpty()
            || (matcher.matches() && Integer.parseInt(matcher.group(2)) <= 65_535);
    if (!good) {
      throw new ConfigException(
          "address '" + address + "' of peer " + id + ": expected host:port or [ipv6]:port");
    }
    return address;
  }
}
