// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbena.IncompatibleMessageException;
import io.verbena.Node;
import io.verbena.RemoteHandlerException;
import io.verbena.UnregisteredTypeException;
import io.verbena.testkit.ProgramUnderTest.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Nodes of two versions of one program in one cluster. */
public abstract class VersionsConformance extends ConformanceCase {

  private static final int ROUNDS = 400;

  private final Map<Integer, ProgramUnderTest> programs = new ConcurrentHashMap<>();

  /** For a transport. */
  protected VersionsConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  private Node open(int id, int version) {
    ProgramUnderTest program = ProgramUnderTest.ofVersion(version);
    programs.put(id, program);
    Node node = cluster().build(id, builder -> builder.types(program.types()));
    program.serve(node);
    return node.start();
  }

  private ProgramUnderTest program(int id) {
    ProgramUnderTest program = programs.get(id);
    if (program == null) {
      throw new IllegalArgumentException("node " + id + " was not opened");
    }
    return program;
  }

  /** Each node asks all others and tells the next one, while the wires are cut. */
  @Test
  void twoVersionsTalkUnderLoadWhileTheWireIsCut() throws InterruptedException {
    for (int id = 1; id <= 4; id++) {
      open(id, 1 + id % 2);
    }
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int id = 1; id <= 4; id++) {
      int node = id;
      threads.add(Thread.ofPlatform().start(() -> run(node, failures)));
    }
    for (int cut = 0; cut < 5; cut++) {
      cluster().cut(1, 2);
      cluster().cut(3, 4);
      Await.idle(java.time.Duration.ofMillis(20));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), List.copyOf(failures));
    for (int id = 1; id <= 4; id++) {
      int node = id;
      await("all notices at node " + id, () -> program(node).told() == ROUNDS);
      assertEquals(List.of(), cluster().events(id).handlerFailures());
      assertEquals(List.of(), cluster().events(id).lostReasons());
    }
  }

  private void run(int id, ConcurrentLinkedQueue<Throwable> failures) {
    try {
      Node node = cluster().node(id);
      for (int i = 0; i < ROUNDS; i++) {
        program(id).tell(node, id % 4 + 1, i);
        for (int to = 1; to <= 4; to++) {
          program(id).ask(node, to, i);
        }
      }
    } catch (Throwable e) { // told by the test's own thread
      failures.add(e);
    }
  }

  @Test
  void messageOfATypeThatThePeerLacksIsReportedToItsSender() throws InterruptedException {
    open(1, 1);
    Node newer = open(2, 2);
    program(2).ask(newer, 1, 0);
    program(2).say(newer, 1, What.NEW_TYPE);
    assertEquals(4, cluster().events(2).undelivered().getFirst().typeId());
    assertEquals(1, newer.metrics().snapshot().get("messages.undeliverable"));
    String why =
        String.valueOf(
            assertThrows(
                    UnregisteredTypeException.class, () -> program(2).ask(newer, 1, What.NEW_TYPE))
                .getMessage());
    assertTrue(why.contains("node 1 does not know type 4"), why);
    program(2).ask(newer, 1, 1);
    assertUndisturbed();
  }

  @Test
  void messageToManyOfATypeThatOneOfThemLacksIsReportedToItsSender() throws InterruptedException {
    open(1, 1);
    Node newer = open(2, 2);
    open(3, 2);
    program(2).ask(newer, 1, 0);
    program(2).sayToAll(newer, List.of(1, 3), What.NEW_TYPE);
    assertEquals(
        List.of(4),
        cluster().events(2).undelivered().stream().map(Events.Undelivered::typeId).toList());
    program(2).ask(newer, 1, 1);
    assertUndisturbed();
  }

  /** What a handler sends before there is a session is encoded before anybody knows the peer. */
  @Test
  void messageOfATypeThatThePeerLacksIsCountedThereIfItWasQueuedBefore() {
    open(1, 1);
    Node newer = open(2, 2);
    Node asking = open(3, 2);
    newer.handleView(3, (segment, offset, length, from) -> program(2).say(newer, 1, What.NEW_TYPE));
    program(3).tell(asking, 2, 0);
    await(
        "a report on one of the two sides",
        () ->
            !cluster().events(2).undelivered().isEmpty()
                || !cluster().events(1).handlerFailures().isEmpty());
    assertUndisturbed();
  }

  @Test
  void constantThatThePeerLacksIsThatMessagesError() throws InterruptedException {
    concernsItsMessageAlone(What.NEW_CONSTANT);
  }

  @Test
  void recordOfASealedInterfaceThatThePeerLacksIsThatMessagesError() throws InterruptedException {
    concernsItsMessageAlone(What.NEW_RECORD);
  }

  private void concernsItsMessageAlone(What what) throws InterruptedException {
    open(1, 1);
    Node newer = open(2, 2);
    String why =
        String.valueOf(
            assertThrows(RemoteHandlerException.class, () -> program(2).ask(newer, 1, what))
                .getMessage());
    assertTrue(why.contains(IncompatibleMessageException.class.getSimpleName()), why);
    program(2).say(newer, 1, what);
    await("both failures", () -> cluster().events(1).handlerFailures().size() == 2);
    for (Throwable failure : cluster().events(1).handlerFailures()) {
      assertEquals(IncompatibleMessageException.class, failure.getClass());
    }
    program(2).ask(newer, 1, 1);
    assertUndisturbed();
  }

  @Test
  void restartedPeerMayBeOfAnotherVersion() throws InterruptedException {
    Node one = open(1, 1);
    open(2, 1);
    program(1).ask(one, 2, 4);
    cluster().drop(2);
    Node newer = open(2, 2);
    program(2).ask(newer, 1, 4);
    program(1).ask(one, 2, 4);
  }

  private void assertUndisturbed() {
    for (int id : programs.keySet()) {
      assertEquals(List.of(), cluster().events(id).lostReasons());
      assertEquals(0, cluster().node(id).metrics().snapshot().get("connections.lost"));
    }
  }
}
