// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeClosedException;
import io.verbena.NodeConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that is closed in ways that it may refuse: once it closes, nothing of it lives on. */
@Tag("timing")
@Timeout(600)
class LocalNodeTest {

  private static final int ID = 811; // no other test has this one: its threads are told by it

  /** A message that runs something while it is written. */
  public record Busy(long number) {
    static final ThreadLocal<@Nullable Runnable> ERRAND = new ThreadLocal<>();

    @Override
    public long number() {
      Runnable errand = ERRAND.get();
      ERRAND.remove();
      if (errand != null) {
        errand.run();
      }
      return number;
    }
  }

  private final List<Long> heard = new CopyOnWriteArrayList<>();
  private final Node node =
      Node.open(
          NodeConfig.builder()
              .id(ID)
              .transport("loopback")
              .types(MessageTypes.builder().add(1, Busy.class).build())
              .build());

  private static List<Thread> threadsOfTheNode() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains("-" + ID + "-"))
        .toList();
  }

  private void assertItIsClosed(List<Thread> itsThreads) throws InterruptedException {
    assertThatExceptionOfType(NodeClosedException.class)
        .isThrownBy(() -> node.send(ID, new Busy(0)));
    for (Thread thread : itsThreads) {
      thread.join();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE / 1_000_000_000, Long.MAX_VALUE})
  void graceMayBeAsLongAsADurationCanBe(long graceSeconds) throws InterruptedException {
    List<Thread> threads = threadsOfTheNode();
    assertThat(threads).isNotEmpty();
    node.close(Duration.ofSeconds(graceSeconds));
    assertItIsClosed(threads);
  }

  @Test
  @SuppressWarnings("NullAway") // the caller is wrong on purpose
  void nodeMayBeClosedAfterAGraceThatIsNone() throws InterruptedException {
    List<Thread> threads = threadsOfTheNode();
    assertThatExceptionOfType(NullPointerException.class).isThrownBy(() -> node.close(null));
    node.close(Duration.ZERO);
    assertItIsClosed(threads);
  }

  @Test
  void codecThatClosesItsNodeIsRefusedAndTheNodeMayBeClosedLater() throws InterruptedException {
    node.handle(Busy.class, (busy, from) -> heard.add(busy.number()));
    node.send(ID, new Busy(1));
    Busy.ERRAND.set(() -> node.close(Duration.ZERO));
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> node.send(ID, new Busy(2)))
        .withMessageContaining("while it writes");
    node.send(ID, new Busy(3));
    List<Thread> threads = threadsOfTheNode();
    node.close();
    assertItIsClosed(threads);
    assertThat(heard).containsExactly(1L, 3L);
  }
}
