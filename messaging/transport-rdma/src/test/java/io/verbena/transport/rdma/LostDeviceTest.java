// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.Node;
import io.verbena.PeerLostException;
import io.verbena.VerbenaException;
import io.verbena.testkit.Await;
import io.verbena.testkit.Cluster;
import io.verbena.testkit.Events;
import io.verbena.testkit.Events.Undelivered;
import io.verbena.testkit.Series;
import io.verbena.testkit.TestMessages.Answer;
import io.verbena.testkit.TestMessages.Ask;
import io.verbena.testkit.TestMessages.Numbered;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Node 1 streams to node 2 when its device goes; node 3 is connected to both. */
@Tag("timing")
@Timeout(600)
class LostDeviceTest {

  private static final String GONE = "cannot be used any more";

  private final Cluster cluster = new Cluster(new Verbs());
  private final Series atTwo = new Series();

  @BeforeEach
  void open() throws Exception {
    assumeTrue(Verbs.DEVICE.equals(Verbs.SOFTNIC), "only softnic's devices go on command");
    try (SoftnicFaults faults = new SoftnicFaults("send@1:40+=device-fatal")) {
      cluster.open(1, builder -> builder.set("link.timeout", "1s").set("connect.timeout", "15s"));
    }
    Node two = cluster.open(2);
    Node three = cluster.open(3);
    two.handle(Numbered.class, (message, from) -> atTwo.take(message));
    two.handle(Ask.class, (ask, from) -> from.retain()); // never answers
    three.handle(Ask.class, (ask, from) -> from.reply(new Answer(ask.number())));
    cluster.node(1).send(2, new Numbered(0, 0)); // its first queue pair
    ask(cluster.node(1), 3);
    ask(two, 3);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static void ask(Node from, int to) throws InterruptedException {
    assertThat(from.request(to, new Ask(5), Answer.class, Await.LONG).number()).isEqualTo(5);
  }

  /** Sends until that fails, which it must say clearly; returns how many were accepted. */
  private long sendUntilItFails() {
    for (long number = 1; ; number++) {
      try {
        cluster.node(1).send(2, new Numbered(0, number));
      } catch (PeerLostException e) {
        return number;
      }
    }
  }

  private static long number(Undelivered message) {
    return ByteBuffer.wrap(message.body()).order(ByteOrder.LITTLE_ENDIAN).getLong(4);
  }

  @Test
  void whatDidNotArriveIsReported() {
    Events told = cluster.events(1);
    long accepted = sendUntilItFails();
    Await.until("the loss of both", () -> told.lostReasons().size() == 2);
    assertThat(told.lostReasons()).allMatch(why -> why.contains(GONE));
    assertThat(told.undelivered()).allMatch(message -> message.nodeId() == 2);
    long first = firstUndelivered(told, accepted);
    assertThat(told.undelivered())
        .extracting(LostDeviceTest::number)
        .containsExactlyElementsOf(LongStream.range(first, accepted).boxed().toList());
    awaitTheOthers(first);
    assertThat(atTwo.count(0)).isLessThanOrEqualTo(accepted);
  }

  /** All that was accepted may have arrived: a report may be what the device did not send. */
  private static long firstUndelivered(Events told, long accepted) {
    return told.undelivered().isEmpty() ? accepted : number(told.undelivered().getFirst());
  }

  private void awaitTheOthers(long first) {
    Await.until("what is not reported to arrive", () -> atTwo.count(0) >= first);
    atTwo.check();
  }

  @Test
  void requestsFailAndSendsSayWhy() {
    Node one = cluster.node(1);
    CompletableFuture<Answer> open = one.requestAsync(2, new Ask(1), Answer.class);
    sendUntilItFails();
    assertThat(open)
        .failsWithin(Await.LONG)
        .withThrowableThat()
        .withCauseInstanceOf(PeerLostException.class);
    Await.until("the loss of both", () -> cluster.events(1).lostReasons().size() == 2);
    // A dial that was under way when the device went may run out of time first.
    Await.until("a send that says why", () -> failureOfSendTo3(one).contains(GONE));
  }

  private static String failureOfSendTo3(Node from) {
    try {
      from.send(3, new Numbered(0, 0));
      return "";
    } catch (VerbenaException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** It may live on by another transport. */
  @Test
  void nodeHasNothingToDoAfterwards() throws InterruptedException {
    sendUntilItFails();
    Await.until("the loss of both", () -> cluster.events(1).lostReasons().size() == 2);
    long before = cpuNs("verbena-1-rdma");
    assertThat(before).as("what the thread has used so far").isPositive();
    Thread.sleep(500);
    assertThat(cpuNs("verbena-1-rdma") - before).as("nanoseconds of 500 ms").isLessThan(50_000_000);
  }

  private static long cpuNs(String name) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
        .filter(info -> info != null && info.getThreadName().equals(name))
        .mapToLong(info -> threads.getThreadCpuTime(info.getThreadId()))
        .sum();
  }

  @Test
  void othersGoOnAndTheNodeCanBeOpenedAgain() throws Exception {
    sendUntilItFails();
    ask(cluster.node(2), 3);
    cluster.node(1).close();
    Node again = cluster.open(1);
    ask(again, 3);
    Await.until("node 3 is told", () -> cluster.events(3).restartedTimes() == 1);
  }

  @Test
  @Timeout(600)
  void nodeClosesInTime() {
    long accepted = sendUntilItFails();
    cluster.node(1).close();
    awaitTheOthers(firstUndelivered(cluster.events(1), accepted));
  }
}
