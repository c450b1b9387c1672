// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.jeromq;

import io.verbena.bench.message.Views;
import io.verbena.bench.peers.Judge;
import io.verbena.bench.peers.Peer;
import io.verbena.bench.peers.PeerOptions;
import io.verbena.bench.peers.PeerProcess;
import io.verbena.bench.peers.SendingEnd;
import java.lang.foreign.MemorySegment;
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
    return "JeroMQ 0.6.0";
  }

  @Override
  public String settings(PeerOptions options) {
    return "%s, one I/O thread in each process, high-water mark 8 MiB of messages, 64 to 20000, an array per message"
        .formatted(options.hasReplies() ? "PAIR" : "PUSH to PULL");
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
    return new Sender(socket, Views.ofSize(options.sizeBytes()), options.sizeBytes());
  }

  private record Sender(ZMQ.Socket socket, Views views, int sizeBytes) implements SendingEnd {
    @Override
    public void send(long stamp) {
      byte[] message = new byte[sizeBytes];
      views.write(stamp, MemorySegment.ofArray(message), 0);
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
      MemorySegment from = MemorySegment.ofArray(answer);
      return answer.length == sizeBytes
          && views.stamp(from, 0) == stamp
          && views.isIntact(stamp, from, 0);
    }

    @Override
    public void close() {}
  }
}
