// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.Node;
import io.verbena.NodeListener;
import io.verbena.PeerLostException;
import io.verbena.RequestTimeoutException;
import io.verbena.Sender;
import io.verbena.testkit.Await;
import io.verbena.testkit.Pattern;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of a {@link ChildNode}: {@code ROLE ID TRANSPORT PORTS DIRECTORY}.
 *
 * <ul>
 *   <li>{@code answer}: answers requests until its input ends
 *   <li>{@code count}: builds its node and starts it after a byte of input; says so when it has
 *       handled many numbered messages, and at once when there was one without a handler, until its
 *       input ends
 *   <li>{@code pester}: answers, and sends numbered messages, blobs and requests to node 1 for ever
 *   <li>{@code half}: sends ten messages, claims another, writes half of it, halts
 *   <li>{@code half-large}: halts while its first large message is under way in fragments
 * </ul>
 */
final class NodeProcess {

  /** The first large message of {@code half-large}; it halts long before all of it is sent. */
  static final int LARGE_BYTES = 60 << 20;

  /** So many messages {@code count} waits for. */
  private static final int MANY = 100;

  private NodeProcess() {}

  /** Runs the role. */
  public static void main(String[] arguments) throws Exception {
    int id = Integer.parseInt(arguments[1]);
    Node node =
        Node.build(
            Topology.parse(arguments[2], arguments[3], arguments[4])
                .config(id)
                .set("link.timeout", "3s")
                .build());
    if (arguments[0].equals("count")) {
      System.out.println("BUILT");
      awaitWord();
      count(node);
    } else {
      answer(node);
    }
    node.start();
    System.out.println("READY");
    switch (arguments[0]) {
      case "answer", "count" -> awaitEndOfInput();
      case "pester" -> {
        startPestering(node);
        awaitEndOfInput();
      }
      case "half" -> haltInTheMiddleOfAMessage(node);
      case "half-large" -> haltInTheMiddleOfFragments(node);
      default -> throw new IllegalArgumentException("role " + arguments[0]);
    }
    node.close();
    System.out.println("CLOSED");
  }

  private static void awaitWord() throws IOException {
    if (System.in.read() < 0) {
      throw new IOException("the input ended before a word came");
    }
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // nothing is read but its end
    }
  }

  private static void answer(Node node) {
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    node.handle(Numbered.class, (message, from) -> {});
    node.handle(
        Blob.class,
        (blob, from) -> {
          String difference = Pattern.difference(blob.number(), blob.data());
          if (!difference.isEmpty()) {
            System.out.println("DAMAGED " + difference);
          }
        });
  }

  private static void count(Node node) {
    node.addListener(
        new NodeListener() {
          @Override
          public void handlerFailed(int nodeId, int typeId, Throwable failure) {
            System.out.println("UNHANDLED " + failure.getMessage());
          }
        });
    AtomicLong handled = new AtomicLong();
    node.handle(
        Numbered.class,
        (message, from) -> {
          if (handled.incrementAndGet() == MANY) {
            System.out.println("HANDLED many");
          }
        });
  }

  private static void startPestering(Node node) {
    daemon(() -> stream(node));
    daemon(() -> request(node));
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static void stream(Node node) {
    for (int i = 0; ; i++) {
      try {
        node.send(1, new Numbered(node.id(), i));
        if (i % 100 == 0) {
          int size = i % 1000 == 0 ? 700_000 : i % 5000;
          node.send(1, new Blob(i, Pattern.bytes(i, size)));
        }
      } catch (PeerLostException e) {
        System.out.println("stream: " + e);
        return;
      }
    }
  }

  private static void request(Node node) {
    for (int i = 0; ; i++) {
      try {
        long answer = node.request(1, new Ask(i), Answer.class, Await.LONG).number();
        if (answer != i) {
          System.out.println("WRONG answer " + answer + " to " + i);
        }
      } catch (PeerLostException | RequestTimeoutException e) {
        System.out.println("request: " + e);
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void haltInTheMiddleOfAMessage(Node node) throws InterruptedException {
    CountDownLatch tenArrived = awaitNumbered(node);
    Sender lane = node.sender(1);
    for (int i = 0; i < 10; i++) {
      lane.send(new Numbered(node.id(), i));
    }
    tenArrived.await();
    long at = lane.claim(TestMessages.VIEW, 4096);
    for (int i = 0; i < 2048; i += 8) {
      lane.segment().set(ValueLayout.JAVA_LONG, at + i, -1L);
    }
    Runtime.getRuntime().halt(9);
  }

  private static void haltInTheMiddleOfFragments(Node node) throws InterruptedException {
    CountDownLatch tenArrived = awaitNumbered(node);
    for (int i = 0; i < 10; i++) {
      node.send(1, new Numbered(node.id(), i));
    }
    tenArrived.await();
    long sent = node.metrics().bytesSent();
    daemon(() -> node.send(1, new Blob(1, Pattern.bytes(1, LARGE_BYTES))));
    while (node.metrics().bytesSent() < sent + (2 << 20)) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(9);
  }

  /** Node 1 sends a numbered message when it has all. */
  private static CountDownLatch awaitNumbered(Node node) {
    CountDownLatch arrived = new CountDownLatch(1);
    node.handle(Numbered.class, (message, from) -> arrived.countDown());
    return arrived;
  }
}
