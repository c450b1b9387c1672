// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.plan;

import io.verbena.Execution;
import io.verbena.bench.message.Blob;
import io.verbena.bench.message.StampFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What is to be measured, and how.
 *
 * @param workload what is measured
 * @param transport a transport's name, or {@code auto}
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
 * @param settings configuration keys of the nodes
 * @param jvmOptions of the node processes
 */
public record BenchPlan(
    Workload workload,
    String transport,
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
    int repeat,
    Map<String, String> settings,
    List<String> jvmOptions) {

  /** The largest message body that is measured. */
  public static final int MAX_SIZE_BYTES = 16 << 20;

  /** The lowest rate of a load, in requests a second. */
  public static final double MIN_RATE = 1;

  /** The highest rate of a load, in requests a second. */
  public static final double MAX_RATE = 10e6;

  /** The transport within one process; so is every other whose name starts with it. */
  public static final String LOOPBACK = "loopback";

  /**
   * Checks that it can be measured.
   *
   * @throws IllegalArgumentException saying which option to change
   */
  public BenchPlan {
    sizes = List.copyOf(sizes);
    settings = Map.copyOf(settings);
    jvmOptions = List.copyOf(jvmOptions);
    checkRange("nodes", nodes, 2, 64);
    checkRange("threads", threads, 1, 256);
    checkRange("repeat", repeat, 1, 1000);
    check(warmupSeconds >= 0 && warmupSeconds <= 3600, "a warm-up takes 0 to 3600 seconds");
    check(limit.messages() > 0 || limit.nanos() > 0, "a round needs messages or seconds");
    check(
        workload != Workload.IDLE || limit.nanos() > 0,
        "an idle time is told in seconds: --seconds");
    if (workload == Workload.LOAD) {
      check(
          ratePerSecond >= MIN_RATE && ratePerSecond <= MAX_RATE,
          "a load needs a rate of 1 to 10M requests a second: --rate");
    } else {
      check(ratePerSecond == 0, "only workload load has a rate");
    }
    check(!sizes.isEmpty(), "at least one message size is needed");
    check(nodes == 2 || direction == Direction.UNI, "direction bi is between 2 nodes");
    check(nodes == 2 || !workload.hasReplies(), "requests are measured between 2 nodes");
    checkPath(workload, handlers, path, lane);
    for (int size : sizes) {
      checkSize(workload, handlers, path, threads, size);
    }
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
    return new Topology(workload, direction, nodes);
  }

  /** Of workload load: the requests that all nodes are meant to send in a second. */
  public double targetPerSecond() {
    return ratePerSecond * topology().senders();
  }

  /** What carries the messages. */
  public SystemUnderTest system() {
    return new SystemUnderTest(transport, settings, jvmOptions);
  }

  /** Whether the nodes share one process. */
  public boolean isInOneProcess() {
    return isWithinOneProcess(transport);
  }

  /** Whether a transport connects nodes of one process. */
  public static boolean isWithinOneProcess(String transport) {
    return transport.startsWith(LOOPBACK);
  }

  private static void checkPath(
      Workload workload, Execution handlers, MessagePath path, LaneKind lane) {
    if (path == MessagePath.VIEW) {
      check(lane == LaneKind.EXCLUSIVE, "views are sent on an exclusive lane: --sender exclusive");
      check(handlers instanceof Execution.Inline, "view handlers run inline: --handlers inline");
      check(!workload.hasReplies(), "requests are records: --path record");
    }
    check(
        !workload.hasReplies() || lane == LaneKind.SHARED,
        "requests go on the shared lane: --sender shared");
  }

  private static void checkSize(
      Workload workload, Execution handlers, MessagePath path, int threads, int size) {
    check(size >= 1 && size <= MAX_SIZE_BYTES, "a size is 1 to " + MAX_SIZE_BYTES + " bytes");
    StampFormat format = StampFormat.ofMessages(size);
    check(
        threads <= format.maxThreads(),
        "messages of %d bytes can tell %d threads apart, not %d"
            .formatted(size, format.maxThreads(), threads));
    check(
        size >= Long.BYTES || !(handlers instanceof Execution.Virtual),
        "messages without an order are checked from 8 bytes on: --handlers inline");
    check(
        size >= Long.BYTES || !workload.hasReplies(),
        "requests are checked from 8 bytes on: --size 8");
    boolean exact = size == 1 || size == 2 || size == 4 || size == 8;
    check(
        path == MessagePath.VIEW || exact || Blob.payloadLength(size) >= 0,
        "no record has a body of just %d bytes; choose another size, or --path view"
            .formatted(size));
  }

  private static void checkRange(String what, int value, int low, int high) {
    check(
        value >= low && value <= high, what + " = " + value + ": expected " + low + " to " + high);
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** Collects a plan. */
  public static final class Builder {
    private final Workload workload;
    private String transport = "auto";
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
    private final Map<String, String> settings = new LinkedHashMap<>();
    private List<String> jvmOptions = List.of();

    private Builder(Workload workload) {
      this.workload = workload;
    }

    /** Sets the transport. */
    public Builder transport(String name) {
      transport = name;
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

    /** Sets configuration keys of the nodes. */
    public Builder settings(Map<String, String> keysAndValues) {
      settings.putAll(keysAndValues);
      return this;
    }

    /** Sets options of the node processes. */
    public Builder jvmOptions(List<String> options) {
      jvmOptions = options;
      return this;
    }

    /** The plan. */
    public BenchPlan build() {
      return new BenchPlan(
          workload,
          transport,
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
          repeat,
          settings,
          jvmOptions);
    }
  }
}
