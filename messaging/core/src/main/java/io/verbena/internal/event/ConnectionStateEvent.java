// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.event;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection changed its state. */
@Name("io.verbena.ConnectionState")
@Label("Connection State")
@Category("Verbena")
@StackTrace(false)
public final class ConnectionStateEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("State")
  String state = "";

  @Label("Transport")
  String transport = "";

  @Label("Reason")
  String reason = "";

  /** Emits one, if anybody records. */
  public static void emit(int node, int peer, String state, String transport, String reason) {
    ConnectionStateEvent event = new ConnectionStateEvent();
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = peer;
      event.state = state;
      event.transport = transport;
      event.reason = reason;
      event.commit();
    }
  }
}
