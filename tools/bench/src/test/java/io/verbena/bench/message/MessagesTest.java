// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.internal.codec.TypeTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {

  private static final TypeTable TYPES = TypeTable.of(BenchTypes.table());
  private static final long STAMP = StampFormat.ofMessages(64).stamp(3, 12_345);

  @Test
  void fixedRecordsHaveExactlyTheirSize() {
    assertThat(length(Tick.of(STAMP))).isEqualTo(64);
    assertThat(length(new Tiny1((byte) 1))).isEqualTo(1);
    assertThat(length(new Tiny2((short) 1))).isEqualTo(2);
    assertThat(length(new Tiny4(1))).isEqualTo(4);
    assertThat(length(new Tiny8(1))).isEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10, 16, 32, 100, 128, 135, 137, 256, 1024, 4096, 16_384, 65_536, 1 << 20})
  void blobsHaveExactlyTheSizeAskedFor(int sizeBytes) {
    assertThat(length(new Blob(STAMP, new byte[Blob.payloadLength(sizeBytes)])))
        .isEqualTo(sizeBytes);
  }

  @Test
  void sizesNoBlobHasAreKnown() {
    assertThat(Blob.payloadLength(8)).isEqualTo(-1);
    assertThat(Blob.payloadLength(136)).isEqualTo(-1);
  }

  @Test
  void everyChangedWordOfATickIsNoticed() {
    Tick t = Tick.of(STAMP);
    assertThat(t.isIntact()).isTrue();
    assertThat(new Tick(t.stamp() ^ 1, t.a(), t.b(), t.c(), t.d(), t.e(), t.f(), t.g()).isIntact())
        .isFalse();
    assertThat(
            new Tick(t.stamp(), t.a(), t.b(), t.c(), t.d() ^ 1L << 63, t.e(), t.f(), t.g())
                .isIntact())
        .isFalse();
    assertThat(new Tick(t.stamp(), t.a(), t.b(), t.c(), t.d(), t.e(), t.f(), t.g() + 1).isIntact())
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 9, 64, 100, 1024})
  void everyChangedByteOfAViewIsNoticed(int sizeBytes) {
    Views views = Views.ofSize(sizeBytes);
    MemorySegment segment = MemorySegment.ofArray(new byte[sizeBytes + 16]);
    views.write(STAMP, segment, 8);
    assertThat(views.stamp(segment, 8)).isEqualTo(STAMP);
    assertThat(views.isIntact(STAMP, segment, 8)).isTrue();
    for (int i = 16; i < 8 + sizeBytes; i++) {
      byte before = segment.get(ValueLayout.JAVA_BYTE, i);
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (before ^ 0x10));
      assertThat(views.isIntact(STAMP, segment, 8)).as("byte %d", i).isFalse();
      segment.set(ValueLayout.JAVA_BYTE, i, before);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void smallViewsAreTheirStamp(int sizeBytes) {
    StampFormat format = StampFormat.ofMessages(sizeBytes);
    Views views = Views.ofSize(sizeBytes);
    MemorySegment segment = MemorySegment.ofArray(new byte[sizeBytes]);
    long stamp = format.stamp(format.maxThreads() - 1, 77);
    views.write(stamp, segment, 0);
    assertThat(views.stamp(segment, 0)).isEqualTo(stamp);
    assertThat(format.thread(stamp)).isEqualTo(format.maxThreads() - 1);
  }

  @Test
  void payloadsOfDifferentMessagesDiffer() {
    Payloads payloads = new Payloads(1000);
    assertThat(payloads.isIntact(STAMP, payloads.of(STAMP))).isTrue();
    assertThat(payloads.isIntact(STAMP, payloads.of(STAMP + 1))).isFalse();
    assertThat(payloads.isIntact(STAMP, new byte[999])).isFalse();
  }

  private static int length(Record message) {
    return TYPES.codecOf(message.getClass()).length(message);
  }
}
