// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.demo;

import io.verbena.Node;
import io.verbena.cli.demo.DemoMessages.Arrived;
import io.verbena.cli.demo.DemoMessages.ArrivedQuery;
import io.verbena.cli.demo.DemoMessages.Question;
import io.verbena.cli.demo.DemoMessages.Reply;
import io.verbena.cli.demo.DemoMessages.Sample;
import io.verbena.cli.demo.DemoMessages.SocketPlace;
import io.verbena.cli.demo.DemoMessages.SocketQuery;
import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.SecureRandom;

/** The far side of both wires: answers questions, and counts what arrives. */
final class SpeedPeer {

  private static final System.Logger LOG = System.getLogger(SpeedPeer.class.getName());
  private static final int PASSWORD_BYTES = 16;
  private static final int PASSWORD_PATIENCE_MS = 10_000;

  /** Of one wire, and of the thread that receives there. */
  private static final class Arrivals {
    private long count;
    private boolean inOrder = true;

    void add(Sample sample) {
      inOrder &= Speed.numberOf(sample) == count++;
    }

    Arrived take() {
      Arrived taken = new Arrived(count, inOrder);
      count = 0;
      inOrder = true;
      return taken;
    }
  }

  private SpeedPeer() {}

  /**
   * Has a node that is not started do that.
   *
   * @param host where a socket of the JDK's is to listen
   */
  static void install(Node node, String host) {
    Arrivals arrivals = new Arrivals();
    node.handle(Question.class, (question, from) -> from.reply(answer(question)));
    node.handle(Sample.class, (sample, from) -> arrivals.add(sample));
    node.handle(ArrivedQuery.class, (query, from) -> from.reply(arrivals.take()));
    node.handle(SocketQuery.class, (query, from) -> from.reply(listen(host)));
  }

  private static Reply answer(Question question) {
    return new Reply(question.number(), question.word().length());
  }

  private static SocketPlace listen(String host) throws IOException {
    ServerSocket listener = new ServerSocket(0, 0, InetAddress.getByName(host));
    byte[] password = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(password);
    Thread.ofPlatform().daemon().name("demo-socket").start(() -> serve(listener, password));
    return new SocketPlace(host, listener.getLocalPort(), password);
  }

  /** Serves the first that knows the password. */
  private static void serve(ServerSocket listener, byte[] password) {
    try (listener) {
      boolean isServed = false;
      while (!isServed) {
        try (Socket accepted = listener.accept()) {
          isServed = knows(accepted, password);
          if (isServed) {
            serve(new ObjectSocket(accepted));
          }
        }
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the demo's socket has failed", e);
    }
  }

  private static boolean knows(Socket accepted, byte[] password) {
    try {
      accepted.setSoTimeout(PASSWORD_PATIENCE_MS);
      byte[] said = accepted.getInputStream().readNBytes(PASSWORD_BYTES);
      accepted.setSoTimeout(0);
      return MessageDigest.isEqual(said, password);
    } catch (IOException e) { // a stranger that is silent, or has gone
      return false;
    }
  }

  private static void serve(ObjectSocket socket) throws IOException {
    Arrivals arrivals = new Arrivals();
    try {
      while (true) {
        switch (socket.read()) {
          case Sample sample -> arrivals.add(sample);
          case Question question -> answer(socket, answer(question));
          case ArrivedQuery query -> answer(socket, arrivals.take());
          case Object other -> throw new IOException("unknown: " + other.getClass());
        }
      }
    } catch (EOFException e) {
      // that is how it ends
    }
  }

  private static void answer(ObjectSocket socket, Record answer) throws IOException {
    socket.write(answer);
    socket.flush();
  }
}
