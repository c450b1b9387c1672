// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.verbena.MalformedMessageException;
import io.verbena.internal.codec.Samples.Everything;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;

/** What holds for every message; a failure names the seed that makes it again. */
class CodecPropertiesTest {

  private static final int MUTATIONS = Integer.getInteger("verbena.fuzz.messages", 20_000);
  private static final long SEED = Long.getLong("verbena.fuzz.seed", 20_260_101L);

  /** An exception with its stack trace and text, and a few objects per byte of the message. */
  private static final long MAX_ALLOCATED_BYTES = 512 * 1024;

  private static final MessageCodec CODEC = Wire.codecOf(Everything.class);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Property(tries = 300)
  void whatIsWrittenIsRead(@ForAll long seed) {
    Everything message = new Samples(seed).everything();
    Record back = Wire.decode(CODEC, Wire.encode(CODEC, message));
    assertThat(back)
        .usingRecursiveComparison(
            RecursiveComparisonConfiguration.builder().withStrictTypeChecking(false).build())
        .isEqualTo(message);
  }

  @Property(tries = 20)
  void everyTruncationIsMalformed(@ForAll long seed) {
    byte[] whole = Wire.encode(CODEC, new Samples(seed).everything());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThat(readable(cut)).as("%d of %d bytes", length, whole.length).isFalse();
    }
  }

  @Property(tries = 100)
  void oneByteTooManyIsMalformed(@ForAll long seed, @ForAll byte extra) {
    byte[] whole = Wire.encode(CODEC, new Samples(seed).everything());
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    longer[whole.length] = extra;
    assertThat(readable(longer)).isFalse();
  }

  /** There is one way to write a message, so bytes that can be read are those it is written as. */
  @Test
  void mutatedMessagesAreMalformedOrTheCanonicalBytesOfAnother() {
    Random random = new Random(SEED);
    int readable = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      long seed = random.nextLong();
      byte[] bytes = Wire.encode(CODEC, new Samples(seed).everything());
      mutate(bytes, random);
      try {
        readable += checkMutated(bytes) ? 1 : 0;
      } catch (Throwable e) {
        throw new AssertionError(
            "message %d of seed %d: %s".formatted(i, SEED, Wire.hex(bytes)), e);
      }
    }
    assertThat(readable).isBetween(1, MUTATIONS - 1);
  }

  private static boolean checkMutated(byte[] bytes) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    boolean readable = readable(bytes);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan(MAX_ALLOCATED_BYTES + 64L * bytes.length);
    if (readable) {
      assertThat(Wire.encode(CODEC, Wire.decode(CODEC, bytes))).isEqualTo(bytes);
    }
    return readable;
  }

  private static void mutate(byte[] bytes, Random random) {
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int at = random.nextInt(bytes.length);
      bytes[at] =
          switch (random.nextInt(4)) {
            case 0 -> (byte) 0xff;
            case 1 -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
            case 2 -> (byte) (bytes[at] + 1);
            default -> (byte) random.nextInt();
          };
    }
  }

  /** Anything but success and MalformedMessageException fails the test. */
  private static boolean readable(byte[] bytes) {
    try {
      Wire.decode(CODEC, bytes);
      return true;
    } catch (MalformedMessageException e) {
      assertThat(e).hasMessageContaining("Samples");
      return false;
    }
  }
}
