// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.Node;
import io.verbena.NodeListener;
import io.verbena.PeerLostException;
import io.verbena.RequestTimeoutException;
import io.verbena.Sender;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ParentProcess;
import io.verbena.testkit.Await;
import io.verbena.testkit.Pattern;
import io.verbena.testkit.TestMessages;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Blob;
import io.verbena.testkit.TestMessages.Numbered;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of a {@link ChildNode}. Its argument is a {@link Topology#task task}. Each role
 * but {@code count} reports {@code ready} when its node is started, and each ends when it is told
 * to {@code close}:
 *
 * <ul>
 *   <li>{@code answer}: answers requests
 *   <li>{@code count}: reports {@code built}, and starts its node when it is told to {@code start};
 *       reports {@code handled} when it has handled many numbered messages, and a failure at once
 *       when there was one without a handler
 *   <li>{@code pester}: answers, and sends numbered messages, blobs and requests to node 1 for ever
 *   <li>{@code exit}: calls {@code System.exit} in the inline handler of its first numbered
 *       message; a hook closes its node
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
  public static void main(String[] arguments) throws InterruptedException {
    Line task = Line.parse(arguments[0]);
    LineChannel parent = ParentProcess.connect();
    Node node =
        Node.build(
            Topology.parse(task).config((int) task.number("id")).set("link.timeout", "3s").build());
    if (task.word().equals("count")) {
      parent.write(new Line("built"));
      parent.read();
      count(node, parent);
      node.start();
    } else {
      answer(node, parent);
      if (task.word().equals("exit")) {
        exitInAHandler(node);
      }
      node.start();
      parent.write(new Line("ready"));
      play(task.word(), node, parent);
    }
    parent.read(); // that it is to close, or that the parent is gone
    node.close();
    parent.write(new Line("closed"));
  }

  private static void play(String role, Node node, LineChannel parent) throws InterruptedException {
    switch (role) {
      case "answer", "exit" -> {}
      case "pester" -> startPestering(node, parent);
      case "half" -> haltInTheMiddleOfAMessage(node);
      case "half-large" -> haltInTheMiddleOfFragments(node);
      default -> throw new IllegalArgumentException("role " + role);
    }
  }

  private static void answer(Node node, LineChannel parent) {
    node.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    node.handle(Numbered.class, (message, from) -> {});
    node.handle(
        Blob.class,
        (blob, from) -> {
          String difference = Pattern.difference(blob.number(), blob.data());
          if (!difference.isEmpty()) {
            parent.write(Conversation.failure("a blob was damaged: " + difference));
          }
        });
  }

  private static void count(Node node, LineChannel parent) {
    node.addListener(
        new NodeListener() {
          @Override
          public void handlerFailed(int nodeId, int typeId, Throwable failure) {
            parent.write(Conversation.failure(String.valueOf(failure.getMessage())));
          }
        });
    AtomicLong handled = new AtomicLong();
    node.handle(
        Numbered.class,
        (message, from) -> {
          if (handled.incrementAndGet() == MANY) {
            parent.write(new Line("handled"));
          }
        });
  }

  private static void startPestering(Node node, LineChannel parent) {
    daemon(() -> stream(node));
    daemon(() -> request(node, parent));
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Begins again when it is told that a session is lost: node 1, which gives a link little time,
   * may have given up one that it never knew to be accepted. What arrives from there begins again,
   * too, or node 1 finds a gap.
   */
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
        i = -1;
      }
    }
  }

  private static void request(Node node, LineChannel parent) {
    for (int i = 0; ; i++) {
      try {
        long answer = node.request(1, new Ask(i), Answer.class, Await.LONG).number();
        if (answer != i) {
          parent.write(Conversation.failure("request " + i + " was answered with " + answer));
        }
      } catch (PeerLostException | RequestTimeoutException e) {
        System.out.println("request: " + e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void exitInAHandler(Node node) {
    Runtime.getRuntime().addShutdownHook(new Thread(node::close));
    node.handle(Numbered.class, (message, from) -> System.exit(3));
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
