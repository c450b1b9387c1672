// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** What the flight recorder is told of a region. An event's duration is how long that took. */
final class Events {
  private Events() {}

  /** Trees, or a table, became a tree. */
  @Name("io.verbena.kv.Tree")
  @Label("Tree made")
  @Category("Verbena")
  static final class Made extends Event {
    @Label("Region")
    int region;

    @Label("Trees merged, 0 for a table")
    int trees;

    @Label("Entries before")
    long before;

    @Label("Entries after")
    long after;

    @Label("Size")
    @DataAmount
    long bytes;
  }

  /** A writer waited as both tables were full. */
  @Name("io.verbena.kv.Stall")
  @Label("Writer waited")
  @Category("Verbena")
  static final class Stall extends Event {
    @Label("Region")
    int region;
  }
}
