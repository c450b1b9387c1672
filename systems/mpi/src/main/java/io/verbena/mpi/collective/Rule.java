// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Quantity;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table: by which algorithm an operation goes, under conditions.
 *
 * @param mostBytes how long the message is at most
 * @param mostRanks how many members there are at most
 * @param isOneHost whether all members are on one host; null if that does not matter
 */
record Rule(
    Operation operation,
    long mostBytes,
    int mostRanks,
    @Nullable Boolean isOneHost,
    Algorithm algorithm) {

  private static final String BYTES = "bytes<=";
  private static final String RANKS = "ranks<=";
  private static final String ONE_HOST = "one-host";
  private static final String MORE_HOSTS = "more-hosts";

  boolean covers(long bytes, int ranks, boolean oneHost) {
    return bytes <= mostBytes && ranks <= mostRanks && (isOneHost == null || isOneHost == oneHost);
  }

  // ---------------------------------------------------------------- text

  /**
   * Reads {@code OPERATION [bytes<=N] [ranks<=N] [one-host|more-hosts]: ALGORITHM}.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Rule of(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw wrong(text, "it has no ':' before the algorithm");
    }
    String[] words = text.substring(0, colon).trim().split("\\s+");
    Operation operation = operation(text, words[0]);
    Rule rule =
        new Rule(
            operation,
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            null,
            algorithm(text, operation, text.substring(colon + 1).trim()));
    for (String condition : List.of(words).subList(1, words.length)) {
      rule = rule.with(text, condition);
    }
    return rule;
  }

  private Rule with(String text, String condition) {
    if (condition.startsWith(BYTES)) {
      long most = number(text, condition.substring(BYTES.length()));
      return new Rule(operation, most, mostRanks, isOneHost, algorithm);
    }
    if (condition.startsWith(RANKS)) {
      long most = number(text, condition.substring(RANKS.length()));
      int ranks = (int) Math.min(most, Integer.MAX_VALUE);
      return new Rule(operation, mostBytes, ranks, isOneHost, algorithm);
    }
    if (condition.equals(ONE_HOST) || condition.equals(MORE_HOSTS)) {
      return new Rule(operation, mostBytes, mostRanks, condition.equals(ONE_HOST), algorithm);
    }
    throw wrong(
        text,
        "'%s' is no condition; choose bytes<=N, ranks<=N, one-host, more-hosts"
            .formatted(condition));
  }

  private static Operation operation(String text, String name) {
    try {
      return Operation.of(name);
    } catch (IllegalArgumentException e) {
      List<Operation> all = Arrays.asList(Operation.values());
      throw wrong(text, "'%s' is no operation; choose one of %s".formatted(name, all));
    }
  }

  private static Algorithm algorithm(String text, Operation operation, String name) {
    for (Algorithm each : operation.algorithms()) {
      if (each.toString().equals(name)) {
        return each;
      }
    }
    throw wrong(
        text,
        "'%s' is no algorithm of %s; choose one of %s"
            .formatted(name, operation, operation.algorithms()));
  }

  private static long number(String text, String given) {
    try {
      return Quantity.of(given);
    } catch (NumberFormatException e) {
      throw wrong(text, "'" + given + "' is no number; choose one like 4096 or 4K");
    }
  }

  private static IllegalArgumentException wrong(String text, String why) {
    return new IllegalArgumentException("mpi.collectives: in '" + text.trim() + "' " + why);
  }

  @Override
  public String toString() {
    return operation
        + (mostBytes == Long.MAX_VALUE ? "" : " " + BYTES + mostBytes)
        + (mostRanks == Integer.MAX_VALUE ? "" : " " + RANKS + mostRanks)
        + (isOneHost == null ? "" : " " + (isOneHost ? ONE_HOST : MORE_HOSTS))
        + ": "
        + algorithm;
  }
}
