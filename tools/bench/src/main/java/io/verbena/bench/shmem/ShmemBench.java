// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.shmem;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.PeerBuild;
import io.verbena.bench.compare.peer.PeerFolder;
import io.verbena.bench.compare.peer.Scratch;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Command;
import io.verbena.bench.process.RankLauncher;
import io.verbena.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Measures OpenSHMEM: one program of calls of the standard ({@code systems/shmem/bench/speed.c}),
 * with each library in turn, the next time in the opposite order. Two PEs put, get and do atomics,
 * and four call what all have to.
 */
public final class ShmemBench {

  static final String MAPPED = "verbena";
  static final String BY_DEVICE = "verbena, by the device";
  static final String OVER_TCP = "verbena, over TCP";
  static final String SOCKET = "socket";
  static final String OPEN_MPI = "oshmem";

  private static final Set<String> OURS = Set.of(MAPPED, BY_DEVICE, OVER_TCP, SOCKET);

  /** PEs that do not find each other in a folder, as those of two hosts. */
  private static final String APART =
      "export VERBENA_SOFTNIC_DIR=\"$1/$VERBENA_JOB_RANK\";"
          + " mkdir -m 700 \"$VERBENA_SOFTNIC_DIR\" && exec \"$0\"";

  private static final String SUITE = "shmem";
  private static final int FEW = 2;
  private static final int ALL = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int WORDS = 3;

  /** How a side's program is started. */
  private interface Start {
    @Nullable ProcessBuilder with(int pes) throws IOException; // null: it has nothing for so many
  }

  /** A call of so many PEs. */
  private record Key(String side, ShmemResult.Call call) {}

