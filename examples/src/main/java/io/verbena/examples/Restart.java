// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.ConnectionInfo;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.VerbenaException;
import java.time.Duration;

/**
 * A peer goes away and comes back as a new life of itself: what its former life knew is gone, and
 * the other side is told.
 */
public final class Restart {

  private static final int CLIENT = 1;
  private static final int SERVER = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Restart() {}

  /** Asks which life of the server answers. */
  public record Who() {}

  /** The answer. */
  public record Me(long incarnation) {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    try (Node client = build(CLIENT, SERVER)) {
      client.addListener(new Diary());
      client.start();
      long first;
      try (Node server = openServer()) {
        first = ask(client);
      }
      try {
        ask(client);
      } catch (VerbenaException e) {
        System.out.println("while it is away: " + e.getClass().getSimpleName());
      }
      try (Node server = openServer()) {
        System.out.println("another life answers: " + (ask(client) != first));
      }
    }
  }

  private static long ask(Node client) throws InterruptedException {
    return client.request(SERVER, new Who(), Me.class, PATIENCE).incarnation();
  }

  private static Node openServer() {
    Node server = build(SERVER, CLIENT);
    server.handle(Who.class, (who, from) -> from.reply(new Me(server.incarnation())));
    return server.start(); // its handler is there before the client finds it again
  }

  /** Writes down what happens to connections. Called on Verbena's threads: returns at once. */
  private static final class Diary implements NodeListener {
    @Override
    public void connected(ConnectionInfo connection) {
      System.out.println("connected over " + connection.transport());
    }

    @Override
    public void lost(int nodeId, String reason) {
      System.out.println("lost node " + nodeId + ": " + reason);
    }

    @Override
    public void restarted(int nodeId) {
      System.out.println("node " + nodeId + " is a new life of itself");
    }
  }

  private static Node build(int id, int peer) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("restart")
            .transport("loopback")
            .peer(peer, "")
            .types(MessageTypes.builder().add(1, Who.class).add(2, Me.class).build())
            .set("connect.timeout", "2s")
            .set("link.timeout", "2s")
            .build());
  }
}
