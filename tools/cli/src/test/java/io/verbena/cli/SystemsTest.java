// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.bench.LeftOut;
import io.verbena.bench.plan.SystemUnderTest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemsTest {

  private static final SystemUnderTest BASE =
      new SystemUnderTest("all", Map.of("lane.bytes", "4M"), List.of("-Xmx1g"));

  @Test
  void everySystemIsUsableOrLeftOutForAReason() {
    Systems found = Systems.all(BASE);
    assertThat(found.leftOut()).allMatch(one -> !one.reason().isBlank());
    assertThat(
            Stream.concat(
                found.usable().stream().map(SystemUnderTest::name),
                found.leftOut().stream().map(LeftOut::system)))
        .hasSize(5)
        .contains("shm", "tcp", "rdma softnic", "loopback");
    assertThat(found.usable())
        .extracting(SystemUnderTest::name)
        .contains("tcp", "loopback")
        .doesNotContain("all");
  }

  @Test
  void nodesAreSetUpAsAsked() {
    assertThat(Systems.all(BASE).usable())
        .allMatch(system -> system.settings().get("lane.bytes").equals("4M"))
        .allMatch(system -> system.jvmOptions().equals(List.of("-Xmx1g")))
        .allMatch(system -> system.transport().equals("rdma") == (system.device() != null));
  }

  @Test
  void whatIsAskedForByNameIsMeasuredOrFails() {
    assertThat(Systems.of(BASE)).isEqualTo(new Systems(List.of(BASE), List.of()));
  }
}
