// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ParentProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The main class of the other process: answers words, or bytes over TCP. */
public final class RawPeer {

  static final String WORDS = "words";
  static final String TCP = "tcp";

  /**
   * What a connection begins with: the size of the pieces that are sent back, 0 for none, and
   * whether to {@link #SPIN}.
   */
  static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** Who waits for bytes asks for them again and again instead of sleeping. */
  static final int SPIN = 1;

  private static final int BUFFER_BYTES = 256 * 1024;

  private RawPeer() {}

  /** Answers until the parent has had enough, or is gone. */
  public static void main(String[] arguments) throws IOException {
    Line task = Line.parse(arguments[0]);
    LineChannel parent = ParentProcess.connect();
    if (task.word().equals(WORDS)) {
      try (Words words = Words.open(Path.of(task.text("file")))) {
        words.answer();
      }
    } else {
      serve(parent);
    }
    System.exit(0);
  }

  private static void serve(LineChannel parent) throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      parent.write(new Line("ready").with("port", port));
      while (true) { // until the parent's end ends this process
        try (SocketChannel channel = server.accept()) {
          channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
          talk(channel);
        }
      }
    }
  }

  private static void talk(SocketChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    readFully(channel, header);
    int piece = header.getInt(0);
    channel.configureBlocking(header.getInt(Integer.BYTES) != SPIN);
    if (piece > 0) {
      echo(channel, ByteBuffer.allocateDirect(piece));
    } else {
      count(channel);
    }
  }

  private static void echo(SocketChannel channel, ByteBuffer piece) throws IOException {
    while (readFully(channel, piece.clear())) {
      writeFully(channel, piece.flip());
    }
  }

  /** Tells how many bytes there were once no more come. */
  private static void count(SocketChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    long sum = 0;
    for (int read = 0; read >= 0; read = channel.read(buffer.clear())) {
      sum += read;
    }
    writeFully(channel, ByteBuffer.allocate(Long.BYTES).putLong(0, sum));
  }

  static boolean readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      int read = channel.read(buffer);
      if (read < 0) {
        return false;
      }
      if (read == 0) {
        Thread.onSpinWait(); // only a channel that does not block reads nothing
      }
    }
    return true;
  }

  static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }
}
