// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.ConfigException;
import io.verbena.bench.JsonFields;
import io.verbena.bench.plan.BenchPlan;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code verbena bench …}. */
@Command(
    name = "bench",
    description = "Measures rates and round trips between node processes; checks every message.",
    mixinStandardHelpOptions = true)
final class BenchCommand implements Runnable {

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to measure: throughput, latency, load, alltoall, idle, bfs, matrix, fabric, channel, mpi, shmem, ip, kv or raw");
  }

  @Command(
      name = "throughput",
      description = "One way: the rate at which the receiver takes messages.",
      mixinStandardHelpOptions = true)
  int throughput(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.THROUGHPUT, options);
  }

  @Command(
      name = "latency",
      description = "Requests and replies as objects, one at a time in each thread.",
      mixinStandardHelpOptions = true)
  int latency(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.LATENCY, options);
  }

  @Command(
      name = "alltoall",
      description = "Every node sends to every other; rates are sums over nodes.",
      mixinStandardHelpOptions = true)
  int allToAll(@Mixin BenchOptions options) throws InterruptedException, IOException {
    return measure(Workload.ALLTOALL, options);
  }

  @Command(
      name = "idle",
      description = "Processor time of connected nodes that have nothing to do.",
      mixinStandardHelpOptions = true)
  int idle(@Mixin IdleOptions options) throws InterruptedException, IOException {
    CommandLine command = check("idle", options.nodeOptions());
    return run(acceptable(command, () -> List.of(options.plan())), options.nodeOptions());
  }

  @Command(
      name = "load",
      description = {
        "Requests at a fixed rate, whether or not replies keep up.",
        "A round trip counts from when its request was meant to be sent."
      },
      mixinStandardHelpOptions = true)
  int load(
      @Mixin BenchOptions options,
      @Option(
              names = "--rate",
              paramLabel = "R",
              required = true,
              description = "Requests per second of each sending node, such as 5000, 100k, 1M.")
          String rate)
      throws InterruptedException, IOException {
    CommandLine command = check("load", options.nodeOptions());
    return run(
        acceptable(
            command,
            () -> List.of(options.plan(Workload.LOAD).ratePerSecond(Rate.parse(rate)).build())),
        options.nodeOptions());
  }

  @Command(
      name = "matrix",
      description = {
        "All workloads but bfs and raw, over sizes, threads and numbers of nodes.",
        "Throughput one way and both ways, round trips in a closed and in an open loop, and all-to-all. Takes hours; with"
            + " --quick minutes. --transport all measures every transport that is usable here, one after the other."
      },
      mixinStandardHelpOptions = true)
  int matrix(@Mixin MatrixOptions options) throws InterruptedException, IOException {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get("matrix"));
    options.check(command);
    return new MatrixRun(
            spec.commandLine(),
            commandLine(),
            options,
            acceptable(command, options::matrix),
            acceptable(command, options::systems))
        .execute();
  }

  @Command(
      name = "bfs",
      description = {
        "Graph500's breadth-first search over node processes.",
        "They exchange vertex messages of 16 bytes; every tree is validated."
      },
      mixinStandardHelpOptions = true)
  int bfs(@Mixin BfsOptions options) throws InterruptedException, IOException {
    CommandLine command = check("bfs", options.nodeOptions());
    return new BfsRun(
            spec.commandLine(), commandLine(), options, acceptable(command, options::plan))
        .execute();
  }

  @Command(
      name = "raw",
      description = {
        "What the machine does without Verbena.",
        "memcpy, a word between two processes over shared memory, TCP sockets, and RDMA writes where the native tools are"
            + " built."
      },
      mixinStandardHelpOptions = true)
  int raw(@Mixin RawOptions options) throws InterruptedException, IOException {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get("raw"));
    options.json().check(command);
    return new RawRun(spec.commandLine(), commandLine(), acceptable(command, options::checked))
        .execute();
  }

  @Command(
      name = "fabric",
      description = {
        "One-sided memory between two processes, from C and from Java.",
        "Puts, gets and atomics; large puts beside memcpy; with softnic also over its wire between hosts, beside a socket."
            + " Each figure stands beside what it is to reach."
      },
      mixinStandardHelpOptions = true)
  int fabric(@Mixin FabricOptions options) throws InterruptedException, IOException {
    options.check(Objects.requireNonNull(spec.subcommands().get("fabric")));
    return new FabricRun(spec.commandLine(), commandLine(), options).execute();
  }

  @Command(
      name = "channel",
      description = {
        "FIFO channels between two processes, beside bare memory and beside others.",
        "Round trips and messages one way over the sizes of the paper's tables: channels in place and with copies, ZeroMQ,"
            + " Open MPI, RDMA writes, and MTCL where a checkout is named. Peers that are not installed are skipped."
      },
      mixinStandardHelpOptions = true)
  int channel(
      @Mixin FabricOptions options,
      @Option(
              names = "--mtcl",
              paramLabel = "DIR",
              description = "A checkout of MTCL, whose TCP and VERBENA are measured, too.")
          @Nullable Path mtcl)
      throws InterruptedException, IOException {
    options.check(Objects.requireNonNull(spec.subcommands().get("channel")));
    return new ChannelRun(spec.commandLine(), commandLine(), options, mtcl).execute();
  }

  @Command(
      name = "mpi",
      description = {
        "MPI between ranks of this host: the device and package mpi, beside Open MPI and MPJ Express.",
        "There and back between two ranks, and calls of four. Every answer is looked at. Peers that are not installed are"
            + " skipped."
      },
      mixinStandardHelpOptions = true)
  int mpi(@Mixin FabricOptions options, @Mixin MpiOptions more)
      throws InterruptedException, IOException {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get("mpi"));
    options.check(command);
    return new MpiRun(
            spec.commandLine(),
            commandLine(),
            options,
            acceptable(command, () -> more.plan(options)))
        .execute();
  }

  @Command(
      name = "ip",
      description = {
        "TCP over network interfaces of the fabric, in two network namespaces: each mechanism",
        "on and off, beside a bare pump, a veth pair and socat. It needs root."
      },
      mixinStandardHelpOptions = true)
  int ip(
      @Option(names = "--pairs", description = "Rounds of all.", defaultValue = "5") int pairs,
      @Option(names = "--seconds", description = "Of each measurement.", defaultValue = "2")
          double seconds)
      throws InterruptedException, IOException {
    Tool tool = NativeTools.here().require("vbn-ip-bench", spec.commandLine().getErr()::println);
    return new ProcessBuilder(
            tool.path().toString(),
            "bench",
            "--pairs",
            Integer.toString(pairs),
            "--seconds",
            Double.toString(seconds))
        .inheritIO()
        .start()
        .waitFor();
  }

  @Command(
      name = "shmem",
      description = {
        "OpenSHMEM between PEs of this host, beside Open MPI's.",
        "Puts, gets and atomics of two, beside copies, and calls of four; with mapped memory and by the device. Open MPI is"
            + " skipped where it is not installed."
      },
      mixinStandardHelpOptions = true)
  int shmem(@Mixin FabricOptions options) throws InterruptedException, IOException {
    options.check(Objects.requireNonNull(spec.subcommands().get("shmem")));
    return new ShmemRun(spec.commandLine(), commandLine(), options).execute();
  }

  @Command(
      name = "kv",
      description = {
        "The key-value store under YCSB's workloads, beside RocksDB from Java with the same tables and block cache.",
        "RocksDB is skipped where Maven cannot get it."
      },
      mixinStandardHelpOptions = true)
  int kv(@Mixin KvOptions options) throws InterruptedException, IOException {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get("kv"));
    return new KvRun(
            spec.commandLine(), commandLine(), options.plan(command), options.json().file())
        .execute();
  }

  private int measure(Workload workload, BenchOptions options)
      throws InterruptedException, IOException {
    CommandLine command = check(JsonFields.word(workload), options.nodeOptions());
    return run(
        acceptable(command, () -> List.of(options.plan(workload).build())), options.nodeOptions());
  }

  private int run(List<BenchPlan> plans, NodeOptions options)
      throws InterruptedException, IOException {
    return new PlansRun(spec.commandLine(), commandLine(), options, plans).execute();
  }

  private CommandLine check(String name, NodeOptions options) {
    CommandLine command = Objects.requireNonNull(spec.subcommands().get(name));
    options.check(command);
    return command;
  }

  private static <T> T acceptable(CommandLine command, Supplier<T> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException | ConfigException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
  }

  private String commandLine() {
    return Main.typed(spec);
  }
}
