// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class DeviceListTest {

  private final Arena arena = Arena.ofAuto();

  private final Struct wishes = Struct.allocate(Structs.WISHES, arena);

  @Test
  void wishThatTheLibraryDoesNotKnowIsRefusedWithItsText() {
    wishes.setInt("family", 5);
    assertThatThrownBy(this::survey)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a wish is out of range");
  }

  @Test
  void rowsThatAreNotThereAreRefused() {
    try (DeviceList found = survey()) {
      assertThatThrownBy(() -> found.port(1000, arena)).hasMessageContaining("no row 1000");
      assertThatThrownBy(() -> found.gid(0, 1000, arena)).hasMessageContaining("no GID 1000");
      assertThatThrownBy(() -> found.hindrance(1000)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void closedListIsEmptyAndMayBeClosedAgain() {
    DeviceList found = survey();
    assertThat(found.portCount()).isPositive();
    found.close();
    assertThat(found.portCount()).isZero();
    assertThat(found.reasons()).isEmpty();
    found.close();
  }

  private DeviceList survey() {
    return DeviceList.survey(NativeLibrary.get(), wishes);
  }
}
