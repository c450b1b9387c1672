// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A link of a fabric came up. */
@Name("io.verbena.LinkUp")
@Label("Link Up")
@Category("Verbena")
@StackTrace(false)
final class LinkUpEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("Service")
  @Description("memory or channel")
  String service = "";

  @Label("Address")
  String address = "";

  @Label("Dialled")
  @Description("Whether this side has asked for it")
  boolean dialled;
}
