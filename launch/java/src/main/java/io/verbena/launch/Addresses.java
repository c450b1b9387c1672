// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What ranks publish: a line for each of their nodes, which says what it is and where. Clients in
 * other languages write the same.
 */
final class Addresses {

  /** A node that sends messages. */
  static final String NODE = "node";

  /** A node of the fabric. */
  static final String FABRIC = "fabric";

  static final String START_TIMEOUT = "VERBENA_JOB_START_TIMEOUT";
  private static final String DEFAULT_SECONDS = "60";

  private final StringBuilder lines = new StringBuilder();

  /** One more node of this rank. */
  Addresses add(String kind, String address) {
    lines.append(kind).append(' ').append(address).append('\n');
    return this;
  }

  /** Tells all ranks, and waits until all have told theirs. */
  void exchange(Job job) {
    job.publish(lines.toString().getBytes(UTF_8));
    job.awaitAll(patience(System.getenv(START_TIMEOUT)));
  }

  /** As long as the job's starting may take. */
  static Duration patience(@Nullable String seconds) {
    String given = seconds == null || seconds.isEmpty() ? DEFAULT_SECONDS : seconds;
    try {
      return Duration.ofSeconds(Integer.parseUnsignedInt(given));
    } catch (NumberFormatException e) {
      throw new JobException("%s is '%s', no number of seconds".formatted(START_TIMEOUT, given));
    }
  }

  /** Gives the nodes of this kind, of all other ranks. */
  static void forEachOther(Job job, String kind, BiConsumer<Integer, String> known) {
    for (int rank = 0; rank < job.size(); rank++) {
      if (rank != job.rank()) {
        known.accept(rank, addressOf(job, kind, rank));
      }
    }
  }

  private static String addressOf(Job job, String kind, int rank) {
    return new String(job.address(rank, Duration.ZERO), UTF_8)
        .lines()
        .filter(line -> line.startsWith(kind + " "))
        .map(line -> line.substring(kind.length() + 1))
        .findFirst()
        .orElseThrow(
            () ->
                new JobException("rank %d has published no address of a %s".formatted(rank, kind)));
  }
}
