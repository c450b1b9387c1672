// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages put together from fragments that end anywhere, and fragments that cannot be. */
class ReassemblyTest {

  private static final long MAX_MESSAGE_BYTES = 1 << 20;
  private static final long CORRELATION = 0x0102_0304_0506_0708L;
  private static final int TYPE = 77;

  private final Reassembly reassembly = new Reassembly(MAX_MESSAGE_BYTES);

  /** Total length, inner header, correlation, body: what fragments are cut from. */
  private static byte[] whole(int kind, byte[] body) {
    int length = Frame.HEADER_BYTES + Frame.prefixBytes(kind) + body.length;
    return whole(Frame.header(length, TYPE, kind, 0), body);
  }

  private static byte[] whole(long innerHeader, byte[] body) {
    byte[] whole = new byte[Frame.FRAGMENT_PREFIX_BYTES + body.length];
    Frame.putLongUnaligned(MemorySegment.ofArray(whole), 0, innerHeader);
    Frame.putLongUnaligned(MemorySegment.ofArray(whole), 8, CORRELATION);
    System.arraycopy(body, 0, whole, Frame.FRAGMENT_PREFIX_BYTES, body.length);
    return whole;
  }

  private static byte[] randomBody(int length) {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    return body;
  }

  /** Adds the bytes {@code from..to} of a whole as one fragment. */
  private @Nullable MemorySegment add(byte[] whole, int from, int to, int flags)
      throws ProtocolException {
    return addTo(reassembly, whole, from, to, flags);
  }

  private static @Nullable MemorySegment addTo(
      Reassembly reassembly, byte[] whole, int from, int to, int flags) throws ProtocolException {
    int length = Frame.HEADER_BYTES + to - from;
    MemorySegment frame = Arena.ofAuto().allocate(Frame.align(length), 8);
    MemorySegment.copy(whole, from, frame, ValueLayout.JAVA_BYTE, Frame.HEADER_BYTES, to - from);
    return reassembly.add(frame, 0, Frame.header(length, 0, Frame.FRAGMENT, flags));
  }

  private void assertIsWhole(@Nullable MemorySegment message, int kind, byte[] body) {
    assertThat(message).isNotNull();
    int prefix = Frame.HEADER_BYTES + Frame.prefixBytes(kind);
    long header = Frame.getLong(message, 0);
    assertThat(header).isEqualTo(reassembly.innerHeader());
    assertThat(Frame.length(header)).isEqualTo(prefix + body.length);
    assertThat(Frame.kind(header)).isEqualTo(kind);
    assertThat(Frame.typeId(header)).isEqualTo(TYPE);
    if (Frame.hasCorrelation(kind)) {
      assertThat(Frame.getLong(message, Frame.HEADER_BYTES)).isEqualTo(CORRELATION);
    }
    assertThat(message.asSlice(prefix, body.length).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(body);
    reassembly.release();
  }

  private void refuses(String why, byte[] whole, int from, int to, int flags) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> add(whole, from, to, flags))
        .withMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(ints = {Frame.MESSAGE, Frame.REQUEST, Frame.REPLY, Frame.ERROR})
  void twoFragmentsMayMeetAnywhere(int kind) throws ProtocolException {
    byte[] body = randomBody(100);
    byte[] whole = whole(kind, body);
    for (int cut = Frame.FRAGMENT_PREFIX_BYTES; cut <= whole.length; cut++) {
      assertThat(add(whole, 0, cut, Frame.FIRST)).isNull();
      assertIsWhole(add(whole, cut, whole.length, Frame.LAST), kind, body);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Frame.MESSAGE, Frame.REQUEST})
  void threeFragmentsMayMeetAnywhere(int kind) throws ProtocolException {
    byte[] body = randomBody(40);
    byte[] whole = whole(kind, body);
    for (int first = Frame.FRAGMENT_PREFIX_BYTES; first <= whole.length; first++) {
      for (int second = first; second <= whole.length; second++) {
        assertThat(add(whole, 0, first, Frame.FIRST)).isNull();
        assertThat(add(whole, first, second, 0)).isNull();
        assertIsWhole(add(whole, second, whole.length, Frame.LAST), kind, body);
      }
    }
  }

  @Test
  void oneFragmentMayBeFirstAndLast() throws ProtocolException {
    byte[] whole = whole(Frame.MESSAGE, new byte[0]);
    assertIsWhole(
        add(whole, 0, whole.length, Frame.FIRST | Frame.LAST), Frame.MESSAGE, new byte[0]);
  }

