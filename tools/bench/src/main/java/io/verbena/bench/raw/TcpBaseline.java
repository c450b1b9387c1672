// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.raw;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * A TCP connection between two processes: one write for each message, one way or there and back.
 */
final class TcpBaseline implements Baseline {

  /** What goes over the connection, and how both ends wait. */
  enum Kind {
    ONE_WAY("TCP socket, one way"),
    PING_PONG("TCP socket, ping-pong"),
    SPINNING("TCP socket, ping-pong, spinning");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final int sizeBytes;
  private final Kind kind;
  private final ChildProcess child;
  private final InetSocketAddress address;

  TcpBaseline(int sizeBytes, Kind kind) throws InterruptedException {
    this.sizeBytes = sizeBytes;
    this.kind = kind;
    this.child = ChildProcess.start("raw peer", RawPeer.class, List.of(), new Line(RawPeer.TCP));
    try {
      Line ready = child.conversation().hear("ready", Duration.ofSeconds(60));
      this.address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), (int) ready.number("port"));
    } catch (BenchException | InterruptedException e) {
      child.close(Duration.ZERO);
      throw e;
    }
  }

  @Override
  public String name() {
    return kind.text;
  }

  @Override
  public int sizeBytes() {
    return sizeBytes;
  }

  @Override
  public double run(long durationNs, Histogram roundTripNs) throws IOException {
    try (SocketChannel channel = SocketChannel.open(address)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      greet(channel);
      return kind == Kind.ONE_WAY
          ? oneWay(channel, durationNs)
          : pingPong(channel, durationNs, roundTripNs);
    }
  }

  private void greet(SocketChannel channel) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(RawPeer.HEADER_BYTES);
    header.putInt(kind == Kind.ONE_WAY ? 0 : sizeBytes);
    header.putInt(kind == Kind.SPINNING ? RawPeer.SPIN : 0);
    RawPeer.writeFully(channel, header.flip());
    channel.configureBlocking(kind != Kind.SPINNING);
  }

  private double pingPong(SocketChannel channel, long durationNs, Histogram roundTripNs)
      throws IOException {
    ByteBuffer out = ByteBuffer.allocateDirect(sizeBytes);
    ByteBuffer in = ByteBuffer.allocateDirect(sizeBytes);
    long startNs = System.nanoTime();
    long beforeNs = startNs;
    long count = 0;
    while (beforeNs - startNs < durationNs) {
      out.clear().put(0, (byte) count);
      RawPeer.writeFully(channel, out);
      if (!RawPeer.readFully(channel, in.clear()) || in.get(0) != (byte) count) {
        throw new BenchException("the raw peer did not send back what it got");
      }
      long nowNs = System.nanoTime();
      roundTripNs.recordValue(nowNs - beforeNs);
      beforeNs = nowNs;
      count++;
    }
    return count * 1e9 / (beforeNs - startNs);
  }

  /** The time ends when the peer says that it has everything. */
  private double oneWay(SocketChannel channel, long durationNs) throws IOException {
    ByteBuffer out = ByteBuffer.allocateDirect(sizeBytes);
    long startNs = System.nanoTime();
    long count = 0;
    while (System.nanoTime() - startNs < durationNs) {
      RawPeer.writeFully(channel, out.clear());
      count++;
    }
    channel.shutdownOutput();
    ByteBuffer answer = ByteBuffer.allocate(Long.BYTES);
    if (!RawPeer.readFully(channel, answer) || answer.getLong(0) != count * sizeBytes) {
      throw new BenchException("the raw peer did not get what was sent");
    }
    return count * 1e9 / (System.nanoTime() - startNs);
  }

  @Override
  public void close() {
    child.close(Duration.ofMillis(200)); // it waits for connections until it is killed
  }
}
