// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionsTest {

  @ParameterizedTest
  @CsvSource({"1,1, 1,2, 1", "1,2, 1,2, 2", "1,3, 2,9, 3", "1,1, 2,2, 0", "3,4, 1,2, 0"})
  void greatestCommonVersion(int least, int greatest, int otherLeast, int otherGreatest, int all) {
    Versions one = new Versions(least, greatest);
    Versions other = new Versions(otherLeast, otherGreatest);
    assertThat(one.common(other)).isEqualTo(all);
    assertThat(other.common(one)).isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "2,1", "1,256"})
  void rangesThatCannotBeAreRefused(int least, int greatest) {
    assertThatThrownBy(() -> new Versions(least, greatest))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysItselfInWords() {
    assertThat(new Versions(2, 2)).hasToString("version 2");
    assertThat(new Versions(1, 3)).hasToString("versions 1 to 3");
  }
}
