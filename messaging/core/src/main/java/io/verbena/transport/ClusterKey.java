// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The cluster's shared secret. Makes and checks proofs; never shows itself. */
public final class ClusterKey {

  /** The size of a proof in bytes. */
  public static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;

  /**
   * Takes a copy of the secret.
   *
   * @param secret at least 16 bytes
   */
  public ClusterKey(byte[] secret) {
    if (secret.length < 16) {
      throw new IllegalArgumentException(
          "the cluster key has " + secret.length + " bytes; it needs at least 16");
    }
    this.key = new SecretKeySpec(secret.clone(), ALGORITHM);
  }

  /** HMAC-SHA256 over the parts, each preceded by its length. */
  public byte[] proof(byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (byte[] part : parts) {
        int length = part.length;
        mac.update(
            new byte[] {
              (byte) length, (byte) (length >> 8), (byte) (length >> 16), (byte) (length >> 24)
            });
        mac.update(part);
      }
      return mac.doFinal();
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /**
   * The key of the exchange over verbs, made from this one: neither proof tells of the other. For
   * all of a node that speaks it.
   */
  public byte[] forExchange() {
    return proof("verbena exchange of queue pairs".getBytes(StandardCharsets.UTF_8));
  }

  /** Compares a peer's proof in constant time. */
  public boolean accepts(byte[] proof, byte[]... parts) {
    return MessageDigest.isEqual(proof, proof(parts));
  }

  /** Says nothing about the secret. */
  @Override
  public String toString() {
    return "ClusterKey";
  }
}
