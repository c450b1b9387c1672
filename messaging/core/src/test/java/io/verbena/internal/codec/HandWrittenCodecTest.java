// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.Codec;
import io.verbena.MalformedMessageException;
import io.verbena.MessageTypes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fault 1: a serializer that throws, or lies about its length, harms its own message only. */
class HandWrittenCodecTest {

  record Point(int x, int y) {}

  /** A codec that does as its fields say, right or wrong. */
  private static class PointCodec implements Codec<Point> {
    int claimedBytes = 8;
    int writtenBytes = 8;

    @Override
    public int length(Point message) {
      return claimedBytes;
    }

    @Override
    public void write(Point message, MemorySegment to, long offset) {
      for (int i = 0; i < writtenBytes; i += 4) {
        to.set(Encoding.INT, offset + i, i == 0 ? message.x() : message.y());
      }
    }

    @Override
    public Point read(MemorySegment from, long offset, int length) {
      return new Point(from.get(Encoding.INT, offset), from.get(Encoding.INT, offset + 4));
    }

    @Override
    public String layout() {
      return "x, y (v1)";
    }
  }

  private static MessageCodec wrap(Codec<Point> codec) {
    return TypeTable.of(MessageTypes.builder().add(4, Point.class, codec).build())
        .codecOf(Point.class);
  }

  @Test
  void isUsedInPlaceOfTheGeneratedOne() {
    MessageCodec codec = wrap(new PointCodec());
    assertThat(codec.fixedLength()).isEqualTo(-1);
    assertThat(codec.length(new Point(1, 2))).isEqualTo(8);
    byte[] bytes = Wire.encode(codec, new Point(1, 2));
    assertThat(Wire.hex(bytes)).isEqualTo("01 00 00 00 02 00 00 00");
    assertThat(Wire.decode(codec, bytes)).isEqualTo(new Point(1, 2));
    List<Object> seen = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_INT, 0, 3, 4);
      codec.sink((message, from) -> seen.add(message)).accept(memory, 4, 8, new RecordingOrigin());
    }
    assertThat(seen).containsExactly(new Point(3, 4));
  }

  @Test
  void writingMoreThanClaimedIsRefusedAndTouchesNothingBeyond() {
    PointCodec liar = new PointCodec();
    liar.writtenBytes = 12;
    MessageCodec codec = wrap(liar);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      assertThatThrownBy(() -> codec.write(new Point(1, 2), memory, 8, 8))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("PointCodec of " + Point.class.getName())
          .hasMessageContaining("outside of the 8 bytes");
      assertThat(memory.asSlice(16).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @Test
  void aLengthThatChangesIsRefused() {
    PointCodec liar = new PointCodec();
    MessageCodec codec = wrap(liar);
    int length = codec.length(new Point(1, 2));
    liar.claimedBytes = 4;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      assertThatThrownBy(() -> codec.write(new Point(1, 2), memory, 8, length))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("8 bytes, and now 4");
    }
  }

  @Test
  void negativeLengthsAreRefused() {
    PointCodec liar = new PointCodec();
    liar.claimedBytes = -1;
    assertThatThrownBy(() -> wrap(liar).length(new Point(1, 2)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("-1 bytes");
  }

  @Test
  void readingBeyondTheMessageIsMalformedEvenIfTheMemoryGoesOn() {
    MessageCodec codec = wrap(new PointCodec());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(64);
      assertThatThrownBy(() -> codec.read(memory, 0, 7))
          .isInstanceOf(MalformedMessageException.class)
          .hasMessageContaining("PointCodec")
          .hasCauseInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void whatItsReaderThrowsOrLeavesOutIsMalformed() {
    MessageCodec throwing =
        wrap(
            new PointCodec() {
              @Override
              public Point read(MemorySegment from, long offset, int length) {
                throw new IllegalArgumentException("x is not allowed");
              }
            });
    assertThatThrownBy(() -> Wire.decode(throwing, new byte[8]))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("x is not allowed");
    MessageCodec missing =
        wrap(
            new PointCodec() {
              @Override
              @SuppressWarnings("NullAway")
              public Point read(MemorySegment from, long offset, int length) {
                return null;
              }
            });
    assertThatThrownBy(() -> Wire.decode(missing, new byte[8]))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageContaining("returned no");
  }

  @Test
  void aReaderCannotChangeTheBytes() {
    MessageCodec vandal =
        wrap(
            new PointCodec() {
              @Override
              public Point read(MemorySegment from, long offset, int length) {
                from.set(Encoding.INT, offset, 1);
                return new Point(1, 1);
              }
            });
    assertThatThrownBy(() -> Wire.decode(vandal, new byte[8]))
        .isInstanceOf(MalformedMessageException.class);
  }
}
