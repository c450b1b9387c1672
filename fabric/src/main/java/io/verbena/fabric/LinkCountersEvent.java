// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** What a link for one-sided operations has done since it began; now and then. */
@Name("io.verbena.LinkCounters")
@Label("Link Counters")
@Category("Verbena")
@Period("1 s")
@StackTrace(false)
final class LinkCountersEvent extends Event {

  @Label("Node")
  int node;

  @Label("Peer")
  int peer;

  @Label("Relinks")
  int relinks;

  @Label("Puts")
  long puts;

  @Label("Gets")
  long gets;

  @Label("Atomics")
  long atomics;

  @Label("Flushes")
  long flushes;

  @Label("Signals")
  long signals;

  @Label("Bytes Put")
  @DataAmount
  long putBytes;

  @Label("Bytes Got")
  @DataAmount
  long gotBytes;

  @Label("Operations by Mapped Memory")
  long byMapping;

  @Label("Operations by the Device")
  long byDevice;

  @Label("Posts without Room")
  long noRoom;

  @Label("Posts Refused")
  long refused;

  @Label("Operations Failed")
  long failed;

  static void emit(int node, LinkCounters counters) {
    LinkCountersEvent event = new LinkCountersEvent();
    event.node = node;
    event.peer = counters.peer();
    event.relinks = counters.relinks();
    event.puts = counters.puts();
    event.gets = counters.gets();
    event.atomics = counters.atomics();
    event.flushes = counters.flushes();
    event.signals = counters.signals();
    event.putBytes = counters.putBytes();
    event.gotBytes = counters.gotBytes();
    event.byMapping = counters.byMapping();
    event.byDevice = counters.byDevice();
    event.noRoom = counters.noRoom();
    event.refused = counters.refused();
    event.failed = counters.failed();
    event.commit();
  }
}
