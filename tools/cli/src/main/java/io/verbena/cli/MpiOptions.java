// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.mpi.MpiPlan;
import java.util.List;
import picocli.CommandLine.Option;

/** What is measured of MPI beyond the options that it has in common with others. */
final class MpiOptions {

  @Option(
      names = "--transport",
      paramLabel = "shm|tcp|rdma",
      defaultValue = "shm",
      description = "What carries messages; default: ${DEFAULT-VALUE}.")
  private String transport = "shm";

  @Option(
      names = "--operation",
      paramLabel = "NAME",
      split = ",",
      description =
          "ping-pong, barrier, bcast, gather, scatter, allgather, alltoall, reduce, allreduce, reduce-scatter, scan;"
              + " default: ping-pong, barrier, bcast, alltoall, allreduce.")
  private List<String> operations = List.of();

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      split = ",",
      description =
          "Of a message, or of one rank's block: 0, 64, 64K; default: 0 to 4M for ping-pong.")
  private List<String> sizes = List.of();

  /**
   * What they ask for.
   *
   * @throws IllegalArgumentException if something cannot be measured
   */
  MpiPlan plan(FabricOptions options) {
    return MpiPlan.of(
        transport, options.device(), options.pairs(), operations, sizes, options.isQuick());
  }
}
