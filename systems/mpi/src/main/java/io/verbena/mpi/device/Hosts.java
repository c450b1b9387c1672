// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.launch.Job;
import io.verbena.launch.JobException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.IntFunction;

/** The hosts of a job's ranks, as far as they have said where they are. */
record Hosts(Job job) implements IntFunction<String> {

  private static final String UNKNOWN = "a host that is not known";

  @Override
  public String apply(int rank) {
    try {
      return ofAddresses(new String(job.address(rank, Duration.ZERO), StandardCharsets.UTF_8));
    } catch (JobException | IllegalStateException e) {
      return UNKNOWN; // it has ended before it said so, or the job is closed
    }
  }

  /** Of what ranks publish, lines like {@code node HOST:PORT}: the first host. */
  static String ofAddresses(String published) {
    int from = published.indexOf(' ') + 1;
    int to = published.indexOf('\n', from);
    String address = published.substring(from, to < 0 ? published.length() : to);
    int port = address.lastIndexOf(':');
    return port < 0 ? UNKNOWN : address.substring(0, port);
  }
}
