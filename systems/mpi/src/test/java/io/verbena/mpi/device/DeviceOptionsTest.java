// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceOptionsTest {

  private static DeviceOptions with(String key, String value) {
    return DeviceOptions.of(Map.of(key, value)::get);
  }

  @Test
  void areTheDefaultsWhereNothingIsSet() {
    assertThat(DeviceOptions.of(key -> null)).isEqualTo(DeviceOptions.DEFAULTS);
    assertThat(with("mpi.eager.bytes", "")).isEqualTo(DeviceOptions.DEFAULTS);
  }

  @Test
  void areGivenWithUnits() {
    assertThat(with("mpi.unexpected.bytes", "0").unexpectedBytes()).isZero();
    assertThat(with("mpi.unexpected.bytes", "1500").unexpectedBytes()).isEqualTo(1500);
    assertThat(with("mpi.unexpected.bytes", "8G").unexpectedBytes()).isEqualTo(8L << 30);
    assertThat(with("mpi.eager.bytes", "3K").eagerBytes()).isEqualTo(3 << 10);
    assertThat(with("mpi.piece.bytes", "8K").pieceBytes()).isEqualTo(8 << 10);
  }

  @Test
  void areThoseOfTheTransportUnlessTheyAreSet() {
    DeviceOptions unset = DeviceOptions.DEFAULTS;
    assertThat(unset.eagerBytesOver("shm")).isEqualTo(32 << 10);
    assertThat(unset.pieceBytesOver("rdma")).isEqualTo(32 << 10);
    assertThat(unset.eagerBytesOver("tcp")).isEqualTo(128 << 10);
    assertThat(unset.pieceBytesOver("tcp")).isEqualTo(64 << 10);
    assertThat(with("mpi.eager.bytes", "0").eagerBytesOver("tcp")).isZero();
    assertThat(with("mpi.piece.bytes", "8K").pieceBytesOver("tcp")).isEqualTo(8 << 10);
  }

  @Test
  void areRefusedWithKeyValueAndLimit() {
    for (String wrong : new String[] {"K", "many", "64 M", "9999999999999G", "-1"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> with("mpi.unexpected.bytes", wrong))
          .withMessageContaining("mpi.unexpected.bytes is '" + wrong);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> with("mpi.eager.bytes", "2G"))
        .withMessage("mpi.eager.bytes is '2G'; the most is 2147483647");
    for (String wrong : new String[] {"0", "65K"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> with("mpi.piece.bytes", wrong))
          .withMessageContaining("choose 1 to 65536");
    }
  }
}
