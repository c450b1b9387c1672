// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the local host that nobody listens on. */
public final class Ports {

  private Ports() {}

  /** A port that was free a moment ago and is not handed out again soon. */
  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on the local host", e);
    }
  }
}
