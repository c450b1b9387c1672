// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.Execution;
import java.util.List;
import java.util.Locale;

/**
 * What is to be measured, and how.
 *
 * @param workload what is measured
 * @param system what carries the messages
 * @param nodes how many node processes
 * @param threads how many sending threads in each node that sends
 * @param handlers where message handlers run
 * @param direction which of two nodes sends
 * @param sizes of message bodies, in bytes; each is measured in new processes
 * @param path as objects or in place
 * @param lane shared or exclusive
 * @param waiting how receiving threads wait
 * @param ratePerSecond of workload load: requests that each sending node sends; else 0
 * @param limit when a round ends
 * @param warmupSeconds how long the round before the first counted one takes
 * @param repeat how many rounds count
 */
public record BenchPlan(
    Workload workload,
    SystemUnderTest system,
    int nodes,
    int threads,
    Execution handlers,
    Direction direction,
    List<Integer> sizes,
    MessagePath path,
    LaneKind lane,
    WaitKind waiting,
    double ratePerSecond,
    Limit limit,
    double warmupSeconds,
    int repeat) {

  /** The largest message body that is measured. */
  public static final int MAX_SIZE_BYTES = 16 << 20;

  /** The lowest rate of a load, in requests a second. */
  public static final double MIN_RATE = 1;

  /** The highest rate of a load, in requests a second. */
  public static final double MAX_RATE = 10e6;

  /**
   * Checks that it can be measured.
   *
   * @throws IllegalArgumentException saying which option to change
   */
  public BenchPlan {
    sizes = List.copyOf(sizes);
    Check.range("nodes", nodes, 2, 64);
    Check.range("threads", threads, 1, 256);
    Check.range("repeat", repeat, 1, 1000);
    Check.that(warmupSeconds >= 0 && warmupSeconds <= 3600, "a warm-up takes 0 to 3600 seconds");
    Check.that(limit.messages() > 0 || limit.nanos() > 0, "a round needs messages or seconds");
    Check.that(
        workload != Workload.IDLE || limit.nanos() > 0,
        "an idle time is told in seconds: --seconds");
    if (workload == Workload.LOAD) {
      Check.that(
          ratePerSecond >= MIN_RATE && ratePerSecond <= MAX_RATE,
          "a load needs a rate of 1 to 10M requests a second: --rate");
    } else {
      Check.that(ratePerSecond == 0, "only workload load has a rate");
    }
    Check.that(!sizes.isEmpty(), "at least one message size is needed");
    Check.that(nodes == 2 || direction == Direction.UNI, "direction bi is between 2 nodes");
    Check.that(
        nodes == 2 || !workload.hasReplies() || workload == Workload.IDLE,
        "requests are measured between 2 nodes");
    Check.that(
        system.hosts() == null || !system.isInOneProcess(),
        "nodes on several hosts are several processes: another transport than loopback");
    Check.that(
        system.hosts() == null || topology(workload, direction, nodes).clocks() == 1,
        "clocks of several hosts are not compared: with --hosts one node receives, or one asks");
    MessageRules rules = new MessageRules(workload, handlers, path, lane, threads);
    rules.checkPath();
    sizes.forEach(rules::checkSize);
  }

  /** Starts with the defaults of a workload. */
  public static Builder builder(Workload workload) {
    return new Builder(workload);
  }

  /** What is measured, in a few words. */
  public String name() {
    String word = workload.label();
    boolean hasDirection = workload == Workload.THROUGHPUT || direction == Direction.BI;
    String which = hasDirection ? " " + direction.name().toLowerCase(Locale.ROOT) : "";
    return word
        + which
        + (threads == 1 ? "" : " ×" + threads)
        + (handlers instanceof Execution.Inline ? "" : " " + HandlerPlace.format(handlers));
  }

  /** Who sends to whom. */
  public Topology topology() {
    return topology(workload, direction, nodes);
  }

  private static Topology topology(Workload workload, Direction direction, int nodes) {
    return new Topology(workload, direction, nodes);
  }

  /** Of workload load: the requests that all nodes are meant to send in a second. */
  public double targetPerSecond() {
    return ratePerSecond * topology().senders();
  }

  /** Collects a plan. */
  public static final class Builder {
    private final Workload workload;
    private SystemUnderTest system = SystemUnderTest.of("auto");
    private int nodes = 2;
    private int threads = 1;
    private Execution handlers = Execution.inline();
    private Direction direction = Direction.UNI;
    private List<Integer> sizes = List.of(64);
    private MessagePath path = MessagePath.RECORD;
    private LaneKind lane = LaneKind.SHARED;
    private WaitKind waiting = WaitKind.ADAPTIVE;
    private double ratePerSecond;
    private Limit limit = Limit.ofSeconds(2);
    private double warmupSeconds = 2;
    private int repeat = 5;

    private Builder(Workload workload) {
      this.workload = workload;
    }

    /** Sets what carries the messages. */
    public Builder system(SystemUnderTest carrier) {
      system = carrier;
      return this;
    }

    /** Sets how many nodes. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** Sets how many sending threads. */
    public Builder threads(int count) {
      threads = count;
      return this;
    }

    /** Sets where handlers run. */
    public Builder handlers(Execution place) {
      handlers = place;
      return this;
    }

    /** Sets which of two nodes sends. */
    public Builder direction(Direction which) {
      direction = which;
      return this;
    }

    /** Sets the sizes. */
    public Builder sizes(List<Integer> bytes) {
      sizes = bytes;
      return this;
    }

    /** Sets how messages are made; views go on exclusive lanes. */
    public Builder path(MessagePath how) {
      path = how;
      lane = how == MessagePath.VIEW ? LaneKind.EXCLUSIVE : LaneKind.SHARED;
      return this;
    }

    /** Sets what threads send on; to be called after {@link #path}. */
    public Builder lane(LaneKind kind) {
      lane = kind;
      return this;
    }

    /** Sets how receiving threads wait. */
    public Builder waiting(WaitKind kind) {
      waiting = kind;
      return this;
    }

    /** Sets how many requests each sending node sends in a second. */
    public Builder ratePerSecond(double requests) {
      ratePerSecond = requests;
      return this;
    }

    /** Sets when a round ends. */
    public Builder limit(Limit end) {
      limit = end;
      return this;
    }

    /** Sets how long the nodes warm up. */
    public Builder warmupSeconds(double seconds) {
      warmupSeconds = seconds;
      return this;
    }

    /** Sets how many rounds count. */
    public Builder repeat(int rounds) {
      repeat = rounds;
      return this;
    }

    /** The plan. */
    public BenchPlan build() {
      return new BenchPlan(
          workload,
          system,
          nodes,
          threads,
          handlers,
          direction,
          sizes,
          path,
          lane,
          waiting,
          ratePerSecond,
          limit,
          warmupSeconds,
          repeat);
    }
  }
}
