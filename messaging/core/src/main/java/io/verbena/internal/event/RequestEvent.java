// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;
import org.jspecify.annotations.Nullable;

/**
 * A request, from its making to its outcome: a sample of them, as the setting {@code throttle}
 * says. Requests are measured only while somebody records this event.
 */
@Name("io.verbena.Request")
@Label("Request")
@Category("Verbena")
@StackTrace(false)
@Throttle("100/s")
public final class RequestEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("Reply Type")
  @Nullable String replyType;

  /** Empty if there was a reply, else the failure's class. */
  @Label("Failure")
  @Nullable String failure;

  private static final RequestEvent PROBE = new RequestEvent();

  /** Whether anybody records this event: only then is it worth measuring. */
  public static boolean isOn() {
    return PROBE.isEnabled();
  }

  /** Starts to measure. */
  public static RequestEvent start() {
    RequestEvent event = new RequestEvent();
    event.begin();
    return event;
  }

  /**
   * Emits what was measured, if it belongs to the sample.
   *
   * @param failure null if there was a reply
   */
  public static void finish(
      RequestEvent event, int node, int peer, Class<?> replyType, @Nullable Throwable failure) {
    event.end();
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = peer;
      event.replyType = replyType.getName();
      event.failure = failure == null ? "" : failure.getClass().getName();
      event.commit();
    }
  }
}
