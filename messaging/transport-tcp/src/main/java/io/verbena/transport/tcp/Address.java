// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** {@code host:port} or {@code [ipv6]:port}. */
record Address(String host, int port) {

  static boolean isPossible(String text) {
    try {
      parse(text);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static Address parse(String text) throws IOException {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw bad(text);
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || (!bracketed && host.indexOf(':') >= 0)) {
      throw bad(text);
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port < 0 || port > 65535) {
        throw bad(text);
      }
      return new Address(host, port);
    } catch (NumberFormatException e) {
      throw bad(text);
    }
  }

  private static IOException bad(String text) {
    return new IOException(
        "address '" + text + "' is not host:port or [ipv6]:port with a port of 0 to 65535");
  }

  /** All addresses the host's name stands for. */
  List<InetSocketAddress> resolve() throws IOException {
    try {
      List<InetSocketAddress> all = new ArrayList<>();
      for (InetAddress address : InetAddress.getAllByName(host)) {
        all.add(new InetSocketAddress(address, port));
      }
      return all;
    } catch (UnknownHostException e) {
      throw new IOException(
          "host '" + host + "' is unknown; check the address and the name service", e);
    }
  }

  /** Of the family that this JVM leaves out. */
  static IOException notServed(InetSocketAddress address, RuntimeException e) {
    return new IOException(
        show(address)
            + " is an address of IPv6, and this JVM uses IPv4 alone: start it without"
            + " -Djava.net.preferIPv4Stack=true, or give an address of IPv4",
        e);
  }

  /** A socket address as it is written in configurations. */
  static String show(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
