// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.RemoteHandlerException;
import java.time.Duration;

/** One node asks, the other answers: messages, requests, replies and errors. */
public final class Greeting {

  private static final int ALICE = 1;
  private static final int BOB = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Greeting() {}

  /** A request: any record can be a message. */
  public record Hello(String name) {}

  /** Its reply. */
  public record Welcome(String text) {}

  /** Runs the example. */
  public static void main(String[] arguments) throws InterruptedException {
    // Both sides number the types alike; a difference is found when they connect.
    MessageTypes types = MessageTypes.builder().add(1, Hello.class).add(2, Welcome.class).build();
    try (Node bob = build(BOB, ALICE, types);
        Node alice = build(ALICE, BOB, types)) {
      bob.handle(
          Hello.class,
          (hello, from) -> {
            if (hello.name().isEmpty()) {
              from.replyError("a greeting needs a name");
            } else {
              from.reply(new Welcome("welcome, " + hello.name() + " of node " + from.nodeId()));
            }
          });
      bob.start(); // from here on it is reached, and every message finds its handler
      alice.start();

      // Waits for the reply, and helps to receive meanwhile: the fastest way.
      Welcome reply = alice.request(BOB, new Hello("Alice"), Welcome.class, PATIENCE);
      System.out.println(reply.text());

      // Or goes on, and is told later.
      alice
          .requestAsync(BOB, new Hello("Alice again"), Welcome.class)
          .thenAccept(later -> System.out.println(later.text()))
          .join();

      try {
        alice.request(BOB, new Hello(""), Welcome.class, PATIENCE);
      } catch (RemoteHandlerException e) {
        System.out.println("refused: " + e.getMessage());
      }
    }
  }

  private static Node build(int id, int peer, MessageTypes types) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("greeting")
            .transport("loopback")
            .peer(peer, "")
            .types(types)
            .build());
  }
}
