// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A sender slept because a lane was full; its duration says how long. */
@Name("io.verbena.BackPressure")
@Label("Back-pressure")
@Category("Verbena")
public final class BackPressureEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("Lane")
  int lane;

  /** Starts to measure. */
  public static BackPressureEvent start() {
    BackPressureEvent event = new BackPressureEvent();
    event.begin();
    return event;
  }

  /** Emits what was measured, if anybody records and it took long enough. */
  public static void finish(BackPressureEvent event, int node, int peer, int lane) {
    event.end(); // shouldCommit compares the threshold with what was ended, else with nothing
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = peer;
      event.lane = lane;
      event.commit();
    }
  }
}
