// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * A handler took long, wherever it ran. Handlers are measured only while somebody records this
 * event, so that nobody pays for two looks at the clock per message otherwise.
 */
@Name("io.verbena.SlowHandler")
@Label("Slow Handler")
@Category("Verbena")
@StackTrace(false)
@Threshold("10 ms")
public final class SlowHandlerEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("Message Type")
  int typeId;

  private static final SlowHandlerEvent PROBE = new SlowHandlerEvent();

  /** Whether anybody records this event: only then is it worth measuring. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Starts to measure. */
  public static SlowHandlerEvent start() {
    SlowHandlerEvent event = new SlowHandlerEvent();
    event.begin();
    return event;
  }

  /** Emits what was measured, if it took long enough. */
  public static void finish(SlowHandlerEvent event, int node, int peer, int typeId) {
    event.end(); // shouldCommit compares the threshold with what was ended, else with nothing
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = peer;
      event.typeId = typeId;
      event.commit();
    }
  }
}
