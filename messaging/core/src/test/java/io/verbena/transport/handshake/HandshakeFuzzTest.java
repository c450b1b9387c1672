// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.Versions;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Handshakes whose bytes are changed on their way: each ends, by an agreement that is right or by
 * an {@link IOException}. {@code -Dverbena.fuzz=N} sets how many, {@code -Dverbena.seed=S} where to
 * start.
 */
class HandshakeFuzzTest {

  private static final int COUNT = Integer.getInteger("verbena.fuzz", 20_000);
  private static final long SEED = Long.getLong("verbena.seed", 20_26);

  @Test
  void changedHandshakesEndInOrder() {
    for (int i = 0; i < COUNT; i++) {
      long seed = SEED + i;
      try {
        runOne(new SplittableRandom(seed));
      } catch (AssertionError e) {
        throw new AssertionError("with -Dverbena.fuzz=1 -Dverbena.seed=" + seed, e);
      }
    }
  }

  private static void runOne(SplittableRandom random) {
    Party one = new Party(1);
    Party two = new Party(2);
    boolean keyed = random.nextBoolean();
    if (keyed) {
      one.key("0123456789abcdef");
      two.key("0123456789abcdef");
    }
    if (random.nextInt(8) == 0) {
      two.types("other");
    }
    if (random.nextInt(4) == 0) {
      one.types("*one version");
      two.types("*another version");
    }
    if (random.nextInt(8) == 0) {
      two.versions = Versions.FIRST;
    }
    Meeting meeting = new Meeting(one, two);
    int victim = random.nextInt(4);
    Wire.End end = random.nextBoolean() ? meeting.wire.dialling : meeting.wire.accepting;
    int[] message = {0};
    end.changed(bytes -> message[0]++ == victim ? mutate(bytes, random) : bytes);
    meeting.run();
    check(meeting.dial);
    check(meeting.accept);
    if (meeting.dial.agreement() != null && meeting.accept.agreement() != null && keyed) {
      assertThat(meeting.dial.agreement().session())
          .isEqualTo(meeting.accept.agreement().session());
    }
    assertThat(meeting.acceptor.rejected).hasSize(meeting.accept.agreement() == null ? 1 : 0);
  }

  private static void check(Meeting.Outcome outcome) {
    if (outcome.agreement() == null) {
      assertThat(outcome.failure()).isInstanceOf(IOException.class);
    }
  }

  private static byte[] mutate(byte[] bytes, SplittableRandom random) {
    byte[] changed = bytes.clone();
    int at = random.nextInt(changed.length);
    return switch (random.nextInt(6)) {
      case 0 -> with(changed, at, (byte) (changed[at] ^ 1 << random.nextInt(8)));
      case 1 -> with(changed, at, (byte) random.nextInt());
      case 2 -> Arrays.copyOf(changed, at);
      case 3 -> Arrays.copyOf(changed, changed.length + random.nextInt(64));
      case 4 -> without(changed, at, random.nextInt(1, 9));
      default -> {
        random.nextBytes(changed);
        yield changed;
      }
    };
  }

  private static byte[] with(byte[] bytes, int at, byte value) {
    bytes[at] = value;
    return bytes;
  }

  private static byte[] without(byte[] bytes, int at, int count) {
    int end = Math.min(bytes.length, at + count);
    byte[] shorter = Arrays.copyOf(bytes, bytes.length - (end - at));
    System.arraycopy(bytes, end, shorter, at, bytes.length - end);
    return shorter;
  }
}
