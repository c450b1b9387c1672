// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class WishesTest {

  @Test
  void wishesOutOfRangeAreRefusedByName() {
    expectRefusal(wishes -> wishes.port(0), "port 0: expected 1 to 255");
    expectRefusal(wishes -> wishes.port(256), "port 256");
    expectRefusal(wishes -> wishes.gidIndex(-2), "GID index -2: expected 0 to 255");
    expectRefusal(wishes -> wishes.pkey(0x10000), "P_Key 65536: expected 0 to 65535");
    expectRefusal(wishes -> wishes.serviceLevel(16), "service level 16: expected 0 to 15");
    expectRefusal(wishes -> wishes.trafficClass(256), "traffic class 256: expected 0 to 255");
    expectRefusal(wishes -> wishes.mtuBytes(8192), "MTU 8192: expected 256 to 4096");
    expectRefusal(wishes -> wishes.mtuBytes(1500), "MTU 1500: expected 256, 512, 1024");
  }

  private static void expectRefusal(UnaryOperator<Wishes.Builder> wish, String reason) {
    assertThatThrownBy(() -> wish.apply(Wishes.builder()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }
}
