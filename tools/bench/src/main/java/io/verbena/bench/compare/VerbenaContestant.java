// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.Cluster;
import io.verbena.bench.Round;
import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.LaneKind;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.bench.plan.WaitKind;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.verify.Tally;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Verbena over one transport.
 *
 * @param name in tables
 * @param wire what carries the messages
 * @param system the transport, and how its nodes are set up
 * @param path as objects, one record built for each message, or in place
 * @param lane what is sent on
 * @param waiting how receiving threads wait
 */
public record VerbenaContestant(
    String name,
    Wire wire,
    SystemUnderTest system,
    MessagePath path,
    LaneKind lane,
    WaitKind waiting)
    implements Contestant {

  private static final List<VerbenaContestant> ALL =
      List.of(
          records("verbena-shm", Wire.SHM, SystemUnderTest.of("shm")),
          spinning("verbena-shm-spin", Wire.SHM, "shm"),
          typed("verbena-shm-typed", Wire.SHM, "shm"),
          views("verbena-shm-view", Wire.SHM, "shm"),
          records("verbena-softnic", Wire.SHM, SystemUnderTest.of("rdma").onDevice("softnic")),
          records("verbena-tcp", Wire.TCP, SystemUnderTest.of("tcp")),
          spinning("verbena-tcp-spin", Wire.TCP, "tcp"),
          typed("verbena-tcp-typed", Wire.TCP, "tcp"),
          views("verbena-tcp-view", Wire.TCP, "tcp"));

  private static VerbenaContestant records(String name, Wire wire, SystemUnderTest system) {
    return new VerbenaContestant(
        name, wire, system, MessagePath.RECORD, LaneKind.SHARED, WaitKind.ADAPTIVE);
  }

  private static VerbenaContestant spinning(String name, Wire wire, String transport) {
    return new VerbenaContestant(
        name,
        wire,
        SystemUnderTest.of(transport),
        MessagePath.RECORD,
        LaneKind.SHARED,
        WaitKind.SPIN);
  }

  private static VerbenaContestant typed(String name, Wire wire, String transport) {
    return new VerbenaContestant(
        name,
        wire,
        SystemUnderTest.of(transport),
        MessagePath.RECORD,
        LaneKind.TYPED,
        WaitKind.ADAPTIVE);
  }

  private static VerbenaContestant views(String name, Wire wire, String transport) {
    return new VerbenaContestant(
        name,
        wire,
        SystemUnderTest.of(transport),
        MessagePath.VIEW,
        LaneKind.EXCLUSIVE,
        WaitKind.ADAPTIVE);
  }

  /** All there are. */
  public static List<VerbenaContestant> all() {
    return ALL;
  }

  /** The one that peers over a wire are compared with: records, one built per message. */
  public static VerbenaContestant baseline(Wire wire) {
    return ALL.stream().filter(one -> one.wire == wire).findFirst().orElseThrow();
  }

  /** Requests are records on the shared lane; how a thread waits shows with them. */
  @Override
  public boolean takesPartIn(Workload workload) {
    return workload.hasReplies() ? lane == LaneKind.SHARED : waiting == WaitKind.ADAPTIVE;
  }

  @Override
  public RunningContestant start(Contest contest) throws InterruptedException {
    BenchPlan plan =
        BenchPlan.builder(contest.workload())
            .system(system)
            .path(path)
            .lane(lane)
            .waiting(waiting)
            .sizes(List.of(contest.sizeBytes()))
            .build();
    Cluster cluster = Cluster.start(plan, contest.sizeBytes());
    try {
      // One message connects the nodes before anything is timed.
      Tally connecting = cluster.round(Limit.ofMessages(1)).tally();
      return new Running(this, cluster, connecting);
    } catch (RuntimeException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  private String describePath() {
    return switch (lane) {
      case SHARED -> "a record built for each message, shared lane";
      case TYPED -> "a record built for each message, typed sender on an exclusive lane";
      case EXCLUSIVE -> "views, written and read in place without objects, exclusive lane";
    };
  }

  private record Running(VerbenaContestant contestant, Cluster cluster, Tally connecting)
      implements RunningContestant {
    @Override
    public Description description() {
      String version =
          Objects.requireNonNullElse(
              BenchPlan.class.getModule().getDescriptor() == null
                  ? null
                  : BenchPlan.class.getModule().getDescriptor().rawVersion().orElse(null),
              "of this source tree");
      String settings =
          contestant.describePath()
              + ", handlers inline, waiting: "
              + contestant.waiting.name().toLowerCase(Locale.ROOT);
      return new Description("Verbena " + version, settings, true, false);
    }

    @Override
    public Sample round(long durationNs) throws InterruptedException {
      double compilersBefore = cluster.compilerSeconds();
      Round round = cluster.round(new Limit(0, durationNs));
      double compilerSeconds = Math.max(0, cluster.compilerSeconds() - compilersBefore);
      return new Sample(
          round.messages(),
          round.messagesPerSecond(),
          round.tally(),
          round.roundTripNs(),
          round.cpuSeconds(),
          compilerSeconds,
          0);
    }

    @Override
    public void close() {
      cluster.close();
    }
  }
}
