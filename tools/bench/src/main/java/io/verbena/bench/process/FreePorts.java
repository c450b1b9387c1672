// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports of this host that nobody listens on, and that no other process gets from here while this
 * one's children start that are to listen there. A process reserves a port by locking the byte with
 * its number in a file that all processes of the user share; the system unlocks it when the process
 * ends.
 */
public final class FreePorts {

  /** Below those that the system gives to outgoing connections, which could take one meanwhile. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  /** So many are reserved by one process, the latest. */
  private static final int MOST_RESERVED = 1_000;

  private static final Queue<FileLock> RESERVED = new ArrayDeque<>();
  private static @Nullable FileChannel reservations;

  private FreePorts() {}

  /** Finds some: nobody listens there, and the system gives them to nobody unasked. */
  public static synchronized List<Integer> find(int count) {
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
      if (reserve(port)) {
        held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      }
    } catch (IOException e) {
      // It is somebody's.
    }
  }

  /** Whether the port is now this process's, and was not before. */
  static synchronized boolean reserve(int port) throws IOException {
    if (reservations == null) {
      reservations = open();
    }
    try {
      FileLock lock = reservations.tryLock(port, 1, false);
      if (lock == null) {
        return false; // another process's
      }
      RESERVED.add(lock);
      if (RESERVED.size() > MOST_RESERVED) {
        RESERVED.remove().release();
      }
      return true;
    } catch (OverlappingFileLockException e) {
      return false; // this process's already
    }
  }

  private static FileChannel open() {
    String name = "verbena-ports-" + System.getProperty("user.name");
    Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
    try {
      return FileChannel.open(
          file,
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException e) {
      throw new UncheckedIOException("%s, which reserves ports: remove it".formatted(file), e);
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
