// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

import io.verbena.MessageTypes;

/** The type table of every measured node. */
public final class BenchTypes {

  /** The id of messages that are written and read in place. */
  public static final int VIEW = 20;

  private BenchTypes() {}

  /** The table. */
  public static MessageTypes table() {
    return MessageTypes.builder()
        .add(1, Tick.class)
        .add(2, Blob.class)
        .add(3, Greeting.class)
        .add(11, Tiny1.class)
        .add(12, Tiny2.class)
        .add(14, Tiny4.class)
        .add(18, Tiny8.class)
        .addView(VIEW, "bench view")
        .build();
  }
}
