// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.kv.KvPlan;
import io.verbena.bench.kv.Mix;
import io.verbena.bench.kv.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of what is measured of stores. */
final class KvOptions {
  private static final long QUICK_BYTES = 32 << 20;
  private static final long USUAL_BYTES = 256 << 20;
  private static final double QUICK_SECONDS = 0.5;

  @Option(
      names = "--mix",
      paramLabel = "S|M|L|SD|MD|LD",
      split = ",",
      defaultValue = "S,L,SD,LD",
      description = "Sizes of records; default: ${DEFAULT-VALUE}.")
  private List<Mix> mixes = List.of();

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "LOAD,A,B,C,D,E,F,PACED,REOPEN",
      description = "Default: ${DEFAULT-VALUE}. All but REOPEN begin with LOAD.")
  private List<Workload> workloads = List.of();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      description = "Rounds of all; default: 5, with --quick 1.")
  private @Nullable Integer pairs;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that use a store; default: ${DEFAULT-VALUE}.")
  private int threads = 2;

  @Option(
      names = "--data",
      paramLabel = "MIB",
      description = "MiB of keys and values; caches have a quarter; default: 256, with --quick 32.")
  private @Nullable Long data;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Of each workload but LOAD; default: 4, with --quick 0.5.")
  private @Nullable Double seconds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Operations a second of PACED; default: ${DEFAULT-VALUE}.")
  private int rate = 20_000;

  @Option(
      names = "--sync",
      description =
          "Writes wait until they are on the disk; otherwise they survive the process, not the host.")
  private boolean isSynced;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "Where files are made, on a disk; default: 'target' of the source tree.")
  private @Nullable Path folder;

  @Option(names = "--quick", description = "A few minutes: less data, one round, less time.")
  private boolean isQuick;

  @Mixin private JsonOption json = new JsonOption();

  JsonOption json() {
    return json;
  }

  /**
   * What they ask for.
   *
   * @throws ParameterException if something cannot be measured
   */
  KvPlan plan(CommandLine command) throws IOException {
    json.check(command);
    if (folder != null && !Files.isDirectory(folder)) {
      throw new ParameterException(command, "--folder " + folder + ": there is no such folder");
    }
    try {
      return new KvPlan(
          mixes,
          workloads,
          pairs != null ? pairs : isQuick ? 1 : 5,
          threads,
          bytes(),
          seconds != null ? seconds : isQuick ? QUICK_SECONDS : 4,
          rate,
          isSynced,
          folder != null ? folder : target());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  /** Beyond what a plan may have stays beyond it. */
  private long bytes() {
    return data == null ? (isQuick ? QUICK_BYTES : USUAL_BYTES) : Math.min(data, 1L << 40) << 20;
  }

  private static Path target() throws IOException {
    Path peers = PeersFolder.find();
    return Files.createDirectories(peers.resolve("../../../target").normalize());
  }
}
