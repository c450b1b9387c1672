// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.transport.ClusterKey;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.Versions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of all versions as they stand in docs/protocol.md: they never change. */
class HandshakeGoldenTest {

  private static final HexFormat HEX = HexFormat.of();

  private static Hello hello() {
    byte[] nonce = new byte[Hello.NONCE_BYTES];
    Arrays.fill(nonce, (byte) 0xAB);
    return new Hello(1, 0x0203, true, 0x1122334455667788L, nonce, 0x0102030405060708L, "tcp", "c1");
  }

  @Test
  void helloOfBothSides() {
    assertThat(HEX.formatHex(hello().encode()))
        .isEqualTo(
            "0100"
                + "0302"
                + "01000000"
                + "8877665544332211"
                + "ab".repeat(32)
                + "0807060504030201"
                + "03746370"
                + "026331");
  }

  @Test
  void rangeOfVersionsInANonce() {
    byte[] nonce = Hello.newNonce(new Versions(1, 2));
    assertThat(HEX.formatHex(nonce, Hello.NONCE_BYTES - Hello.RANGE_BYTES, Hello.NONCE_BYTES))
        .isEqualTo("5652424e5653" + "01" + "02");
  }

  @Test
  void claim() {
    Claim claim = new Claim(5, 6, new byte[] {7, 8, 9});
    String first = "0500000000000000" + "0600000000000000" + "0300" + "070809";
    assertThat(HEX.formatHex(claim.encode(1))).isEqualTo(first);
    assertThat(HEX.formatHex(claim.encode(2))).isEqualTo(first + "00");
  }

  @Test
  void verdict() {
    Verdict verdict = new Verdict(5, 6, true, new byte[] {7});
    String first = "0500000000000000" + "0600000000000000" + "01" + "00" + "0100" + "07";
    assertThat(HEX.formatHex(verdict.encode(1))).isEqualTo(first);
    assertThat(HEX.formatHex(verdict.encode(2))).isEqualTo(first + "00");
  }

  @Test
  void refusal() {
    assertThat(HEX.formatHex(new Refusal(Reason.CROSSED, "no").encode()))
        .isEqualTo("05" + "00" + "0200" + "6e6f");
  }

  @Test
  void headerAndProof() throws IOException {
    ClusterKey key = new ClusterKey("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    Wire wire = new Wire();
    Conversation conversation =
        new Conversation(Role.DIALLING, wire.dialling, key, Versions.SPOKEN, "x");
    conversation.send(Kind.HELLO, new byte[] {1, 2, 3});
    conversation.send(Kind.PROOF, new byte[] {4, 5});
    assertThat(HEX.formatHex(wire.dialling.sent()))
        .isEqualTo(
            "5652424e"
                + "01"
                + "01"
                + "0000"
                + "03000000"
                + "010203"
                + "5652424e"
                + "01"
                + "03"
                + "0000"
                + "22000000"
                + "0405"
                + "608c7a8aca76244fad87ff74e23e9021d1e0cb2f6bf774e0a75d0a8673539aa2");
  }

  @Test
  void headerAndProofOfVersion2() throws IOException {
    ClusterKey key = new ClusterKey("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    Wire wire = new Wire();
    Conversation conversation =
        new Conversation(Role.DIALLING, wire.dialling, key, Versions.SPOKEN, "x");
    conversation.send(Kind.HELLO, new byte[] {1, 2, 3});
    conversation.speak(2);
    conversation.send(Kind.PROOF, new byte[] {4, 5, 0});
    assertThat(HEX.formatHex(wire.dialling.sent()))
        .isEqualTo(
            "5652424e"
                + "01"
                + "01"
                + "0000"
                + "03000000"
                + "010203"
                + "5652424e"
                + "02"
                + "03"
                + "0000"
                + "23000000"
                + "040500"
                + "5a75764c6db1f718499e8ae41917db75aadc7eb871a1e157b2da26b7e91d81e7");
  }
}
