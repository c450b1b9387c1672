// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.ProtocolException;
import io.verbena.internal.lane.Reassembly;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is cut here is put together there, for every length around every cut. */
class FragmentsTest {

  private static final int TYPE = 99;
  private static final long CORRELATION = -2;

  private final Reassembly reassembly = new Reassembly(1 << 20);

  @ParameterizedTest
  @ValueSource(ints = {Frame.MESSAGE, Frame.REQUEST, Frame.REPLY})
  void everyLengthArrivesWholeThroughFramesOfEverySize(int kind) throws ProtocolException {
    for (int maxFrameBytes = 32; maxFrameBytes <= 96; maxFrameBytes += 8) {
      for (int length = 0; length <= 300; length++) {
        sendAndCheck(kind, length, maxFrameBytes, false);
      }
    }
  }

  @Test
  void queuedFragmentsSaySo() throws ProtocolException {
    sendAndCheck(Frame.MESSAGE, 1_000, 64, true);
  }

  private void sendAndCheck(int kind, int length, int maxFrameBytes, boolean queued)
      throws ProtocolException {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    Fragments fragments = cut(kind, body, maxFrameBytes, queued);
    long promised = fragments.laneBytes();
    long taken = 0;
    int count = 0;
    MemorySegment message = null;
    while (fragments.next()) {
      assertThat(message).as("nothing comes after the last fragment").isNull();
      long header = fragments.header();
      assertThat(Frame.length(header)).isBetween(Frame.HEADER_BYTES, maxFrameBytes);
      assertThat((Frame.flags(header) & Frame.FIRST) != 0).isEqualTo(count == 0);
      assertThat((Frame.flags(header) & Frame.QUEUED) != 0).isEqualTo(queued);
      taken += Frame.align(Frame.length(header));
      message = arrive(fragments);
      count++;
    }
    assertIsWhole(message, kind, body);
    assertThat(taken).isLessThanOrEqualTo(promised);
  }

  private static Fragments cut(int kind, byte[] body, int maxFrameBytes, boolean queued) {
    MemorySegment encoded = Arena.ofAuto().allocate(Frame.FRAGMENT_PREFIX_BYTES + body.length, 8);
    MemorySegment.copy(
        body, 0, encoded, ValueLayout.JAVA_BYTE, Frame.FRAGMENT_PREFIX_BYTES, body.length);
    return new Fragments(kind, TYPE, CORRELATION, encoded, body.length, maxFrameBytes, queued);
  }

  /** Copies the fragment to where a lane would hold it, and takes it from there. */
  private @Nullable MemorySegment arrive(Fragments fragments) throws ProtocolException {
    int length = Frame.length(fragments.header());
    MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), 8);
    MemorySegment.copy(
        fragments.segment(),
        fragments.offset(),
        frame,
        Frame.HEADER_BYTES,
        length - Frame.HEADER_BYTES);
    return reassembly.add(frame, 0, fragments.header());
  }

  private void assertIsWhole(@Nullable MemorySegment message, int kind, byte[] body) {
    assertThat(message).isNotNull();
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    assertThat(reassembly.innerHeader())
        .isEqualTo(Frame.header(prefix + body.length, TYPE, kind, 0));
    if (Frame.hasCorrelation(kind)) {
      assertThat(Frame.getLong(message, Frame.HEADER_BYTES)).isEqualTo(CORRELATION);
    }
    assertThat(message.asSlice(prefix, body.length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(body);
    reassembly.release();
  }
}
