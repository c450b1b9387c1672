// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.bench.Progress;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.PeerBuild;
import io.verbena.bench.compare.peer.PeerFolder;
import io.verbena.bench.compare.peer.Scratch;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.process.ChildProcess;
import io.verbena.bench.process.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the store beside other engines: each in a process of its own, with the same threads,
 * records, tables and block cache, one after the other and the next time in the opposite order.
 */
public final class KvBench {
  static final String OURS = "verbena";

  private static final String SUITE = "kv";
  private static final int TABLE_BYTES = 64 << 20;
  private static final int ALL_PAIRS = 1 << 24; // bytes are to count
  private static final int TABLE_PAIRS = 96_000;
  private static final int CACHE_PART = 4;
  private static final int INLINE_BYTES = 256;
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  /** An engine: the command that starts its process, but for the plan at the end. */
  private record Side(List<String> words, Path folder) {}

  /** What a side measures. */
  private record Key(String engine, KvResult.Subject subject) {}

  private final KvPlan plan;
  private final Progress progress;
  private final Map<String, Side> sides = new LinkedHashMap<>();
  private final Map<Key, List<Double>> values = new LinkedHashMap<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private KvBench(KvPlan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures everything.
   *
   * @param peers the folder of the peers
   * @param onBuild is told the name of each peer before it is built
   * @param soFar is given what there is
   * @throws BenchException if ours fails
   * @throws IOException if peers cannot be read, or files of the plan's place are memory
   */
  public static KvResult run(
      KvPlan plan,
      Path peers,
      Consumer<String> onBuild,
      Progress progress,
      Consumer<KvResult> soFar)
      throws InterruptedException, IOException {
    checkIsDisk(plan.place());
    KvBench bench = new KvBench(plan, progress);
    List<String> ours = new ArrayList<>(JavaCommand.ofThisJvm(KvProcess.class, List.of()));
    ours.addAll(List.of(StoreEngine.class.getName(), ""));
    bench.sides.put(OURS, new Side(ours, Path.of("")));
    bench.addPeers(peers, onBuild);
    try (Scratch scratch = Scratch.open(plan.place())) {
      bench.measure(scratch.path(), soFar);
    }
    return bench.result();
  }

  static void checkIsDisk(Path place) throws IOException {
    String type = Files.getFileStore(place).type();
    if (IN_MEMORY.contains(type)) {
      String text = "%s is a %s, whose files are memory: choose a folder on a disk by --folder";
      throw new IOException(text.formatted(place, type));
    }
  }

  private void addPeers(Path peers, Consumer<String> onBuild)
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
      Map<String, String> names =
          Map.of(
              "java", Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "classpath", ownClasses());
      for (PeerFolder.System system : peer.systems()) {
        List<String> words = new ArrayList<>(peer.filled(names).run());
        words.addAll(system.options());
        sides.put(system.name(), new Side(words, peer.path()));
      }
    }
  }

  /** The bench's own classes, whether it is run by modules or by a class path. */
  private static String ownClasses() {
    return Stream.of("java.class.path", "jdk.module.path")
        .map(name -> System.getProperty(name, ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void measure(Path scratch, Consumer<KvResult> soFar)
      throws InterruptedException, IOException {
    progress.begins(plan.pairs() * plan.mixes().size());
    for (int pair = 0; pair < plan.pairs(); pair++) {
      for (Mix mix : plan.mixes()) {
        progress.roundBegins("records of mix " + mix);
        List<String> order = new ArrayList<>(sides.keySet());
        for (String side : pair % 2 == 0 ? order : order.reversed()) {
          measure(side, mix, scratch);
        }
        progress.roundEnds();
        soFar.accept(result());
      }
    }
  }

  /** A peer that fails takes no part any more. */
  private void measure(String side, Mix mix, Path scratch)
      throws InterruptedException, IOException {
    try {
      if (plan.workloads().stream().anyMatch(one -> one != Workload.REOPEN)) {
        run(side, mix, scratch);
      }
      if (plan.workloads().contains(Workload.REOPEN)) {
        reopen(side, mix, scratch);
      }
    } catch (BenchException e) {
      if (side.equals(OURS)) {
        throw e;
      }
      failures.add(e.getMessage());
      sides.remove(side);
      values.keySet().removeIf(key -> key.engine().equals(side));
    }
  }

  private void run(String side, Mix mix, Path scratch) throws InterruptedException, IOException {
    Path folder = Files.createTempDirectory(scratch, side);
    try (ChildProcess process = start(side, mix, folder, ALL_PAIRS, TABLE_BYTES, plan.sync())) {
      process.conversation().hear(KvProcess.READY, START);
      ask(process, Workload.LOAD, side, mix);
      for (Workload workload : plan.workloads()) {
        if (workload != Workload.LOAD && workload != Workload.REOPEN) {
          ask(process, workload, side, mix);
        }
      }
    } finally {
      discard(folder);
    }
  }

  /** What cannot be deleted now is deleted with the folder around it. */
  private static void discard(Path folder) {
    try {
      Scratch.deleteTree(folder);
    } catch (IOException | UncheckedIOException e) {
      // a failure before this one is what is told
    }
  }

  private void ask(ChildProcess process, Workload workload, String side, Mix mix)
      throws InterruptedException {
    process.conversation().tell(new Line(workload.name().toLowerCase(Locale.ROOT)));
    Line done = process.conversation().hear(KvProcess.DONE, PATIENCE);
    for (Measure measure : Measure.values()) {
      if (done.has(measure.name())) {
        add(side, mix, workload, measure, Double.parseDouble(done.text(measure.name())));
      }
    }
  }

  /**
   * As many writes as two tables of the store take, which are in its log alone, as a table of twice
   * the size holds them.
   */
  private void reopen(String side, Mix mix, Path scratch) throws InterruptedException, IOException {
    Path folder = Files.createTempDirectory(scratch, side);
    try {
      try (ChildProcess process =
          start(side, mix, folder, 2 * TABLE_PAIRS, 2 * TABLE_BYTES, false)) {
        process.conversation().hear(KvProcess.READY, START);
        process.conversation().tell(new Line(KvProcess.FILL));
        process.conversation().hear(KvProcess.DONE, PATIENCE);
        process.handle().destroyForcibly();
        process.awaitExit(START);
      }
      try (ChildProcess process = start(side, mix, folder, TABLE_PAIRS, TABLE_BYTES, plan.sync())) {
        Line ready = process.conversation().hear(KvProcess.READY, PATIENCE);
        add(side, mix, Workload.REOPEN, Measure.OPEN, ready.number("open"));
      }
    } finally {
      discard(folder);
    }
  }

  private ChildProcess start(
      String side, Mix mix, Path folder, int tablePairs, int tableBytes, boolean sync) {
    Side own = Objects.requireNonNull(sides.get(side));
    Line line =
        new Line("plan")
            .with("folder", folder)
            .with("mix", mix)
            .with("records", (long) (plan.dataBytes() / mix.meanBytes()))
            .with("threads", plan.threads())
            .with("cache", plan.dataBytes() / CACHE_PART)
            .with("table", tableBytes)
            .with("pairs", tablePairs)
            .with("inline", INLINE_BYTES)
            .with("duration", (long) (1e9 * plan.seconds()))
            .with("rate", plan.rate())
            .with("sync", sync ? 1 : 0);
    List<String> words = new ArrayList<>(own.words());
    words.add(line.toString());
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.directory(own.folder().toAbsolutePath().toFile());
    return ChildProcess.start(side, builder);
  }

  private void add(String side, Mix mix, Workload workload, Measure measure, double value) {
    Key key = new Key(side, new KvResult.Subject(mix, workload, measure));
    values.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
  }

  private KvResult result() {
    return new KvResult(
        values.entrySet().stream()
            .map(
                one ->
                    new KvResult.Series(
                        one.getKey().engine(), one.getKey().subject(), one.getValue()))
            .toList(),
        skipped,
        failures);
  }
}
