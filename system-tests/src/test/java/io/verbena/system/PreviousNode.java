// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ParentProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node of {@link PreviousReleaseTest}. The same source is compiled with this tree and with one of
 * an earlier wire version, so it uses what both have, and to report what neither has.
 */
public final class PreviousNode {

  /** How often each node asks and tells each other one. */
  static final int ROUNDS = 300;

  /** A question. */
  public record Question(long number, String text) {}

  /** Its answer. */
  public record Reply(long number) {}

  /** A one-way message; its size differs, and some need fragments. */
  public record Note(long number, byte[] ballast) {}

  private final Map<Integer, Long> notes = new ConcurrentHashMap<>();
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final Node node;
  private final int nodes;

  /**
   * Opens a node.
   *
   * @param settings keys and values, alternating
   */
  PreviousNode(int id, int nodes, String... settings) {
    NodeConfig.Builder builder =
        NodeConfig.builder().id(id).types(types()).set("connect.timeout", "2m");
    for (int i = 0; i < settings.length; i += 2) {
      builder.set(settings[i], settings[i + 1]);
    }
    this.nodes = nodes;
    this.node = Node.open(builder.build());
    node.handle(Question.class, (question, from) -> from.reply(new Reply(question.number())));
    node.handle(Note.class, (note, from) -> take(from.nodeId(), note));
  }

  private static MessageTypes types() {
    return MessageTypes.builder()
        .add(1, Question.class)
        .add(2, Reply.class)
        .add(3, Note.class)
        .build();
  }

  private void take(int from, Note note) {
    long due = notes.getOrDefault(from, 0L);
    notes.put(from, due + 1);
    if (note.number() != due || note.ballast().length != ballastBytes(due)) {
      failure.compareAndSet("", "note " + note.number() + " of node " + from + ", not " + due);
    }
  }

  private static int ballastBytes(long number) {
    return number % 50 == 0 ? 700_000 : (int) number;
  }

  /** Asks and tells all others, then waits for theirs; returns what went wrong, or nothing. */
  String run() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      for (int to = 1; to <= nodes; to++) {
        if (to != node.id()) {
          exchange(to, i);
        }
      }
    }
    long until = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (!hasAll() && System.nanoTime() - until < 0) {
      Thread.sleep(10);
    }
    return hasAll() ? failure.get() : "not all notes came: " + notes + " " + failure;
  }

  private void exchange(int to, int number) throws InterruptedException {
    node.send(to, new Note(number, new byte[ballastBytes(number)]));
    Reply reply = node.request(to, new Question(number, "q"), Reply.class, Duration.ofMinutes(3));
    if (reply.number() != number) {
      failure.compareAndSet("", "reply " + reply.number() + " of node " + to + ", not " + number);
    }
  }

  private boolean hasAll() {
    return notes.size() == nodes - 1 && notes.values().stream().allMatch(n -> n == ROUNDS);
  }

  /** What the node counted, for a failure's output. */
  String counted() {
    return node.metrics().snapshot().toString();
  }

  void close() {
    node.close();
  }

  /** Runs one: {@code ID NODES KEY VALUE KEY VALUE ...}; it is told to run, and to close. */
  public static void main(String[] arguments) throws Exception {
    LineChannel parent = ParentProcess.connect();
    String[] settings = java.util.Arrays.copyOfRange(arguments, 2, arguments.length);
    PreviousNode node =
        new PreviousNode(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), settings);
    parent.write(new Line("ready"));
    parent.read();
    String failure = node.run();
    parent.write(
        failure.isEmpty()
            ? new Line("done")
            : Conversation.failure(failure + " " + node.counted()));
    parent.read(); // the others may still ask
    node.close();
    parent.write(new Line("closed"));
  }
}
