// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.Execution;
import io.verbena.Origin;
import io.verbena.internal.connection.HandWire;
import io.verbena.internal.connection.TestHost;
import io.verbena.internal.connection.TestHost.Note;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handlers on threads of their own. */
@Tag("timing")
class HandlersTest {

  private static final Duration A_WHILE = Duration.ofMillis(20);

  @TempDir private Path directory;

  private final TestHost sending = new TestHost(3);
  private final TestHost handling =
      new TestHost(4, builder -> builder.set("pool.queue.messages", "4"));
  private final HandWire wire = new HandWire(sending, handling).link();
  private final Handlers handlers =
      new Handlers(4, handling.types(), handling.sinks(), (peer, typeId) -> {}, () -> {});

  static Stream<Execution> executions() {
    return Stream.of(Execution.inline(), Execution.pool(2), Execution.virtual());
  }

  static Stream<Execution> executionsWithThreads() {
    return Stream.of(Execution.pool(2), Execution.virtual());
  }

  @AfterEach
  void close() {
    handlers.close();
    wire.close();
  }

  private void send(long number) {
    Note note = new Note(number);
    wire.left().send(sending.codecOf(note), note);
    wire.deliver();
  }

  private List<RecordedEvent> recordedWhile(InterruptibleTask task)
      throws IOException, InterruptedException {
    Path file = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.verbena.SlowHandler").withThreshold(A_WHILE);
      recording.start();
      task.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("io.verbena.SlowHandler"))
        .toList();
  }

  private interface InterruptibleTask {
    void run() throws InterruptedException;
  }

  @Test
  @Timeout(600)
  void handlerThatIsReplacedFinishesWhatWasQueuedForItAndItsThreadsEnd() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<String> handled = new CopyOnWriteArrayList<>();
    Set<Thread> former = ConcurrentHashMap.newKeySet();
    handlers.register(
        sending.codecOf(new Note(0)),
        Execution.pool(1),
        (Note note, Origin from) -> {
          former.add(Thread.currentThread());
          go.await();
          handled.add("former " + note.number());
        });
    send(1);
    send(2);
    handlers.register(
        sending.codecOf(new Note(0)),
        Execution.pool(1),
        (Note note, Origin from) -> handled.add("new " + note.number()));
    send(3);
    while (handled.isEmpty() || former.isEmpty()) {
      Thread.onSpinWait();
    }
    go.countDown();
    for (Thread thread : former) {
      thread.join();
    }
    assertThat(handled).containsExactly("new 3", "former 1", "former 2");
  }

  /** The peer is paused once four wait: what was never queued must not count. */
  @ParameterizedTest
  @MethodSource("executionsWithThreads")
  @Timeout(600)
  void messageThatFoundNoThreadDoesNotCountAsQueued(Execution execution) {
    AtomicBoolean noThreads = new AtomicBoolean(true);
    Handlers starving =
        new Handlers(
            4,
            handling.types(),
            handling.sinks(),
            (peer, typeId) -> {},
            () -> {},
            plain ->
                task -> {
                  if (noThreads.get()) {
                    throw new OutOfMemoryError("on purpose");
                  }
                  return plain.newThread(task);
                });
    List<Long> handled = new CopyOnWriteArrayList<>();
    starving.register(
        sending.codecOf(new Note(0)),
        execution,
        (Note note, Origin from) -> handled.add(note.number()));
    for (int number = 0; number < 10; number++) {
      send(number);
    }
    assertThat(starving.areBusy()).isFalse();
    assertThat(handling.handlerFailures())
        .hasSize(10)
        .allSatisfy(failure -> assertThat(failure).isInstanceOf(OutOfMemoryError.class));
    noThreads.set(false);
    send(10);
    while (handled.isEmpty()) {
      Thread.onSpinWait();
    }
    starving.close();
    assertThat(handled).containsExactly(10L);
  }

  /** The first answer needs a lane of its own, for which there is no memory. */
  @ParameterizedTest
  @MethodSource("executionsWithThreads")
  void messageWhoseAnswerFailsDoesNotCountAsQueued(Execution execution) {
    wire.rightFailsToMakeLanes(new OutOfMemoryError("on purpose"));
    Note note = new Note(1);
    handlers.register(sending.codecOf(note), execution, (Note asked, Origin from) -> {});
    var unused = wire.left().request(sending.codecOf(note), note, Note.class, Long.MAX_VALUE);
    wire.deliver();
    assertThat(handlers.queuedSoFar()).isEqualTo(1);
    handlers.finish(System.nanoTime() + TimeUnit.MINUTES.toNanos(2));
    assertThat(handlers.areBusy()).isFalse();
  }

  /** Those of 0 and 1 take a while and fail, which is known only afterwards; that of 2 is quick. */
  @ParameterizedTest
  @MethodSource("executions")
  void slowOnesAreRecordedWhereverTheyRun(Execution execution) throws Exception {
    handlers.register(
        sending.codecOf(new Note(0)),
        execution,
        (Note note, Origin from) -> {
          if (note.number() < 2) {
            Thread.sleep(2 * A_WHILE.toMillis());
            throw new IllegalStateException("on purpose");
          }
        });
    send(2); // whatever is slow the first time
    List<RecordedEvent> events =
        recordedWhile(
            () -> {
              for (int number = 0; number < 3; number++) {
                send(number);
              }
              while (handling.handlerFailures().size() < 2) {
                Thread.sleep(1);
              }
            });
    assertThat(events).hasSizeBetween(2, 3); // the quick one's thread may have had to wait
    for (RecordedEvent event : events) {
      assertThat(event.getInt("node")).isEqualTo(4);
      assertThat(event.getInt("peer")).isEqualTo(3);
      assertThat(event.getInt("typeId")).isEqualTo(1);
      assertThat(event.getDuration()).isGreaterThanOrEqualTo(A_WHILE);
    }
  }
}
