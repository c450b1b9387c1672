// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;

/**
 * What lets others operate on a part of a region: a value that is sent in any message, as a
 * component of a record or as {@linkplain #toBytes bytes}. Whoever has it and a link with its owner
 * may do what it allows, until it is {@linkplain Region#revoke revoked}: treat it as a secret.
 *
 * <p>Nothing in it is believed but by its owner's device.
 *
 * @param access the bits of what it allows, see {@link #accesses}
 * @param owner the node whose memory it is
 * @param incarnation which of the owner's lives; in another one the key does not work
 * @param address at the owner
 * @param length in bytes
 * @param rkey the number by which the owner's device knows it
 * @param lent whether peers of the owner's host find it among what the owner lends, so that they
 *     see when it is revoked
 */
public record RegionKey(
    int access, int owner, long incarnation, long address, long length, int rkey, boolean lent) {

  /** How long {@link #toBytes} are. */
  public static final int BYTES = 36;

  private static final byte VERSION = 1;

  /**
   * A key of these parts.
   *
   * @throws IllegalArgumentException if there cannot be such a key
   */
  public RegionKey {
    if ((access & ~Access.ALL) != 0 || owner < 0) {
      throw new IllegalArgumentException(
          "no key of a region: access " + access + ", owner " + owner);
    }
    long most = mostFrom(address);
    if (length < 0 || length > most) {
      throw new IllegalArgumentException(
          "no key of a region: its length is " + length + "; it may be 0 to " + most);
    }
  }

  /** Addresses are unsigned; no memory has more bytes than a length may say. */
  private static long mostFrom(long address) {
    return address < 0 ? ~address : Long.MAX_VALUE;
  }

  /** What it allows. */
  public Set<Access> accesses() {
    Set<Access> allowed = EnumSet.noneOf(Access.class);
    for (Access one : Access.values()) {
      if ((access & one.bit) != 0) {
        allowed.add(one);
      }
    }
    return allowed;
  }

  /** The key as C and C++ know it, too. */
  public byte[] toBytes() {
    byte[] bytes = new byte[BYTES];
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(VERSION)
        .put((byte) access)
        .put((byte) (lent ? 1 : 0))
        .put((byte) 0)
        .putInt(owner)
        .putLong(incarnation)
        .putLong(address)
        .putLong(length)
        .putInt(rkey);
    return bytes;
  }

  /**
   * The key of {@link #toBytes}. Whether it works is known when it is used.
   *
   * @throws IllegalArgumentException if these are no key of a version that is known
   */
  public static RegionKey of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "no key of a region: it has " + bytes.length + " bytes, a key has " + BYTES);
    }
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    byte version = from.get();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "no key of a region: it has version " + version + ", this side knows " + VERSION);
    }
    int access = Byte.toUnsignedInt(from.get());
    byte lent = from.get();
    if ((lent & ~1) != 0 || from.get() != 0) {
      throw new IllegalArgumentException("no key of a region: bytes that are to be zero are not");
    }
    return new RegionKey(
        access,
        from.getInt(),
        from.getLong(),
        from.getLong(),
        from.getLong(),
        from.getInt(),
        lent == 1);
  }

  /** For people and logs: without what makes it work. */
  @Override
  public String toString() {
    return "RegionKey["
        + Long.toUnsignedString(length)
        + " bytes of node "
        + owner
        + ", "
        + accesses()
        + "]";
  }
}
