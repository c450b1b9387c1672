// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.rdma.Port.LinkLayer;
import io.verbena.transport.rdma.Port.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With the real library, on the device that every host has. */
class DevicesTest {

  private static final Wishes SOFTNIC = Wishes.builder().device("softnic").build();

  @Test
  void softnicIsListedAndChosenWhenAsked() {
    assertThat(Devices.unusableBecause()).isEmpty();
    Devices found = Devices.survey(SOFTNIC);
    Port chosen = found.chosen().orElseThrow();
    assertThat(found.ports()).contains(chosen);
    assertThat(found.reasons().getFirst()).contains(chosen.device().name() + " port 1");
    assertThat(chosen.isUsable()).isTrue();
    assertThat(chosen.number()).isEqualTo(1);
    assertThat(chosen.state()).isEqualTo(State.ACTIVE);
    assertThat(chosen.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
    assertThat(chosen.mtuBytes()).isEqualTo(4096);
    assertThat(chosen.gigabitsPerSecond()).isPositive();
  }

  @Test
  void deviceIsToldWithItsLimits() {
    Device device = Devices.survey(SOFTNIC).chosen().orElseThrow().device();
    assertThat(device.provider()).isEqualTo("softnic");
    assertThat(device.nodeGuid()).isNotZero();
    Device.Limits limits = device.limits();
    assertThat(
            List.of(
                limits.queuePairs(),
                limits.workRequests(),
                limits.pieces(),
                limits.completions(),
                limits.sharedReceives()))
        .allMatch(limit -> limit > 0);
    assertThat(limits.regionBytes()).isPositive();
  }

  @Test
  void oneAddressIsChosenAndToldInTheReasons() {
    Devices found = Devices.survey(SOFTNIC);
    List<Gid> chosen = found.chosen().orElseThrow().gids().stream().filter(Gid::isChosen).toList();
    assertThat(chosen).hasSize(1);
    assertThat(chosen.getFirst().type()).isEqualTo("RoCE v2");
    assertThat(chosen.getFirst().address()).contains(":");
    assertThat(found.reasons()).anyMatch(line -> line.contains(chosen.getFirst().address()));
  }

  @Test
  void wishesArriveOneByOne() {
    assertThat(reasons(Wishes.builder().device("pigeon"))).contains("no device 'pigeon'");
    assertThat(reasons(softnic().port(9))).contains("has no port 9");
    assertThat(reasons(softnic().gidIndex(255))).contains("GID index 255 is not in use");
    assertThat(reasons(softnic().pkey(0x1234))).containsIgnoringCase("0x1234");
    assertThat(reasons(softnic().serviceLevel(7))).contains("service level 7");
    assertThat(reasons(softnic().trafficClass(104))).contains("traffic class 104: as asked");
    assertThat(reasons(softnic().mtuBytes(512))).contains("MTU 512");
  }

  @Test
  void portThatDoesNotMeetTheWishesSaysWhy() {
    Devices found = Devices.survey(softnic().gidIndex(255).build());
    assertThat(found.chosen()).isEmpty();
    Port softnic = found.ports().getLast();
    assertThat(softnic.isUsable()).isFalse();
    assertThat(softnic.isChosen()).isFalse();
    assertThat(softnic.hindrance()).contains("GID index 255");
  }

  @Test
  void verbsNumbersAreTranslated() {
    assertThat(State.of(1)).isEqualTo(State.DOWN);
    assertThat(State.of(5)).isEqualTo(State.UNKNOWN);
    assertThat(LinkLayer.of(1)).isEqualTo(LinkLayer.INFINIBAND);
    assertThat(LinkLayer.of(0)).isEqualTo(LinkLayer.UNSPECIFIED);
  }

  private static Wishes.Builder softnic() {
    return Wishes.builder().device("softnic");
  }

  private static String reasons(Wishes.Builder wishes) {
    return String.join("\n", Devices.survey(wishes.build()).reasons());
  }
}
