// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.MessageTypes;
import io.verbena.Node;
import io.verbena.NodeConfig;
import io.verbena.RemoteHandlerException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded of two nodes' requests. */
@Timeout(600)
class RequestEventTest {

  record Word(long number) {}

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String NAME = "io.verbena.Request";

  @TempDir private Path directory;

  private final Node one = node(1, 2);
  private final Node two = node(2, 1);

  private static Node node(int id, int peer) {
    return Node.build(
        NodeConfig.builder()
            .id(id)
            .cluster("request-events")
            .transport("loopback")
            .set("connect.timeout", "3m")
            .peer(peer, "")
            .types(MessageTypes.builder(MethodHandles.lookup()).add(1, Word.class).build())
            .build());
  }

  @BeforeEach
  void start() {
    two.handle(
        Word.class,
        (word, from) -> {
          if (word.number() < 0) {
            from.replyError("on purpose");
          } else {
            from.reply(word);
          }
        });
    two.start();
    one.start();
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
  }

  private List<RecordedEvent> recorded(String throttle, int requests)
      throws IOException, InterruptedException {
    Path file = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(NAME).with("throttle", throttle);
      recording.start();
      for (int i = 1; i < requests; i++) {
        one.request(2, new Word(i), Word.class, PATIENCE);
      }
      assertThatExceptionOfType(RemoteHandlerException.class)
          .isThrownBy(() -> one.request(2, new Word(-1), Word.class, PATIENCE));
      one.close(); // its threads have done by then what follows an outcome
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(NAME))
        .toList();
  }

  @Test
  void repliesAndFailuresAreTold() throws Exception {
    List<RecordedEvent> events = recorded("off", 3);
    assertThat(events).hasSize(3);
    for (RecordedEvent event : events) {
      assertThat(event.getInt("node")).isEqualTo(1);
      assertThat(event.getInt("peer")).isEqualTo(2);
      assertThat(event.getString("replyType")).isEqualTo(Word.class.getName());
      assertThat(event.getDuration()).isPositive();
    }
    assertThat(events)
        .extracting(event -> event.getString("failure"))
        .containsExactlyInAnyOrder("", "", RemoteHandlerException.class.getName());
  }

  @Test
  void ofManyThereIsASample() throws Exception {
    assertThat(recorded("10/h", 1000)).hasSizeLessThan(1000);
  }

  @Test
  void requestsAreMeasuredOnlyWhileSomebodyRecords() {
    assertThat(RequestEvent.isOn()).isFalse();
    try (Recording recording = new Recording()) {
      recording.enable(NAME);
      recording.start();
      assertThat(RequestEvent.isOn()).isTrue();
    }
    assertThat(RequestEvent.isOn()).isFalse();
  }
}