  @Test
  void messageGrowsByteByByte() throws ProtocolException {
    byte[] body = randomBody(3_000);
    byte[] whole = whole(Frame.MESSAGE, body);
    add(whole, 0, 16, Frame.FIRST);
    for (int i = 16; i < whole.length; i++) {
      assertThat(add(whole, i, i + 1, 0)).isNull();
    }
    assertIsWhole(add(whole, 0, 0, Frame.LAST), Frame.MESSAGE, body);
  }

  @Test
  void fragmentWithoutAFirstOneIsRefused() {
    byte[] whole = whole(Frame.MESSAGE, new byte[10]);
    refuses("without a first one", whole, 0, whole.length, 0);
    refuses("without a first one", whole, 0, whole.length, Frame.LAST);
  }

  @Test
  void fragmentAfterTheLastOneIsRefused() throws ProtocolException {
    byte[] whole = whole(Frame.MESSAGE, new byte[10]);
    add(whole, 0, whole.length, Frame.FIRST | Frame.LAST);
    refuses("without a first one", whole, 0, whole.length, 0);
  }

  @Test
  void firstFragmentInsideOfAMessageIsRefused() throws ProtocolException {
    byte[] whole = whole(Frame.MESSAGE, new byte[10]);
    add(whole, 0, 20, Frame.FIRST);
    refuses("inside of another message", whole, 0, 20, Frame.FIRST);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15})
  void firstFragmentTooShortForItsPrefixIsRefused(int bytes) {
    refuses("it needs 16", whole(Frame.MESSAGE, new byte[10]), 0, bytes, Frame.FIRST);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Frame.PAD, Frame.FRAGMENT, Frame.CONTROL, 255})
  void kindThatIsNeverFragmentedIsRefused(int kind) {
    byte[] whole = whole(Frame.header(18, TYPE, kind, 0), new byte[10]);
    refuses("fragments of a frame of kind " + kind, whole, 0, whole.length, Frame.FIRST);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, 0, 7, (1 << 20) + 17, Integer.MAX_VALUE})
  void lengthThatNoMessageHasIsRefused(int length) {
    byte[] whole = whole(Frame.header(length, TYPE, Frame.MESSAGE, 0), new byte[10]);
    refuses("message.max.bytes is 1048576", whole, 0, whole.length, Frame.FIRST);
  }

  @Test
  void requestTooShortForItsCorrelationIsRefused() {
    byte[] whole = whole(Frame.header(15, TYPE, Frame.REQUEST, 0), new byte[10]);
    refuses("a fragmented message of 15 bytes", whole, 0, whole.length, Frame.FIRST);
  }

  @Test
  void moreThanWasClaimedIsRefused() throws ProtocolException {
    byte[] whole = whole(Frame.header(18, TYPE, Frame.MESSAGE, 0), new byte[11]);
    refuses("fragments of 19 bytes for a message of 18", whole, 0, 27, Frame.FIRST);
  }

  @Test
  void lessThanWasClaimedIsRefused() {
    byte[] whole = whole(Frame.header(18, TYPE, Frame.MESSAGE, 0), new byte[9]);
    refuses("a message of 18 at 17", whole, 0, whole.length, Frame.FIRST | Frame.LAST);
  }

  @Test
  void bufferThatWasOutgrownOrIsLargeIsFreedAtOnce() throws ProtocolException {
    byte[] body = randomBody(9 << 20);
    byte[] whole = whole(Frame.MESSAGE, body);
    try (Reassembly large = new Reassembly(body.length)) {
      assertThat(addTo(large, whole, 0, 5 << 20, Frame.FIRST)).isNull();
      MemorySegment message = addTo(large, whole, 5 << 20, whole.length, Frame.LAST);
      assertThat(message).isNotNull();
      assertThat(message.scope().isAlive()).isTrue();
      large.release();
      assertThat(message.scope().isAlive()).isFalse();
    }
  }

  @Test
  void smallBufferIsKeptForTheNextMessageUntilTheEnd() throws ProtocolException {
    byte[] whole = whole(Frame.MESSAGE, randomBody(100));
    MemorySegment first = add(whole, 0, whole.length, Frame.FIRST | Frame.LAST);
    reassembly.release();
    MemorySegment second = add(whole, 0, whole.length, Frame.FIRST | Frame.LAST);
    assertThat(second).isEqualTo(first);
    reassembly.close();
    assertThat(second.scope().isAlive()).isFalse();
  }

  @Test
  void whatWasBegunBeforeTheEndIsGivenUp() throws ProtocolException {
    byte[] whole = whole(Frame.MESSAGE, randomBody(100));
    add(whole, 0, 50, Frame.FIRST);
    reassembly.close();
    refuses("without a first one", whole, 50, whole.length, Frame.LAST);
  }
}
