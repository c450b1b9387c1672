// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Stands between two nodes: passes bytes on in small odd pieces, cuts after so many. */
final class Chopper implements AutoCloseable {

  private final ServerSocket server;
  private final int target;
  private final SplittableRandom random;
  private final int largestPiece;
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream(); // of all that passes
  private final AtomicLong cutAfterTo = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong cutAfterFrom = new AtomicLong(Long.MAX_VALUE);

  Chopper(int target, long seed, int largestPiece) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    this.random = new SplittableRandom(seed);
    this.largestPiece = largestPiece;
    Thread.ofVirtual().start(this::run);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Cuts after so many bytes towards the target, counted from now; once. */
  void cutAfterBytesTo(long bytes) {
    cutAfterTo.set(bytes);
  }

  /** Cuts after so many bytes from the target, counted from now; once. */
  void cutAfterBytesFrom(long bytes) {
    cutAfterFrom.set(bytes);
  }

  /** What came by so far, in both directions. */
  byte[] seen() {
    return seen.toByteArray();
  }

  private void run() {
    try {
      while (true) {
        Socket from = server.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
        from.setTcpNoDelay(true);
        to.setTcpNoDelay(true);
        pass(from, to, cutAfterTo, random.split());
        pass(to, from, cutAfterFrom, random.split());
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to, AtomicLong left, SplittableRandom pieces) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (from;
                  to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] piece = new byte[largestPiece];
                int n = in.read(piece, 0, pieces.nextInt(1, largestPiece + 1));
                while (n >= 0) {
                  seen.write(piece, 0, n);
                  long rest = left.addAndGet(-n);
                  if (rest <= 0 && rest > -(1L << 40)) {
                    left.set(Long.MAX_VALUE);
                    out.write(piece, 0, (int) (n + rest));
                    return;
                  }
                  out.write(piece, 0, n);
                  n = in.read(piece, 0, pieces.nextInt(1, largestPiece + 1));
                }
              } catch (IOException e) {
                // The other direction ended first.
              }
            });
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
