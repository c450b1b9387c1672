// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the local host that nobody listens on. */
public final class Ports {

  /** Below those the system gives to outgoing connections, which could take one meanwhile. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  private Ports() {}

  /** A port that was free a moment ago and that the system gives to nobody who does not ask. */
  public static int free() {
    int start = ThreadLocalRandom.current().nextInt(COUNT);
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + (start + i) % COUNT;
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port from " + FIRST + " on is free on the local host");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
