// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.verbena.MalformedMessageException;
import io.verbena.internal.codec.Samples.Color;
import io.verbena.internal.codec.Samples.Figure;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

/**
 * Bytes that a well-behaved peer would not send: each is refused with what, where and the limit.
 */
class HostileBytesTest {

  record Flag(boolean on) {}

  record Flags(boolean[] all) {}

  record Boxed(Boolean on) {}

  record Painted(Color color) {}

  record Text(String text) {}

  record Longs(long[] values) {}

  record Texts(List<String> texts) {}

  record Names(Set<String> names) {}

  record Counts(Map<String, Integer> counts) {}

  record Maybe(Optional<String> value) {}

  record Drawing(Figure figure) {}

  record Nodes(List<Nodes> nodes) {}

  record Positive(int value) {
    Positive {
      if (value <= 0) {
        throw new IllegalArgumentException("value must be positive, not " + value);
      }
    }
  }

  record Holder(String name, Positive positive) {}

  /** A key whose hash code cannot be taken. */
  record BadKey(int value) {
    @Override
    public int hashCode() {
      throw new UnsupportedOperationException("no hash");
    }
  }

  record BadKeys(Set<BadKey> keys) {}

  @Test
  void booleansAreZeroOrOne() {
    refused(Flag.class, "02").hasMessageContaining("Flag.on").hasMessageContaining("value 2");
    refused(Flags.class, "03 01 ff").hasMessageContaining("Flags.all").hasMessageContaining("255");
    refused(Boxed.class, "01 07").hasMessageContaining("Boxed.on");
    refused(Boxed.class, "02 01").hasMessageContaining("Boxed.on").hasMessageContaining("limit");
  }

  @Test
  void enumCodesAreThoseOfConstants() {
    assertThat(Wire.decode(Painted.class, "03")).isEqualTo(new Painted(Color.BLUE));
    refused(Painted.class, "04").hasMessageContaining("Painted.color").hasMessageContaining("3");
  }

  @Test
  void tagsAreThoseOfPermittedRecords() {
    refused(Drawing.class, "04").hasMessageContaining("Figure").hasMessageContaining("limit is 3");
  }

  @Test
  void textsAreUtf8() {
    for (String bad : List.of("ff", "c0 80", "ed a0 80", "f5 80 80 80", "e2 82", "61 80 61")) {
      String count = "%02x".formatted(Wire.bytes(bad).length + 1);
      refused(Text.class, count + bad)
          .hasMessageContaining("Text.text")
          .hasMessageContaining("UTF");
    }
  }

  @Test
  void replacementCharactersThatWereSentAreNotTakenForDamage() {
    assertThat(Wire.decode(Text.class, "04 ef bf bd")).isEqualTo(new Text("\ufffd"));
  }

  @Test
  void bytesLeftOverAreRefused() {
    refused(Text.class, "00 00").hasMessageContaining("Text").hasMessageContaining("1 bytes");
    refused(Flag.class, "01 00").hasMessageContaining("always 1 bytes");
  }

  @Test
  void countsInALongerFormThanNeededAreRefused() {
    refused(Text.class, "80 00").hasMessageContaining("shortest");
    refused(Text.class, "82 80 00 61").hasMessageContaining("shortest");
  }

  @Test
  void countsAboveTheLargestAreRefused() {
    refused(Longs.class, "ff ff ff ff 7f").hasMessageContaining("2147483647");
    refused(Longs.class, "ff ff ff ff ff 01").hasMessageContaining("2147483647");
    refused(Longs.class, "81 80 80 80 08").hasMessageContaining("2147483647");
  }

  @Test
  void claimsOfMoreThanHasArrivedAreRefusedWithoutAllocatingForThem() {
    String largest = "80 80 80 80 08" + "00".repeat(15);
    String large = "ff ff ff 7f" + "00".repeat(16);
    for (Class<? extends Record> type :
        List.of(Text.class, Longs.class, Texts.class, Names.class, Counts.class, Flags.class)) {
      for (String claim : List.of(largest, large)) {
        MessageCodec codec = Wire.codecOf(type);
        byte[] bytes = Wire.bytes(claim);
        refusedBy(codec, bytes).hasMessageContaining("left");
        assertThat(allocatedBy(codec, bytes)).isLessThan(64 * 1024);
      }
    }
  }

  @Test
  void countsAreHeldAgainstTheSizeOfTheirElements() {
    refused(Longs.class, "04" + "00".repeat(23))
        .hasMessageContaining("count of 3, at 8 bytes or more each")
        .hasMessageContaining("23 bytes left");
    refused(Counts.class, "04" + "00".repeat(5))
        .hasMessageContaining("count of 3, at 2 bytes or more each");
  }

  private static long allocatedBy(MessageCodec codec, byte[] bytes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    refusedBy(codec, bytes);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void elementsAndKeysOccurOnce() {
    String a = "02" + Wire.hexOf("a");
    refused(Names.class, "03" + a + a)
        .hasMessageContaining("Names.names")
        .hasMessageContaining("twice");
    refused(Counts.class, "03" + a + "00" + a + "00").hasMessageContaining("Counts.counts");
  }

  @Test
  void anOptionalThatIsPresentHoldsSomething() {
    refused(Maybe.class, "02 00").hasMessageContaining("Maybe.value").hasMessageContaining("null");
    refused(Maybe.class, "03").hasMessageContaining("limit is 2");
  }

  @Test
  void nestingBeyondTheLimitIsRefusedBeforeTheStackIs() {
    // A list of one record, each of which holds a list of one record, and so on.
    refused(Nodes.class, "02 01".repeat(1_000_000) + "00")
        .hasMessageContaining("Nodes")
        .hasMessageContaining("256");
  }

  @Test
  void whatAConstructorRefusesIsMalformed() {
    refused(Positive.class, "fb ff ff ff")
        .hasMessageContaining("Positive")
        .hasMessageContaining("value must be positive, not -5")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    refused(Holder.class, "00 01 00 00 00 00").hasMessageContaining("must be positive, not 0");
  }

  @Test
  void keysWhoseHashCodeThrowsAreMalformed() {
    refused(BadKeys.class, "02 01 05 00 00 00").hasMessageContaining("no hash");
  }

  private static AbstractThrowableAssert<?, ?> refused(Class<? extends Record> type, String hex) {
    return refusedBy(Wire.codecOf(type), Wire.bytes(hex));
  }

  private static AbstractThrowableAssert<?, ?> refusedBy(MessageCodec codec, byte[] bytes) {
    return assertThatThrownBy(() -> Wire.decode(codec, bytes))
        .isInstanceOf(MalformedMessageException.class);
  }
}
