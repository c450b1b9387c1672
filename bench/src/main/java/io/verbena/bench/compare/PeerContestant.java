// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.plan.Workload;

/**
 * One system of a peer.
 *
 * @param folder what starts it
 * @param system how it is set up
 */
record PeerContestant(PeerFolder folder, PeerFolder.System system) implements Contestant {

  @Override
  public String name() {
    return system.name();
  }

  @Override
  public Wire wire() {
    return system.wire();
  }

  @Override
  public boolean takesPartIn(Workload workload) {
    return system.workloads().contains(workload);
  }

  @Override
  public RunningContestant start(Contest contest) throws InterruptedException {
    return PeerProcesses.start(this, contest);
  }
}
