// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.lane.Frame;
import io.verbena.internal.lane.ProtocolException;
import io.verbena.internal.lane.Reassembly;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is cut here is put together there, for every length around every cut. */
class LargeMessageTest {

  private static final long CORRELATION = -2;

  private final MessageCodec codec = new TestHost(1).codecOf(new Blob(new byte[0]));
  private final Reassembly reassembly = new Reassembly(1 << 20);

  @ParameterizedTest
  @ValueSource(ints = {Frame.MESSAGE, Frame.REQUEST, Frame.REPLY})
  void everyLengthArrivesWholeThroughFramesOfEverySize(int kind) throws ProtocolException {
    for (int maxFrameBytes = 32; maxFrameBytes <= 96; maxFrameBytes += 8) {
      for (int length = 0; length <= 300; length++) {
        sendAndCheck(kind, blob(length), maxFrameBytes);
      }
    }
  }

  @Test
  void queuedFragmentsSaySoAndAreTheSame() {
    Blob blob = blob(1_000);
    try (LargeMessage direct = encode(Frame.MESSAGE, blob, 64);
        LargeMessage queued = encode(Frame.MESSAGE, blob, 64)) {
      for (Backlog.Queued frame : queued.queuedFrames()) {
        assertThat(direct.next()).isTrue();
        int flags = Frame.flags(direct.header()) | Frame.QUEUED;
        int length = Frame.length(direct.header());
        assertThat(frame.header()).isEqualTo(Frame.header(length, 0, Frame.FRAGMENT, flags));
        long bytes = length - Frame.HEADER_BYTES;
        MemorySegment same = direct.segment().asSlice(direct.offset(), bytes);
        assertThat(MemorySegment.ofArray(frame.rest()).mismatch(same)).isEqualTo(-1);
      }
      assertThat(direct.next()).isFalse();
    }
  }

  private static Blob blob(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return new Blob(bytes);
  }

  private LargeMessage encode(int kind, Blob blob, int maxFrameBytes) {
    return new LargeMessage(kind, CORRELATION, codec, blob, codec.length(blob), maxFrameBytes);
  }

  private void sendAndCheck(int kind, Blob blob, int maxFrameBytes) throws ProtocolException {
    try (LargeMessage large = encode(kind, blob, maxFrameBytes)) {
      long taken = 0;
      int count = 0;
      MemorySegment message = null;
      while (large.next()) {
        assertThat(message).as("nothing comes after the last fragment").isNull();
        long header = large.header();
        assertThat(Frame.length(header)).isBetween(Frame.HEADER_BYTES, maxFrameBytes);
        assertThat((Frame.flags(header) & Frame.FIRST) != 0).isEqualTo(count == 0);
        assertThat(Frame.flags(header) & Frame.QUEUED).isZero();
        taken += Frame.align(Frame.length(header));
        message = arrive(large);
        count++;
      }
      assertIsWhole(message, kind, blob);
      assertThat(taken).isLessThanOrEqualTo(large.laneBytes());
    }
  }

  /** Copies the fragment to where a lane would hold it, and takes it from there. */
  private @Nullable MemorySegment arrive(LargeMessage large) throws ProtocolException {
    int length = Frame.length(large.header());
    MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), 8);
    MemorySegment.copy(
        large.segment(), large.offset(), frame, Frame.HEADER_BYTES, length - Frame.HEADER_BYTES);
    return reassembly.add(frame, 0, large.header());
  }

  private void assertIsWhole(@Nullable MemorySegment message, int kind, Blob blob) {
    assertThat(message).isNotNull();
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    int length = codec.length(blob);
    assertThat(reassembly.innerHeader())
        .isEqualTo(Frame.header(prefix + length, codec.typeId(), kind, 0));
    if (Frame.hasCorrelation(kind)) {
      assertThat(Frame.getLong(message, Frame.HEADER_BYTES)).isEqualTo(CORRELATION);
    }
    assertThat(((Blob) codec.read(message, prefix, length)).bytes()).isEqualTo(blob.bytes());
    reassembly.release();
  }
}
