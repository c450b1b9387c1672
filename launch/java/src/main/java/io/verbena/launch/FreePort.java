// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** A port of an address that nobody uses at the moment, neither by TCP nor by UDP. */
final class FreePort {

  private static final int TRIES = 100;

  private FreePort() {}

  static int at(String address) {
    IOException last = new IOException("none was tried");
    for (int tries = 0; tries < TRIES; tries++) {
      try (ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getByName(address));
          DatagramSocket udp =
              new DatagramSocket(new InetSocketAddress(tcp.getInetAddress(), tcp.getLocalPort()))) {
        return udp.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw new JobException("no port of " + address + " can be had: " + last.getMessage());
  }
}
