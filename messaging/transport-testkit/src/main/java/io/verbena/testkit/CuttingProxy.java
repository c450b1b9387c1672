// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Forwards TCP connections to a port of this host, and breaks them when told to: now, after a
 * number of bytes, or by going silent. Listens on a port of its own.
 */
public final class CuttingProxy implements AutoCloseable {

  private static final int BUFFER_BYTES = 16 * 1024;

  private final ServerSocket listener;
  private final int targetPort;
  private final Set<Pipe> pipes = ConcurrentHashMap.newKeySet();
  private final AtomicLong forwarded = new AtomicLong();
  private volatile boolean stalled;
  private volatile boolean refusing;
  private volatile long cutAt = Long.MAX_VALUE; // of all bytes forwarded, both ways

  /**
   * Starts to forward to {@code targetPort}; whether anybody listens there is seen at each dial.
   */
  public CuttingProxy(int targetPort) {
    this.targetPort = targetPort;
    try {
      listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy cannot listen", e);
    }
    run("accept", this::accept);
  }

  /** The port to dial. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How many bytes went through, both ways together. */
  public long forwardedBytes() {
    return forwarded.get();
  }

  /** How many connections there are now. */
  public int openConnections() {
    return pipes.size();
  }

  /** Resets every connection now. */
  public void cut() {
    pipes.forEach(Pipe::reset);
  }

  /** Resets all connections once a random number of further bytes, up to {@code most}, went by. */
  public void cutWithin(SplittableRandom random, int most) {
    cutAt = forwarded.get() + random.nextInt(1, most + 1);
  }

  /** Holds all bytes back, without closing anything, until {@link #flow}. */
  public void stall() {
    stalled = true;
  }

  /** Lets bytes through again. */
  public void flow() {
    stalled = false;
  }

  /** Closes new connections at once while {@code on}. */
  public void refuse(boolean on) {
    refusing = on;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket dialled = listener.accept();
        if (refusing) {
          dialled.close();
        } else {
          connect(dialled);
        }
      } catch (IOException e) {
        // Closed, or the target does not listen now: the dialler sees its connection end.
      }
    }
  }

  private void connect(Socket dialled) throws IOException {
    Socket target = new Socket();
    try {
      target.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), 5_000);
    } catch (IOException e) {
      target.close();
      dialled.close();
      throw e;
    }
    Pipe pipe = new Pipe(dialled, target);
    pipes.add(pipe);
    if (refusing) {
      pipe.reset(); // since it was accepted; who cut the others may have come before it was there
      return;
    }
    pipe.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  private static void run(String name, Runnable work) {
    Thread thread = new Thread(work, "proxy-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  /** One connection's two directions. */
  private final class Pipe {
    private final Socket dialled;
    private final Socket target;

    Pipe(Socket dialled, Socket target) throws IOException {
      this.dialled = dialled;
      this.target = target;
      dialled.setTcpNoDelay(true);
      target.setTcpNoDelay(true);
    }

    void start() {
      run("there", () -> copy(dialled, target));
      run("back", () -> copy(target, dialled));
    }

    private void copy(Socket from, Socket to) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          awaitFlow();
          forward(buffer, n, out);
        }
      } catch (IOException e) {
        // One side is gone; so is the other in a moment.
      }
      reset();
    }

    private void forward(byte[] buffer, int n, OutputStream out) throws IOException {
      long before = forwarded.getAndAdd(n);
      long cut = cutAt;
      if (before + n < cut) {
        out.write(buffer, 0, n);
        return;
      }
      cutAt = Long.MAX_VALUE;
      out.write(buffer, 0, (int) Math.max(0, Math.min(n, cut - before)));
      CuttingProxy.this.cut();
    }

    private void awaitFlow() {
      while (stalled && !dialled.isClosed()) {
        LockSupport.parkNanos(1_000_000);
      }
    }

    /** Closes with RST, so that bytes in flight are lost. */
    void reset() {
      pipes.remove(this);
      reset(dialled);
      reset(target);
    }

    private static void reset(Socket socket) {
      try {
        if (!socket.isClosed()) {
          socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        socket.close();
      } catch (IOException e) {
        // closed meanwhile
      }
    }
  }
}