  private final int pairs;
  private final Progress progress;
  private final Map<String, Start> sides = new LinkedHashMap<>();
  private final Map<Key, List<Double>> nanos = new LinkedHashMap<>();
  private final Map<Integer, Set<ShmemResult.Call>> callsOf = new HashMap<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private ShmemBench(int pairs, Progress progress) {
    this.pairs = pairs;
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @param program speed.c, built with our library
   * @param socket socket.c
   * @param device a verbs device's name, for what goes without mapped memory
   * @param peers the folder of the peers
   * @param onBuild is told the name of each peer before it is built
   * @param soFar is given what there is
   * @throws BenchException if ours fails
   * @throws IOException if peers cannot be read
   */
  public static ShmemResult run(
      Tool program,
      Tool socket,
      String device,
      Path peers,
      int pairs,
      Consumer<String> onBuild,
      Progress progress,
      Consumer<ShmemResult> soFar)
      throws InterruptedException, IOException {
    ShmemBench bench = new ShmemBench(pairs, progress);
    try (Scratch scratch = Scratch.open()) {
      bench.sides.put(MAPPED, pes -> ours(program, pes, Map.of()));
      bench.sides.put(
          BY_DEVICE,
          pes ->
              ours(
                  program,
                  pes,
                  Map.of("VERBENA_SHMEM_MAPPING", "off", "VERBENA_SHMEM_DEVICE", device)));
      bench.sides.put(OVER_TCP, pes -> overTcp(program, pes, scratch));
      bench.sides.put(
          SOCKET, pes -> pes == FEW ? new ProcessBuilder(socket.path().toString()) : null);
      bench.addPeers(peers, scratch, onBuild);
      bench.measure(soFar);
    }
    return bench.result();
  }

  private static ProcessBuilder ours(
      Tool program, int pes, Map<String, String> environment, String... before) {
    List<String> words =
        new ArrayList<>(List.of(RankLauncher.path().toString(), "-n", Integer.toString(pes), "--"));
    words.addAll(List.of(before));
    words.add(program.path().toString());
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(environment);
    return builder;
  }

  private static ProcessBuilder overTcp(Tool program, int pes, Scratch scratch) throws IOException {
    Map<String, String> environment =
        Map.of(
            "VERBENA_SHMEM_MAPPING", "off",
            "VERBENA_SHMEM_DEVICE", "softnic",
            "VERBENA_SOFTNIC_TCP", "127.0.0.1");
    ProcessBuilder builder = ours(program, pes, environment, "sh", "-c", APART);
    builder.command().add(Files.createTempDirectory(scratch.path(), "apart").toString());
    return builder;
  }

  private void addPeers(Path peers, Scratch scratch, Consumer<String> onBuild)
      throws InterruptedException, IOException {
    for (PeerFolder peer : PeerFolder.readAll(peers)) {
      if (!peer.suite().equals(SUITE)) {
        continue;
      }
      onBuild.accept(peer.name());
      Skipped reason = PeerBuild.build(peer);
      if (reason != null) {
        skipped.add(reason);
        continue;
      }
      for (PeerFolder.System system : peer.systems()) {
        sides.put(system.name(), pes -> theirs(peer, system, pes, scratch));
      }
    }
  }

  private static ProcessBuilder theirs(
      PeerFolder peer, PeerFolder.System system, int pes, Scratch scratch) {
    Map<String, String> values =
        Map.of("ranks", Integer.toString(pes), "scratch", scratch.path().toString());
    List<String> words = new ArrayList<>(peer.filled(values).run());
    words.addAll(system.options());
    return new ProcessBuilder(words).directory(peer.path().toFile());
  }

  private void measure(Consumer<ShmemResult> soFar) throws InterruptedException {
    progress.begins(2 * pairs);
    for (int pair = 0; pair < pairs; pair++) {
      for (int pes : List.of(FEW, ALL)) {
        progress.roundBegins(pes + " PEs");
        List<String> order = new ArrayList<>(sides.keySet());
        for (String side : pair % 2 == 0 ? order : order.reversed()) {
          measure(side, pes, Objects.requireNonNull(sides.get(side)));
        }
        progress.roundEnds();
      }
      soFar.accept(result());
    }
  }

  /** A peer that fails takes no part any more. */
  private void measure(String side, int pes, Start start) throws InterruptedException {
    try {
      Map<ShmemResult.Call, Double> round = round(side, pes, start);
      callsOf.putIfAbsent(pes, Set.copyOf(round.keySet())); // ours is the first
      round.forEach(
          (call, time) ->
              nanos.computeIfAbsent(new Key(side, call), unused -> new ArrayList<>()).add(time));
    } catch (BenchException e) {
      if (OURS.contains(side)) {
        throw e;
      }
      failures.add(e.getMessage());
      sides.remove(side);
      nanos.keySet().removeIf(key -> key.side().equals(side));
    }
  }

  /** What a side measures with so many PEs: as ours does, of which nothing is known at first. */
  private Set<ShmemResult.Call> calls(String side, int pes) {
    return side.equals(SOCKET) ? Set.of() : callsOf.getOrDefault(pes, Set.of());
  }

  /** One run of the program. What goes wrong behind its last figure is the library's affair. */
  private Map<ShmemResult.Call, Double> round(String side, int pes, Start start)
      throws InterruptedException {
    try {
      ProcessBuilder builder = start.with(pes);
      if (builder == null) {
        return Map.of();
      }
      Command ended = Command.run(builder.redirectErrorStream(true), PATIENCE);
      Map<ShmemResult.Call, Double> round = read(ended.output());
      boolean isWhole = round.keySet().containsAll(calls(side, pes));
      if (!isWhole || round.isEmpty() || (OURS.contains(side) && ended.status() != 0)) {
        throw new BenchException(
            "%s: '%s' ended with %d: %s"
                .formatted(
                    side,
                    String.join(" ", builder.command()),
                    ended.status(),
                    ended.output().strip()));
      }
      return round;
    } catch (IOException | TimeoutException e) {
      throw new BenchException(side + ": " + e.getMessage());
    }
  }

  /** Lines of three words are figures; what else a library says is not. */
  static Map<ShmemResult.Call, Double> read(String output) {
    Map<ShmemResult.Call, Double> round = new LinkedHashMap<>();
    for (String line : output.lines().toList()) {
      String[] words = line.strip().split(" ");
      if (words.length == WORDS && words[1].matches("\\d+") && words[2].matches("\\d+\\.\\d+")) {
        round.put(
            new ShmemResult.Call(words[0], Long.parseLong(words[1])), Double.valueOf(words[2]));
      }
    }
    return round;
  }

  private ShmemResult result() {
    List<ShmemResult.Series> series =
        nanos.entrySet().stream()
            .map(
                one ->
                    new ShmemResult.Series(
                        one.getKey().side(), one.getKey().call(), one.getValue()))
            .toList();
    return new ShmemResult(series, skipped, failures);
  }
}
