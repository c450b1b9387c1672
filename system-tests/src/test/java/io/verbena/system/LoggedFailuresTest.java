// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.NodeListener;
import io.verbena.testkit.Await;
import io.verbena.testkit.LogEntries;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What fails where nobody listens stands in the log. */
@Tag("timing")
class LoggedFailuresTest {

  /** A message. */
  public record Note(int number) {}

  private static Node open(int id) {
    MessageTypes types = MessageTypes.builder().add(1, Note.class).build();
    return Node.open(
        NodeConfig.builder()
            .id(id)
            .cluster("logged")
            .transport("loopback")
            .types(types)
            .peer(3 - id, "")
            .set("connect.timeout", "3m")
            .build());
  }

  private static void handleByFailing(Node node) {
    node.handle(
        Note.class,
        (note, from) -> {
          throw new IllegalStateException("note " + note.number() + " fails on purpose");
        });
  }

  private static long failed(Node node) {
    return node.metrics().snapshot().getOrDefault("handlers.failed", 0L);
  }

  @Test
  void handlersFailuresAreLoggedEverMoreSeldomWhereThereIsNoListener() {
    try (LogEntries log = LogEntries.warnings();
        Node one = open(1);
        Node two = open(2)) {
      handleByFailing(two);
      for (int i = 1; i <= 5; i++) {
        one.send(2, new Note(i));
      }
      Await.until("all", () -> failed(two) == 5);
      List<String> failures =
          log.texts().stream().filter(text -> text.contains("on purpose")).toList();
      assertThat(failures).hasSize(3);
      assertThat(failures.getFirst()).contains("Note at node 2").contains("note 1 fails");
    }
  }

  @Test
  void whoListensIsToldInstead() {
    try (LogEntries log = LogEntries.warnings();
        Node one = open(1);
        Node two = open(2)) {
      two.addListener(new NodeListener() {});
      handleByFailing(two);
      one.send(2, new Note(1));
      Await.until("it", () -> failed(two) == 1);
      one.close();
      log.assertNone();
    }
  }

  @Test
  void peerIsNotAddedWithAnAddressThatIsNone() {
    try (Node one = open(1)) {
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> one.addPeer(5, "abc:99999"))
          .withMessageContaining("abc:99999");
    }
  }
}
