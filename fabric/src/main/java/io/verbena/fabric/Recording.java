// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Has the flight recorder ask the open fabrics now and then. Nothing is begun before somebody
 * records.
 */
final class Recording implements FlightRecorderListener {

  private static final Set<Fabric> OPEN = ConcurrentHashMap.newKeySet();

  static {
    FlightRecorder.addListener(new Recording());
  }

  private Recording() {}

  static void opened(Fabric fabric) {
    OPEN.add(fabric);
  }

  static void closed(Fabric fabric) {
    OPEN.remove(fabric);
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    FlightRecorder.addPeriodicEvent(LinkCountersEvent.class, Recording::record);
  }

  private static void record() {
    OPEN.forEach(Fabric::record);
  }
}
