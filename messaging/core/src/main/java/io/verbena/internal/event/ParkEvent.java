// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A receiving loop slept; its duration says how long. */
@Name("io.verbena.Park")
@Label("Loop Parked")
@Category("Verbena")
@StackTrace(false)
public final class ParkEvent extends Event {

  @Label("Node")
  int node;

  /** Starts to measure. */
  public static ParkEvent start() {
    ParkEvent event = new ParkEvent();
    event.begin();
    return event;
  }

  /** Emits what was measured, if anybody records. */
  public static void finish(ParkEvent event, int node) {
    event.end(); // shouldCommit compares the threshold with what was ended, else with nothing
    if (event.shouldCommit()) {
      event.node = node;
      event.commit();
    }
  }
}
