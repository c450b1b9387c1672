// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("timing")
class EventsTest {

  private static final Duration A_WHILE = Duration.ofMillis(2);

  @TempDir private Path directory;

  /** The events of one kind that are recorded while {@code emit} runs. */
  private List<RecordedEvent> recorded(String name, Duration threshold, Runnable emit)
      throws IOException {
    Path file = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(name).withThreshold(threshold);
      recording.start();
      emit.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("io.verbena."))
        .toList();
  }

  private static void takeAWhile() {
    // Twice as long: the recorder has a clock of its own.
    long until = System.nanoTime() + 2 * A_WHILE.toNanos();
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static void handleSlowly() {
    SlowHandlerEvent event = SlowHandlerEvent.start();
    takeAWhile();
    SlowHandlerEvent.finish(event, 1, 2, 3);
  }

  private static void assertTookAWhile(RecordedEvent event) {
    assertThat(event.getDuration()).isGreaterThanOrEqualTo(A_WHILE);
    assertThat(event.getEventType().getCategoryNames()).containsExactly("Verbena");
  }

  @Test
  void connectionStateTellsPeersTransportAndReason() throws IOException {
    List<RecordedEvent> events =
        recorded(
            "io.verbena.ConnectionState",
            Duration.ZERO,
            () -> ConnectionStateEvent.emit(1, 2, "RESUMING", "tcp", "reset"));
    assertThat(events).hasSize(1);
    RecordedEvent event = events.getFirst();
    assertThat(event.getInt("node")).isEqualTo(1);
    assertThat(event.getInt("peer")).isEqualTo(2);
    assertThat(event.getString("state")).isEqualTo("RESUMING");
    assertThat(event.getString("transport")).isEqualTo("tcp");
    assertThat(event.getString("reason")).isEqualTo("reset");
    assertThat(event.getEventType().getCategoryNames()).containsExactly("Verbena");
  }

  @Test
  void backPressureTellsLaneAndHowLong() throws IOException {
    List<RecordedEvent> events =
        recorded(
            "io.verbena.BackPressure",
            Duration.ZERO,
            () -> {
              BackPressureEvent event = BackPressureEvent.start();
              takeAWhile();
              BackPressureEvent.finish(event, 1, 2, 3);
            });
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().getInt("node")).isEqualTo(1);
    assertThat(events.getFirst().getInt("peer")).isEqualTo(2);
    assertThat(events.getFirst().getInt("lane")).isEqualTo(3);
    assertTookAWhile(events.getFirst());
  }

  @Test
  void parkTellsHowLong() throws IOException {
    List<RecordedEvent> events =
        recorded(
            "io.verbena.Park",
            Duration.ZERO,
            () -> {
              ParkEvent event = ParkEvent.start();
              takeAWhile();
              ParkEvent.finish(event, 1);
            });
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().getInt("node")).isEqualTo(1);
    assertTookAWhile(events.getFirst());
  }

  @Test
  void slowHandlerTellsTypeAndHowLong() throws IOException {
    List<RecordedEvent> events =
        recorded("io.verbena.SlowHandler", A_WHILE, EventsTest::handleSlowly);
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().getInt("node")).isEqualTo(1);
    assertThat(events.getFirst().getInt("peer")).isEqualTo(2);
    assertThat(events.getFirst().getInt("typeId")).isEqualTo(3);
    assertTookAWhile(events.getFirst());
  }

  @Test
  void handlerFasterThanTheThresholdIsNotRecorded() throws IOException {
    assertThat(recorded("io.verbena.SlowHandler", Duration.ofMinutes(1), EventsTest::handleSlowly))
        .isEmpty();
  }

  @Test
  void handlersAreMeasuredOnlyWhileSomebodyRecords() {
    assertThat(SlowHandlerEvent.isOn()).isFalse();
    try (Recording recording = new Recording()) {
      recording.enable("io.verbena.SlowHandler");
      recording.start();
      assertThat(SlowHandlerEvent.isOn()).isTrue();
    }
    assertThat(SlowHandlerEvent.isOn()).isFalse();
  }

  @Test
  void whatIsShorterThanTheThresholdIsNotRecorded() throws IOException {
    List<RecordedEvent> events =
        recorded("io.verbena.SlowHandler", Duration.ofHours(1), EventsTest::handleSlowly);
    assertThat(events).isEmpty();
  }
}
