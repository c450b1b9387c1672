// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import io.verbena.ConfigException;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code 2=host:port,3=[::1]:7003,4=}. */
public final class PeerList {

  private static final int MAX_ID = 65_535;

  private static final Pattern ENTRY = Pattern.compile("\\s*(\\d{1,9})\\s*=\\s*([^,\\s]*)\\s*");

  private PeerList() {}

  /** The peers of the list and those added in the program, which go first; ordered by id. */
  public static SortedMap<Integer, String> merged(String list, Map<Integer, String> added) {
    SortedMap<Integer, String> peers = parse(list);
    peers.putAll(added);
    return Collections.unmodifiableSortedMap(peers);
  }

  /**
   * The peers of a list, by id.
   *
   * @throws ConfigException if it is none; the text names the entry
   */
  static SortedMap<Integer, String> parse(String list) {
    SortedMap<Integer, String> peers = new TreeMap<>();
    if (list.isBlank()) {
      return peers;
    }
    for (String entry : list.split(",", -1)) {
      Matcher matcher = ENTRY.matcher(entry);
      if (!matcher.matches()) {
        throw new ConfigException("'" + entry.strip() + "' is not of the form id=host:port or id=");
      }
      int id = checkedId(Integer.parseInt(matcher.group(1)));
      if (peers.put(id, checkedAddress(id, matcher.group(2))) != null) {
        throw new ConfigException("peer " + id + " stands there twice");
      }
    }
    return peers;
  }

  /** The id if it can be one. */
  public static int checkedId(int id) {
    if (id < 0 || id > MAX_ID) {
      throw new ConfigException("peer id " + id + ": expected 0.." + MAX_ID);
    }
    return id;
  }

  /** The address if it has the form of one. */
  public static String checkedAddress(int id, String address) {
    if (!address.isEmpty() && !Addresses.canBeDialled(address)) {
      throw new ConfigException(
          "address '"
              + address
              + "' of peer "
              + id
              + ": expected host:port or [ipv6]:port, with a port from 1 to 65535, or nothing");
    }
    return address;
  }
}
