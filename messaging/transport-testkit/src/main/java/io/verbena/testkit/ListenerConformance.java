// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.verbena.ConnectionInfo;
import io.verbena.Node;
import io.verbena.NodeListener;
import io.verbena.testkit.TestMessages.Numbered;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Listeners may send, on whatever thread they are told: nothing locks up, and it arrives. */
public abstract class ListenerConformance extends ConformanceCase {

  private static final int CUTS = 10;
  private static final int UNDELIVERED = 100;

  /** For a transport. */
  protected ListenerConformance(Supplier<TransportUnderTest> transports) {
    super(transports);
  }

  /** Both sides at once, as links come and go. */
  @Test
  void whatListenersSendAboutLinksArrives() {
    Node one = open(1);
    Node two = open(2);
    Teller ofOne = new Teller(one, 2, two);
    Teller ofTwo = new Teller(two, 1, one);
    one.send(2, ofOne.next());
    for (int cut = 1; cut <= CUTS; cut++) {
      awaitLinks(one, two, cut);
      cluster().cut(1, 2);
    }
    awaitLinks(one, two, CUTS + 1);
    ofOne.awaitAll();
    ofTwo.awaitAll();
  }

  private void awaitLinks(Node one, Node two, int times) {
    for (Node node : new Node[] {one, two}) {
      Events events = cluster().events(node.id());
      await("link " + times + " of " + node.id(), () -> events.connectedTimes() >= times);
    }
  }

  /** Says to a peer what happens to the links with it. */
  private static final class Teller implements NodeListener {
    private final Node node;
    private final int peer;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Numbered> sent = ConcurrentHashMap.newKeySet();
    private final Set<Numbered> came = ConcurrentHashMap.newKeySet();
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    Teller(Node node, int peer, Node heardBy) {
      this.node = node;
      this.peer = peer;
      heardBy.handle(
          Numbered.class,
          (message, from) -> {
            if (!came.add(message)) {
              wrong.add(message + " came twice");
            }
          });
      node.addListener(this);
    }

    /** A message that is to arrive. */
    Numbered next() {
      Numbered message = new Numbered(node.id(), numbers.getAndIncrement());
      sent.add(message);
      return message;
    }

    @Override
    public void connected(ConnectionInfo connection) {
      tell();
    }

    @Override
    public void disconnected(ConnectionInfo connection, String reason) {
      tell();
    }

    private void tell() {
      try {
        node.send(peer, next());
      } catch (RuntimeException e) {
        wrong.add(e.toString());
      }
    }

    void awaitAll() {
      await(
          "node " + node.id() + ": " + sent.size() + " sent, " + came.size() + " came, " + wrong,
          () -> !wrong.isEmpty() || came.equals(sent));
      assertEquals(List.of(), wrong);
    }
  }

  @Test
  void whatWasNotDeliveredMayBeSentToTheNextLifeAndToOthers() {
    Series atThree = new Series();
    open(3).handle(Numbered.class, (message, from) -> atThree.take(message));
    Node one = open(1);
    leaveUndelivered(one);
    forward(one, 3, 2);
    cluster().drop(2);
    cluster().transport().isolate(2, false);
    Series atTwo = new Series();
    Node reborn = build(2);
    reborn.handle(Numbered.class, (message, from) -> atTwo.take(message));
    reborn.start();
    atThree.awaitAll(1, UNDELIVERED);
    atTwo.awaitAll(1, UNDELIVERED);
  }

  /** Then nobody is there whose life it could be told by: the node's clock notices. */
  @Test
  void whatWasNotDeliveredMayBeSentToOthersWhenThePeerIsLost() {
    Series atThree = new Series();
    open(3).handle(Numbered.class, (message, from) -> atThree.take(message));
    Node one = cluster().open(1, builder -> builder.set("link.timeout", "6s"));
    forward(one, 3);
    leaveUndelivered(one);
    atThree.awaitAll(1, UNDELIVERED);
  }

  /** Sends to node 2, which is cut off before it gets it. */
  private void leaveUndelivered(Node sender) {
    Series before = new Series();
    open(2).handle(Numbered.class, (message, from) -> before.take(message));
    sender.send(2, new Numbered(0, 0));
    before.awaitAll(1, 1);
    await(
        "all consumed",
        () ->
            sender.connections().stream()
                .allMatch(info -> info.sentPosition() == info.consumedPosition()));
    cluster().transport().isolate(2, true);
    await("the loss", () -> cluster().events(sender.id()).disconnectedTimes() > 0);
    for (int i = 1; i <= UNDELIVERED; i++) {
      sender.send(2, new Numbered(0, i));
    }
  }

  /** Sends a message to each of the nodes for each that was not delivered. */
  private static void forward(Node node, int... to) {
    AtomicLong number = new AtomicLong();
    node.addListener(
        new NodeListener() {
          @Override
          public void undeliverable(
              int nodeId, int typeId, MemorySegment segment, long offset, int length) {
            long next = number.getAndIncrement();
            for (int peer : to) {
              node.send(peer, new Numbered(0, next));
            }
          }
        });
  }
}
