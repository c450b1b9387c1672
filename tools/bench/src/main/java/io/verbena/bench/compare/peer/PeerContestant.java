// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.Workload;
import java.time.Duration;

/**
 * One system of a peer.
 *
 * @param folder what starts it
 * @param system how it is set up
 * @param patience how long is waited for a report
 */
public record PeerContestant(PeerFolder folder, PeerFolder.System system, Duration patience)
    implements Contestant {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  public PeerContestant(PeerFolder folder, PeerFolder.System system) {
    this(folder, system, PATIENCE);
  }

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
