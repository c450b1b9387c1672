// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Direction;
import io.verbena.bench.plan.HandlerPlace;
import io.verbena.bench.plan.LaneKind;
import io.verbena.bench.plan.Limit;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.SizeText;
import io.verbena.bench.plan.Workload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the workloads that send messages of chosen sizes. */
final class BenchOptions {

  @Mixin private RoundOptions roundOptions = new RoundOptions();

  @Option(names = "--nodes", paramLabel = "N", defaultValue = "2", description = "Node processes.")
  private int nodes;

  @Option(
      names = "--threads",
      paramLabel = "T",
      defaultValue = "1",
      description = "Sending threads in each node that sends.")
  private int threads;

  @Option(
      names = "--handlers",
      paramLabel = "PLACE",
      defaultValue = "inline",
      description = "Where handlers run: inline, pool:K or virtual.")
  private String handlers = "inline";

  @Option(
      names = "--direction",
      paramLabel = "uni|bi",
      defaultValue = "uni",
      description = "Of two nodes, one or both send.")
  private Direction direction = Direction.UNI;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      split = ",",
      defaultValue = "64",
      description = "Bytes of a message's body, such as 64, 64K, 1M; several with commas.")
  private List<String> sizes = List.of("64");

  @Option(
      names = "--path",
      paramLabel = "record|view",
      defaultValue = "record",
      description =
          "Messages as objects, or, but for requests, as bytes written and read in place.")
  private MessagePath path = MessagePath.RECORD;

  @Option(
      names = "--sender",
      paramLabel = "shared|exclusive|typed",
      description =
          "What a thread sends on: node.send, node.sender, or sender.typed; default: shared, for views"
              + " exclusive.")
  private @Nullable LaneKind sender;

  @ArgGroup private @Nullable Length length;

  /** How long a round is. */
  static final class Length {
    @Option(
        names = "--messages",
        paramLabel = "N",
        required = true,
        description = "Messages each sending node sends in a round.")
    private long messages;

    @Option(
        names = "--seconds",
        paramLabel = "S",
        required = true,
        description = "Seconds of a round; default: 2")
    private double seconds;

    Limit limit() {
      return messages > 0 ? Limit.ofMessages(messages) : Limit.ofSeconds(seconds);
    }
  }

  NodeOptions nodeOptions() {
    return roundOptions.nodeOptions();
  }

  /**
   * The plan these options make, to be completed.
   *
   * @throws IllegalArgumentException if they do not fit together
   * @throws ConfigException if a key or value of the nodes is not acceptable
   */
  BenchPlan.Builder plan(Workload workload) {
    BenchPlan.Builder plan =
        roundOptions
            .plan(workload)
            .nodes(nodes)
            .threads(threads)
            .handlers(HandlerPlace.parse(handlers))
            .direction(direction)
            .sizes(sizes.stream().map(SizeText::parse).toList())
            .path(path);
    if (sender != null) {
      plan.lane(sender);
    }
    if (length != null) {
      plan.limit(length.limit());
    }
    return plan;
  }
}
