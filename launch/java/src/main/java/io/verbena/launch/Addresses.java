// SPDX-License-Identifier: Apache-2.0
package io.verbena.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * What ranks publish: a line for each of their nodes, which says what it is and where. Clients in
 * other languages write the same.
 */
final class Addresses {

  /** A node that sends messages. */
  static final String NODE = "node";

  /** A node of the fabric. */
  static final String FABRIC = "fabric";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final StringBuilder lines = new StringBuilder();

  /** One more node of this rank. */
  Addresses add(String kind, String address) {
    lines.append(kind).append(' ').append(address).append('\n');
    return this;
  }

  /** Tells all ranks, and waits until all have told theirs. */
  void exchange(Job job) {
    job.publish(lines.toString().getBytes(UTF_8));
    job.awaitAll(PATIENCE);
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
