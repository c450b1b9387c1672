// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

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
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the local host that nobody listens on, and that no other process gets from here while
 * this one waits to listen on them. A process reserves a port by locking the byte with its number
 * in a file that all processes of the user share, those of the command line, too; the system
 * unlocks it when the process ends.
 */
public final class Ports {

  /** Below those the system gives to outgoing connections, which could take one meanwhile. */
  private static final int FIRST = 20_000;

  private static final int COUNT = 12_000;

  /** So many are reserved by one process, the latest. */
  private static final int MOST_RESERVED = 2_000;

  private static final FileChannel RESERVATIONS = open();
  private static final Queue<FileLock> RESERVED = new ArrayDeque<>();

  /**
   * Goes round, so that a port is not given again while it only waits for its node to be opened.
   */
  private static int next = ThreadLocalRandom.current().nextInt(COUNT);

  private Ports() {}

  /** A port that nobody listens on, and that the system gives to nobody who does not ask. */
  public static synchronized int free() {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + next;
      next = (next + 1) % COUNT;
      if (reserve(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port from " + FIRST + " on is free on the local host");
  }

  /** Whether the port is now this process's, and was not before. */
  static synchronized boolean reserve(int port) {
    try {
      FileLock lock = RESERVATIONS.tryLock(port, 1, false);
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
    } catch (IOException e) {
      throw new UncheckedIOException("cannot reserve port " + port, e);
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

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
