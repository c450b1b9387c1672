// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;
import io.verbena.transport.Unguessable;
import io.verbena.transport.Versions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What each side says of itself: the body of HELLO and, followed by a proof, of CHALLENGE.
 *
 * @param fingerprint of the type table
 */
record Hello(
    int from,
    int to,
    boolean hasKey,
    long incarnation,
    byte[] nonce,
    long fingerprint,
    String transport,
    String cluster) {

  static final int NONCE_BYTES = 32;

  /** The end of a nonce that says which versions its sender speaks: six letters and the range. */
  static final int RANGE_BYTES = 8;

  private static final byte[] RANGE_MARK = "VRBNVS".getBytes(StandardCharsets.US_ASCII);
  private static final int HAS_KEY = 1;

  /**
   * A fresh nonce that says which versions its sender speaks. The first version has no field for
   * that and takes any nonce, so its nodes pass over what they do not know.
   */
  static byte[] newNonce(Versions spoken) {
    byte[] nonce = Unguessable.bytes(NONCE_BYTES);
    if (!spoken.equals(Versions.FIRST)) {
      int at = NONCE_BYTES - RANGE_BYTES;
      System.arraycopy(RANGE_MARK, 0, nonce, at, RANGE_MARK.length);
      nonce[at + RANGE_MARK.length] = (byte) spoken.least();
      nonce[at + RANGE_MARK.length + 1] = (byte) spoken.greatest();
    }
    return nonce;
  }

  /** The versions its sender speaks. */
  Versions versions() {
    int at = NONCE_BYTES - RANGE_BYTES;
    int range = at + RANGE_MARK.length;
    int least = nonce[range] & 0xFF;
    int greatest = nonce[range + 1] & 0xFF;
    boolean isMarked =
        Arrays.equals(nonce, at, range, RANGE_MARK, 0, RANGE_MARK.length)
            && 1 <= least
            && least <= greatest;
    return isMarked ? new Versions(least, greatest) : Versions.FIRST;
  }

  byte[] encode() {
    byte[] transportName = transport.getBytes(StandardCharsets.US_ASCII);
    byte[] clusterName = cluster.getBytes(StandardCharsets.UTF_8);
    if (clusterName.length > 255) {
      throw new IllegalStateException(
          "the cluster's name has " + clusterName.length + " bytes; the limit is 255");
    }
    return new BodyWriter()
        .u16(from)
        .u16(to)
        .u8(hasKey ? HAS_KEY : 0)
        .bytes(new byte[3])
        .u64(incarnation)
        .bytes(nonce)
        .u64(fingerprint)
        .u8(transportName.length)
        .bytes(transportName)
        .u8(clusterName.length)
        .bytes(clusterName)
        .toBytes();
  }

  /** Reads all fields; what follows is the caller's. */
  static Hello decode(BodyReader in) throws RefusedException {
    int from = in.u16("from");
    int to = in.u16("to");
    int flags = in.u8("flags");
    if ((flags & ~HAS_KEY) != 0) {
      throw in.malformed("flags " + flags + " are unknown");
    }
    in.zeros("reserved", 3);
    long incarnation = in.u64("incarnation");
    byte[] nonce = in.bytes("nonce", NONCE_BYTES);
    long fingerprint = in.u64("type fingerprint");
    String transport = in.text("transport", in.u8("transport length"));
    String cluster = in.text("cluster", in.u8("cluster length"));
    return new Hello(
        from, to, (flags & HAS_KEY) != 0, incarnation, nonce, fingerprint, transport, cluster);
  }
}
