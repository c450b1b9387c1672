// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.rdma.Devices;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DevicesCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void softnicIsChosenWhenAskedAndTheReasonTold() {
    assertThat(run("--device", "softnic")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("(?m)^\\* softnic\\S* port 1 \\(softnic\\): active, Ethernet,")
        .containsPattern("(?m)^  \\* GID +\\d+  RoCE v2 ")
        .containsPattern("Chosen \\(\\*\\), because\n  softnic");
  }

  @Test
  void failsWhenNoPortMeetsTheWishes() {
    assertThat(run("--device", "softnic", "--gid-index", "255")).isEqualTo(1);
    assertThat(out.toString())
        .contains("None is chosen, because", "not usable: ", "GID index 255 is not in use")
        .doesNotContain("*");
  }

  @Test
  void everyOptionIsAWish() {
    int status =
        run(
            "--device=softnic",
            "--port=1",
            "--family=ipv6",
            "--pkey=0xffff",
            "--service-level=3",
            "--traffic-class=104",
            "--mtu=512");
    assertThat(status).as(out.toString() + err).isZero();
    assertThat(out.toString())
        .contains("P_Key 0xffff", "service level 3", "traffic class 104", "MTU 512");
  }

  @Test
  void jsonTellsTheSame() {
    assertThat(run("--device", "softnic", "--json")).isZero();
    JsonNode root = JsonMapper.builder().build().readTree(out.toString());
    JsonNode last = root.get("ports").get(root.get("ports").size() - 1);
    assertThat(last.get("provider").asString()).isEqualTo("softnic");
    assertThat(last.get("chosen").asBoolean()).isTrue();
    assertThat(last.get("gids").get(0).get("type").asString()).isEqualTo("RoCE v2");
    assertThat(last.get("limits").get("queue_pairs").asInt()).isPositive();
    assertThat(root.get("reasons").size()).isPositive();
  }

  @Test
  void textShowsEachPortWithItsHindrance() {
    assertThat(DevicesText.format(SampleDevices.TWO))
        .isEqualTo(
            """
              mlx5_0 port 2 (libibverbs): down, InfiniBand, LID 17, unknown rate, MTU 4096, node 0002:c903:00fe:dcba
                limits: 262144 queue pairs, 32768 work requests of 30 pieces, 4194303 completions, 32767 shared receives, any size in a region
                not usable: the port is down
            * softnic0 port 1 (softnic): active, Ethernet, 200 Gb/s, MTU 1024, node 0000:0000:0000:0001
                limits: 4080 queue pairs, 16384 work requests of 32 pieces, 1048576 completions, 16384 shared receives, 1.07 GB in a region
                GID   0  RoCE v2     fe80::1
              * GID   1  RoCE v2     10.0.0.1

            Chosen (*), because
              softnic0 port 1: the only usable port
            """);
  }

  @Test
  void troubleThatTheReasonTellsIsNotToldTwice() {
    Devices found =
        new Devices(
            List.of(),
            List.of("there is no device 'foo'. cannot load libibverbs.so.1"),
            List.of("cannot load libibverbs.so.1", "a low limit"));
    assertThat(DevicesText.format(found))
        .containsOnlyOnce("cannot load libibverbs.so.1")
        .contains("To be known\n  a low limit\n");
  }

  @Test
  void hostWithoutDevicesIsToldWhy() {
    Devices none = new Devices(List.of(), List.of("there is none"), List.of("no libibverbs"));
    assertThat(DevicesText.format(none))
        .isEqualTo(
            """

            None is chosen, because
              there is none

            To be known
              no libibverbs
            """);
  }

  private int run(String... options) {
    String[] arguments =
        Stream.concat(Stream.of("devices"), Stream.of(options)).toArray(String[]::new);
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
