// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.jeromq;

import io.verbena.bench.peers.Answers;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Properties;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** JeroMQ over TCP: PUSH to PULL, requests between PAIRs. */
public final class JeromqPeer implements Peer {

  private static final int QUEUED_BYTES = 8 << 20;

  private JeromqPeer() {}

  public static void main(String[] arguments) {
    PeerProcess.run(new JeromqPeer(), arguments);
  }

  @Override
  public String version() {
    return "JeroMQ " + versionOfJar();
  }

  @Override
  public String settings(PeerOptions options) {
    return "%s, one I/O thread in each process, high-water mark 8 MiB of messages, 64 to 20000, an array per message"
        .formatted(options.hasReplies() ? "PAIR" : "PUSH to PULL");
  }

  /** The library's own figure is the version of the protocol; its jar says which it is. */
  private static String versionOfJar() {
    Properties properties = new Properties();
    try (InputStream in =
        ZMQ.class.getResourceAsStream("/META-INF/maven/org.zeromq/jeromq/pom.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "of unknown version");
  }

  private static int highWaterMark(PeerOptions options) {
    return Math.clamp(QUEUED_BYTES / options.sizeBytes(), 64, 20_000);
  }

  private static ZMQ.Socket socket(ZContext context, PeerOptions options, SocketType oneWay) {
    ZMQ.Socket socket = context.createSocket(options.hasReplies() ? SocketType.PAIR : oneWay);
    socket.setHWM(highWaterMark(options));
    socket.setLinger(0);
    return socket;
  }

  private static String address(PeerOptions options) {
    return "tcp://127.0.0.1:" + options.text("port");
  }

  @Override
  public AutoCloseable openReceiver(PeerOptions options, Judge judge) {
    ZContext context = new ZContext(1);
    ZMQ.Socket socket = socket(context, options, SocketType.PULL);
    socket.bind(address(options));
    boolean answers = options.hasReplies();
    Thread.ofPlatform().daemon().name("receive").start(() -> receive(socket, judge, answers));
    return () -> {}; // the process ends, and the socket with it
  }

  private static void receive(ZMQ.Socket socket, Judge judge, boolean answers) {
    while (true) {
      byte[] message = socket.recv();
      judge.take(MemorySegment.ofArray(message), 0, message.length);
      if (answers) {
        socket.send(message);
      }
    }
  }

  @Override
  public SendingEnd openSender(PeerOptions options) {
    ZMQ.Socket socket = socket(new ZContext(1), options, SocketType.PUSH);
    socket.connect(address(options));
    return new Sender(socket, Answers.ofSize(options.sizeBytes()));
  }

  private record Sender(ZMQ.Socket socket, Answers answers) implements SendingEnd {
    @Override
    public void send(long stamp) {
      byte[] message = new byte[answers.sizeBytes()];
      answers.views().write(stamp, MemorySegment.ofArray(message), 0);
      if (!socket.send(message)) {
        throw new IllegalStateException("a message was refused: error " + socket.errno());
      }
    }

    @Override
    public void flush() {}

    @Override
    public boolean request(long stamp) {
      send(stamp);
      byte[] answer = socket.recv();
      return answers.isAnswer(stamp, MemorySegment.ofArray(answer), 0, answer.length);
    }

    @Override
    public void close() {}
  }
}
