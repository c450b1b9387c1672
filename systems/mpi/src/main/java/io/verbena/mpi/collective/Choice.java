// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The table that says by which algorithm a call goes: by operation, bytes, members, and whether
 * these are on one host. The first rule that covers a call counts, unless its algorithm cannot do
 * it: reductions that do not commute do not go by a ring, and recursive doubling of an allgather
 * wants a power of two. The last rule of each operation covers all. Immutable.
 *
 * <p><b>Bytes</b> are those of the message in bcast and reductions; of one block in gather, scatter
 * and alltoall, and of an average one in allgather and alltoallv.
 *
 * <p>A program's environment may put rules before these, as text: {@code OPERATION [bytes<=N]
 * [ranks<=N] [one-host|more-hosts]: ALGORITHM}, several of them separated by {@code ;}. N may end
 * in K, M or G. For example {@code allreduce bytes<=8K ranks<=16: linear; bcast: binomial}.
 */
public final class Choice {

  private static final String TABLE =
      """
      barrier ranks<=8: linear
      barrier: dissemination
      bcast ranks<=8: linear
      bcast bytes<=64K: binomial
      bcast: chain
      gather bytes<=4K ranks<=8: linear
      gather bytes<=4K: binomial
      gather: linear
      gatherv: linear
      scatter bytes<=4K ranks<=8: linear
      scatter bytes<=4K: binomial
      scatter: linear
      scatterv: linear
      allgather ranks<=8: linear
      allgather bytes<=4K: recursive-doubling
      allgather: ring
      alltoall ranks<=32: linear
      alltoall: pairwise
      alltoallv ranks<=32: linear
      alltoallv: pairwise
      reduce bytes<=16K ranks<=8: linear
      reduce bytes<=16K: binomial
      reduce: sliced
      allreduce bytes<=16K ranks<=8: linear
      allreduce bytes<=16K: recursive-doubling
      allreduce ranks<=16: sliced
      allreduce: ring
      allreduce: sliced
      reduce-scatter ranks<=16: sliced
      reduce-scatter: ring
      reduce-scatter: sliced
      scan bytes<=16K ranks<=8: linear
      scan: recursive-doubling
      exscan bytes<=16K ranks<=8: linear
      exscan: recursive-doubling
      """;

  /** What is best where it was measured. */
  public static final Choice DEFAULTS = new Choice(rules(TABLE));

  private final Map<Operation, List<Rule>> rules = new EnumMap<>(Operation.class);

  private Choice(List<Rule> all) {
    for (Operation operation : Operation.values()) {
      rules.put(operation, all.stream().filter(rule -> rule.operation() == operation).toList());
    }
  }

  /**
   * The defaults, with the rules of the environment before them: those of the system property
   * {@code verbena.mpi.collectives}, else of the variable {@code VERBENA_MPI_COLLECTIVES}. They
   * must be the same on all members.
   *
   * @throws IllegalArgumentException if there is one that is none
   */
  public static Choice ofSystem() {
    String property = System.getProperty("verbena.mpi.collectives");
    String given = property != null ? property : System.getenv("VERBENA_MPI_COLLECTIVES");
    return given == null ? DEFAULTS : DEFAULTS.with(given);
  }

  /**
   * The same with other rules before these.
   *
   * @param text as above
   * @throws IllegalArgumentException if there is one that is none
   */
  public Choice with(String text) {
    List<Rule> all = new ArrayList<>(rules(text));
    rules.values().forEach(all::addAll);
    return new Choice(all);
  }

  private static List<Rule> rules(String text) {
    return text.lines()
        .flatMap(line -> List.of(line.split(";")).stream())
        .filter(rule -> !rule.isBlank())
        .map(Rule::of)
        .toList();
  }

  /**
   * By what a call goes.
   *
   * @param isCommutative whether its reduction is; whatever if it has none
   */
  public Algorithm of(
      Operation operation, long bytes, int ranks, boolean isOneHost, boolean isCommutative) {
    for (Rule rule : rules.getOrDefault(operation, List.of())) {
      if (rule.covers(bytes, ranks, isOneHost)
          && isPossible(operation, rule.algorithm(), ranks, isCommutative)) {
        return rule.algorithm();
      }
    }
    throw new IllegalStateException("no rule covers a call of " + operation);
  }

  private static boolean isPossible(
      Operation operation, Algorithm algorithm, int ranks, boolean isCommutative) {
    return switch (algorithm) {
      case RING -> operation == Operation.ALLGATHER || isCommutative;
      case RECURSIVE_DOUBLING -> operation != Operation.ALLGATHER || Integer.bitCount(ranks) == 1;
      case LINEAR, DISSEMINATION, BINOMIAL, CHAIN, PAIRWISE, SLICED -> true;
    };
  }

  /** The table, a line for each rule, as {@link #with} reads it. */
  @Override
  public String toString() {
    return rules.values().stream()
        .flatMap(List::stream)
        .map(Rule::toString)
        .collect(Collectors.joining("\n"));
  }
}
