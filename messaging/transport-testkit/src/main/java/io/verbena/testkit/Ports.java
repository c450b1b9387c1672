// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports of the local host that nobody listens on. */
public final class Ports {

  /** Below those the system gives to outgoing connections, which could take one meanwhile. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  /**
   * Goes round, so that a port is not given again while it only waits for its node to be opened.
   */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private Ports() {}

  /** A port that was free a moment ago and that the system gives to nobody who does not ask. */
  public static int free() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + NEXT.getAndUpdate(at -> (at + 1) % COUNT);
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
