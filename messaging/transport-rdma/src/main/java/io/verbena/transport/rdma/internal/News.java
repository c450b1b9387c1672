// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import io.verbena.natives.Struct;

/**
 * Something that happened to a link.
 *
 * @param link its number, never used again; 0 if a dial failed
 * @param dialled whether it came of a dial of this side
 * @param refusal one of {@code VBN_REFUSED_…} if a dial failed
 * @param text the far side's address, or the reason
 */
public record News(
    Kind kind, long link, long incarnation, int peer, boolean dialled, int refusal, String text) {

  /** What happened. */
  public enum Kind {
    /** A link is up. */
    UP,
    /** A link is down. */
    DOWN,
    /** No link came of a dial. */
    DIAL_FAILED,
    /** Nothing more comes of a link, which may never have been up. */
    GONE
  }

  /** {@code VBN_REFUSED_…}. */
  public static final int REFUSED_PROTOCOL = 1;

  /** As above. */
  public static final int REFUSED_IDENTITY = 2;

  /** As above. */
  public static final int REFUSED_KEY = 3;

  /** As above. */
  public static final int REFUSED_CROSSED = 4;

  /** As above. */
  public static final int REFUSED_CLOSING = 5;

  static News of(Struct struct) {
    Kind kind = Kind.values()[struct.getInt("kind") - 1];
    return new News(
        kind,
        struct.getLong("link"),
        struct.getLong("incarnation"),
        struct.getInt("peer"),
        struct.getFlag("dialled"),
        struct.getInt("refusal"),
        struct.getText("text"));
  }
}
