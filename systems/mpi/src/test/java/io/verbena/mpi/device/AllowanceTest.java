// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllowanceTest {

  private final Allowance allowance = new Allowance();

  @Test
  void bytesAreTakenAndComeBack() {
    assertThat(allowance.takeBytes(1)).isFalse();
    allowance.bytesCameBack(1000);
    assertThat(allowance.takeBytes(600)).isTrue();
    assertThat(allowance.takeBytes(401)).isFalse();
    assertThat(allowance.takeBytes(400)).isTrue();
    allowance.putBackBytes(600);
    assertThat(allowance.takeBytes(600)).isTrue();
    allowance.bytesCameBack(5);
    assertThat(allowance.takeBytes(6)).isFalse();
    assertThat(allowance.takeBytes(5)).isTrue();
  }

  @Test
  void headsAreTakenAndComeBack() {
    takeAllHeads(Wire.HEADS);
    allowance.headCameBack(false);
    assertThat(allowance.isStalled()).isFalse();
    takeAllHeads(1);
    allowance.headCameBack(false);
    assertThat(allowance.takeHead()).isTrue();
    allowance.putBackHead();
    takeAllHeads(1);
  }

  @Test
  void headsThatWereGrantedBesideAreGoneOnceAllAreMatched() {
    takeAllHeads(Wire.HEADS);
    allowance.grantHeads(10);
    assertThat(allowance.isStalled()).isFalse();
    takeAllHeads(10);
    for (int left = Wire.HEADS + 9; left >= 0; left--) {
      allowance.headCameBack(left == 0);
    }
    takeAllHeads(Wire.HEADS);
  }

  @Test
  void nothingIsAllowedBeforeTheFirstWord() {
    assertThat(allowance.isStalled()).isTrue();
    allowance.bytesCameBack(0);
    assertThat(allowance.isStalled()).isFalse();
  }

  private void takeAllHeads(int there) {
    for (int i = 0; i < there; i++) {
      assertThat(allowance.takeHead()).isTrue();
    }
    assertThat(allowance.takeHead()).isFalse();
    assertThat(allowance.isStalled()).isTrue();
  }
}
