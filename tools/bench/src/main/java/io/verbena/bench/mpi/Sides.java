// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.PeerBuild;
import io.verbena.bench.compare.peer.PeerFolder;
import io.verbena.bench.compare.peer.Scratch;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.JavaCommand;
import io.verbena.bench.process.RankLauncher;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who can be measured here, and how each is started. */
final class Sides {

  static final String DEVICE = "device";
  static final String API = "api";
  static final String OPEN_MPI = "openmpi";
  static final String OPEN_MPI_CMA = "openmpi-cma";
  static final String OPEN_MPI_COPIES = "openmpi-copies";
  static final String OPEN_MPI_YIELD = "openmpi-yield";
  static final String OPEN_MPI_TCP = "openmpi-tcp";
  static final String NIODEV = "niodev";

  /** What is ours. */
  static final List<String> OURS = List.of(DEVICE, API);

  private static final String SUITE = "mpi";

  /** Messages of 4 MiB in three copies, and blocks of 1 MiB for each of four. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xmx512m", "-Dverbena.connect.timeout=120s");

  private final MpiPlan plan;
  private final Map<String, Class<?>> ours;
  private final List<PeerFolder> peers;
  private final @Nullable Tool verbs;

  private Sides(
      MpiPlan plan, Map<String, Class<?>> ours, List<PeerFolder> peers, @Nullable Tool verbs) {
    this.plan = plan;
    this.ours = ours;
    this.peers = peers;
    this.verbs = verbs;
  }

  /**
   * Builds the peers that the plan has use for.
   *
   * @param ours the main classes of ranks, by the name of the side
   * @param peers the folder of the peers
   * @param verbs vbn-perf; null where it is not built
   * @param onBuild is told the name of each peer before it is built
   * @param skipped is told who is left out
   */
  static Sides prepare(
      MpiPlan plan,
      Map<String, Class<?>> ours,
      Path peers,
      @Nullable Tool verbs,
      Consumer<String> onBuild,
      Consumer<Skipped> skipped)
      throws IOException, InterruptedException {
    boolean isOverVerbs = plan.transport().equals("rdma");
    if (isOverVerbs && verbs == null) {
      skipped.accept(
          new Skipped(
              SendSide.NAME,
              "vbn-perf is not built here",
              "scripts/native tool native/target/build vbn-perf"));
    }
    List<PeerFolder> usable = new ArrayList<>();
    Set<String> wanted = new TreeSet<>();
    plan.measured().forEach(one -> wanted.addAll(names(plan.transport(), one.ranks())));
    for (PeerFolder peer : PeerFolder.readAll(peers)) {
      boolean isWanted = peer.systems().stream().anyMatch(one -> wanted.contains(one.name()));
      if (peer.suite().equals(SUITE) && isWanted) {
        onBuild.accept(peer.name());
        Skipped reason = PeerBuild.build(peer);
        if (reason == null) {
          usable.add(peer);
        } else {
          skipped.accept(reason);
        }
      }
    }
    return new Sides(plan, ours, usable, isOverVerbs ? verbs : null);
  }

  /** The peers that are measured with so many ranks. */
  private static List<String> names(String transport, int ranks) {
    return switch (transport) {
      case "shm" ->
          ranks == 2
              ? List.of(OPEN_MPI, OPEN_MPI_CMA, OPEN_MPI_COPIES, NIODEV)
              : List.of(OPEN_MPI_YIELD, NIODEV);
      case "tcp" -> List.of(OPEN_MPI_TCP, NIODEV);
      default -> List.of();
    };
  }

  /** The names of all that are measured with so many ranks, ours first. */
  List<String> names(int ranks) {
    List<String> names = new ArrayList<>(OURS.stream().filter(ours::containsKey).toList());
    List<String> wanted = names(plan.transport(), ranks);
    peers.forEach(
        peer ->
            peer.systems().stream()
                .map(PeerFolder.System::name)
                .filter(wanted::contains)
                .forEach(names::add));
    if (verbs != null && ranks == 2) {
      names.add(SendSide.NAME);
    }
    return names;
  }

  /**
   * Starts one of them.
   *
   * @throws BenchException if it does not start
   */
  Side start(String name, int ranks, Scratch scratch) throws InterruptedException {
    Class<?> main = ours.get(name);
    if (main != null) {
      return JobSide.start(name, true, launched(main, ranks));
    }
    if (verbs != null && name.equals(SendSide.NAME)) {
      return new SendSide(verbs, plan.device());
    }
    for (PeerFolder peer : peers) {
      for (PeerFolder.System system : peer.systems()) {
        if (system.name().equals(name)) {
          return JobSide.start(name, !peer.isNative(), command(peer, system, ranks, scratch));
        }
      }
    }
    throw new IllegalArgumentException("no side '" + name + "'");
  }

  private ProcessBuilder launched(Class<?> main, int ranks) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(RankLauncher.path().toString(), "-n", Integer.toString(ranks), "--"));
    words.addAll(JavaCommand.ofThisJvm(main, JVM_OPTIONS));
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("VERBENA_TRANSPORT", plan.transport());
    if (plan.transport().equals("rdma")) {
      builder.environment().put("VERBENA_RDMA_DEVICE", plan.device());
    }
    return builder;
  }

  private static ProcessBuilder command(
      PeerFolder peer, PeerFolder.System system, int ranks, Scratch scratch) {
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    List<String> words = new ArrayList<>(peer.run());
    words.addAll(system.options());
    words.replaceAll(
        word ->
            word.replace("{ranks}", Integer.toString(ranks))
                .replace("{scratch}", scratch.path().toString())
                .replace("{java}", java));
    return new ProcessBuilder(words).directory(peer.path().toFile());
  }
}
