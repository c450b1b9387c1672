// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class RegionKeyTest {

  private static final RegionKey KEY =
      new RegionKey(3, 0xFFFE, 0x1122334455667788L, 0x7F00_0000_1000L, 65536, 0xDEADBEEF, true);

  /** As docs/fabric.md and {@code region_key.h} have them. */
  @Test
  void bytesAreThoseOfTheNativeLibrary() {
    assertThat(HexFormat.of().formatHex(KEY.toBytes()))
        .isEqualTo(
            "01030100"
                + "feff0000"
                + "8877665544332211"
                + "00100000007f0000"
                + "0000010000000000"
                + "efbeadde");
    assertThat(RegionKey.of(KEY.toBytes())).isEqualTo(KEY);
    try (Remote remote = Remote.of(KEY)) {
      assertThat(remote.owner()).isEqualTo(0xFFFE);
      assertThat(remote.length()).isEqualTo(65536);
    }
  }

  @Test
  void saysWhatItAllowsAndNotHowItWorks() {
    assertThat(KEY.accesses()).containsExactly(Access.GET, Access.PUT);
    assertThat(KEY).hasToString("RegionKey[65536 bytes of node 65534, [GET, PUT]]");
  }

  @Test
  void whatIsNoKeyIsRefused() {
    assertNoKey(new byte[35], "it has 35 bytes, a key has 36");
    assertNoKey(changed(0, 9), "it has version 9, this side knows 1");
    assertNoKey(changed(1, 8), "access 8");
    assertNoKey(changed(2, 2), "bytes that are to be zero are not");
    assertNoKey(changed(3, 1), "bytes that are to be zero are not");
    assertThatIllegalArgumentException().isThrownBy(() -> new RegionKey(1, 1, 1, -1, 2, 1, false));
  }

  private static byte[] changed(int place, int value) {
    byte[] bytes = KEY.toBytes();
    bytes[place] = (byte) value;
    return bytes;
  }

  private static void assertNoKey(byte[] bytes, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RegionKey.of(bytes))
        .withMessageContaining("no key of a region")
        .withMessageContaining(why);
  }
}
