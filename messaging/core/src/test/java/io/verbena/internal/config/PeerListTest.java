// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerListTest {

  @Test
  void readsNamesNumbersAndPeersWithoutAddress() {
    assertThat(PeerList.parse("4=, 2=host-a.example:1 ,3=[::1]:65535"))
        .containsExactly(
            Map.entry(2, "host-a.example:1"), Map.entry(3, "[::1]:65535"), Map.entry(4, ""));
  }

  @Test
  void blankListIsEmpty() {
    assertThat(PeerList.parse(" ")).isEmpty();
  }

  @Test
  void peersAddedInTheProgramGoFirst() {
    assertThat(PeerList.merged("2=a:1,3=b:1", Map.of(3, "c:1", 1, "")))
        .containsExactly(Map.entry(1, ""), Map.entry(2, "a:1"), Map.entry(3, "c:1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2; '2' is not of the form id=host:port or id=",
        "2=a:1,; '' is not of the form",
        "x=a:1; 'x=a:1' is not of the form",
        "-1=a:1; '-1=a:1' is not of the form",
        "1234567890=a:1; '1234567890=a:1' is not of the form",
        "65536=a:1; peer id 65536: expected 0..65535",
        "2=a:1,2=b:1; peer 2 stands there twice",
        "2=a; address 'a' of peer 2: expected host:port",
        "2=a:; address 'a:' of peer 2",
        "2=:1; address ':1' of peer 2",
        "2=a:0; address 'a:0' of peer 2",
        "2=a:65536; address 'a:65536' of peer 2",
        "2=a:1:1; address 'a:1:1' of peer 2",
        "2=[::1]; address '[::1]' of peer 2",
        "2=[host]:1; address '[host]:1' of peer 2",
      })
  void refusesWhatIsNoPeerByName(String list, String error) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> PeerList.parse(list))
        .withMessageStartingWith(error);
  }
}
