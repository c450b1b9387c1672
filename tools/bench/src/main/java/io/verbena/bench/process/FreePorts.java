// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this host that nobody listens on. */
public final class FreePorts {

  /** Below those that the system gives to outgoing connections, which could take one meanwhile. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  private FreePorts() {}

  /** Finds some: they were free a moment ago, and the system gives them to nobody unasked. */
  public static List<Integer> find(int count) {
    List<ServerSocket> held = new ArrayList<>();
    int start = ThreadLocalRandom.current().nextInt(COUNT); // so that two that look find others
    try {
      for (int i = 0; i < COUNT && held.size() < count; i++) {
        hold(FIRST + (start + i) % COUNT, held);
      }
      if (held.size() < count) {
        throw new UncheckedIOException(
            new IOException(
                "of the ports from %d on %d are free, %d are needed"
                    .formatted(FIRST, held.size(), count)));
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      held.forEach(FreePorts::close);
    }
  }

  private static void hold(int port, List<ServerSocket> held) {
    try {
      held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    } catch (IOException e) {
      // It is somebody's.
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
