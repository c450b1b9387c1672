// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** A secret that makes proofs and never shows itself. */
class ClusterKeyTest {

  private static final byte[] SECRET =
      "a secret of more than sixteen bytes".getBytes(StandardCharsets.UTF_8);

  private final ClusterKey key = new ClusterKey(SECRET);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** HMAC-SHA256 over the lengths and parts, computed by another program. */
  @Test
  void proofIsTheOneDocumented() {
    ClusterKey golden = new ClusterKey(bytes("0123456789abcdef"));
    byte[] proof = golden.proof(bytes("ab"), bytes("c"));
    assertThat(HexFormat.of().formatHex(proof))
        .isEqualTo("db500852f13a096aa85dc70d5c83f113047d96cff58234027aee513eb8a2d27c");
    assertThat(proof).hasSize(ClusterKey.PROOF_BYTES);
  }

  @Test
  void sameSecretAcceptsAndAnotherDoesNot() {
    byte[] proof = key.proof(bytes("nonce"));
    assertThat(new ClusterKey(SECRET.clone()).accepts(proof, bytes("nonce"))).isTrue();
    byte[] other = SECRET.clone();
    other[other.length - 1] ^= 1;
    assertThat(new ClusterKey(other).accepts(proof, bytes("nonce"))).isFalse();
  }

  @Test
  void everyChangedBitOfAProofIsRefused() {
    byte[] proof = key.proof(bytes("nonce"));
    for (int bit = 0; bit < proof.length * 8; bit++) {
      byte[] changed = proof.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(key.accepts(changed, bytes("nonce"))).isFalse();
    }
  }

  @Test
  void proofOfAnotherLengthIsRefused() {
    byte[] proof = key.proof(bytes("nonce"));
    for (int length = 0; length < 64; length++) {
      if (length != proof.length) {
        assertThat(key.accepts(Arrays.copyOf(proof, length), bytes("nonce"))).isFalse();
      }
    }
  }

  /** Else what one side says in two parts could be taken for something else in one. */
  @Test
  void partsCannotBeMovedIntoEachOther() {
    byte[] proof = key.proof(bytes("ab"), bytes("c"));
    assertThat(key.accepts(proof, bytes("ab"), bytes("c"))).isTrue();
    assertThat(key.accepts(proof, bytes("a"), bytes("bc"))).isFalse();
    assertThat(key.accepts(proof, bytes("abc"))).isFalse();
    assertThat(key.accepts(proof, bytes("abc"), bytes(""))).isFalse();
    assertThat(key.accepts(proof, bytes("c"), bytes("ab"))).isFalse();
  }

  /**
   * A comparison that stops at the first difference tells, by its time, how much of a guess was
   * right. {@link java.security.MessageDigest#isEqual} does not stop; the source says that it is
   * used.
   */
  @Test
  void proofsAreComparedInConstantTime() throws IOException {
    String source = Files.readString(Path.of("src/main/java/io/verbena/transport/ClusterKey.java"));
    assertThat(source).contains("return MessageDigest.isEqual(proof, proof(parts));");
    assertThat(source).doesNotContain("Arrays.equals");
  }

  @Test
  void shortSecretIsRefusedWithoutTellingIt() {
    byte[] secret = bytes("hunter2-hunter2");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new ClusterKey(secret))
        .withMessage("the cluster key has 15 bytes; it needs at least 16");
    new ClusterKey(bytes("hunter2-hunter2-"));
  }

  @Test
  void secretIsCopied() {
    byte[] secret = SECRET.clone();
    ClusterKey copy = new ClusterKey(secret);
    Arrays.fill(secret, (byte) 0);
    assertThat(copy.accepts(key.proof(bytes("x")), bytes("x"))).isTrue();
  }

  @Test
  void nothingShowsTheSecret() {
    String hex = HexFormat.of().formatHex(SECRET);
    String shown = key.toString().toLowerCase(Locale.ROOT);
    assertThat(shown).isEqualTo("clusterkey");
    assertThat(shown).doesNotContain("secret", hex);
    assertThatExceptionOfType(NotSerializableException.class)
        .isThrownBy(() -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(key));
  }
}
