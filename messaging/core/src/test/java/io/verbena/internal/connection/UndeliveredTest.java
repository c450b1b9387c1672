// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.NodeListener;
import io.verbena.PeerLostException;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.lane.Frame;
import io.verbena.transport.LaneMemory;
import io.verbena.transport.RefusedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A session's end reports what was not consumed, whatever the peer wrote to the shared memory. */
@Tag("timing")
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class UndeliveredTest {

  private static final int NOTES = 3;
  private static final int NOTE_FRAME_BYTES = 16;

  private final TestHost host = new TestHost(1);
  private Connection connection;
  private Session session;
  private LaneMemory memory;

  @BeforeEach
  void send() throws RefusedException {
    TestTransport transport = new TestTransport();
    host.transports = List.of(transport);
    connection = new Connection(host, 2);
    connection.established(TestLink.agreement(100, 0, 7), new TestLink(transport), "by the test");
    session = connection.session();
    memory = session.shared().ring().memory();
    for (int i = 0; i < NOTES; i++) {
      Note note = new Note(i);
      connection.send(host.codecOf(note), note);
    }
  }

  @AfterEach
  void close() {
    host.close();
  }

  /** Ends the session; an open request must fail. Returns how many messages were reported. */
  private long reported() {
    PendingRequest<Note> request =
        new PendingRequest<>(host.requests(), connection, Note.class, Long.MAX_VALUE);
    host.requests().add(request);
    connection.sessionOver(session, new PeerLostException("gone"));
    assertThat(request).isCompletedExceptionally();
    return host.counter("messages.undeliverable");
  }

  private void overwriteSecondHeader(int length, int kind) {
    Frame.putLong(
        memory.segment(),
        memory.offsetOf(NOTE_FRAME_BYTES),
        Frame.header(length, TestHost.NOTE, kind, 0));
  }

  @Test
  void isAllThatWasNotConsumed() {
    memory.consumed(NOTE_FRAME_BYTES);
    assertThat(reported()).isEqualTo(NOTES - 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 33, 1 << 20, 0x7FFF_FFF9, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void endsAtALengthThatCannotBe(int length) {
    overwriteSecondHeader(length, Frame.MESSAGE);
    assertThat(reported()).isEqualTo(1);
  }

  @Test
  void isToldOnceRequestsHaveFailed() {
    PendingRequest<Note> request =
        new PendingRequest<>(host.requests(), connection, Note.class, Long.MAX_VALUE);
    host.requests().add(request);
    List<Boolean> failedBefore = new ArrayList<>();
    host.listener =
        new NodeListener() {
          @Override
          public void undeliverable(
              int nodeId, int typeId, MemorySegment segment, long offset, int length) {
            failedBefore.add(request.isDone());
          }
        };
    connection.sessionOver(session, new PeerLostException("gone"));
    assertThat(failedBefore).hasSize(NOTES).containsOnly(true);
  }

  @Test
  void endsAtARequestTooShortForItsCorrelation() {
    overwriteSecondHeader(Frame.HEADER_BYTES + 4, Frame.REQUEST);
    assertThat(reported()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4, 15, 17})
  void isNothingIfTheConsumedPositionCannotBe(long consumed) {
    memory.consumed(consumed);
    assertThat(reported()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1})
  void isEverythingIfThePositionIsBelowZero(long consumed) {
    memory.consumed(consumed);
    assertThat(reported()).isEqualTo(NOTES);
  }
}
