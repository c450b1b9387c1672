// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.node.Usage;
import io.verbena.bench.process.ParentProcess;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that has one engine open and does as it is told. The commands of its parent are the
 * names of workloads; {@link #FILL} puts as many records as tables take.
 */
public final class KvProcess {
  static final String READY = "ready";
  static final String DONE = "done";
  static final String FILL = "fill";

  private static final long REST_NS = 1_000_000_000;
  private static final long LONGEST_REST_NS = 300_000_000_000L;

  private final Line plan;
  private final Engine engine;
  private final Mix mix;
  private final Load load;

  private KvProcess(Line plan, Engine engine) {
    this.plan = plan;
    this.engine = engine;
    this.mix = Mix.valueOf(plan.text("mix"));
    this.load = new Load(engine, mix, plan.number("records"), (int) plan.number("threads"));
  }

  /**
   * Starts it.
   *
   * @param words the engine's class, its variant, and the plan as a {@link Line}
   */
  public static void main(String[] words) throws Exception {
    LineChannel parent = ParentProcess.connect();
    try {
      Line plan = Line.parse(words[2]);
      long begin = System.nanoTime();
      try (Engine engine = open(words[0], words[1], plan)) {
        long open = System.nanoTime() - begin;
        KvProcess process = new KvProcess(plan, engine);
        process.begin();
        parent.write(new Line(READY).with("what", engine.describe()).with("open", open));
        process.obey(parent);
      }
    } catch (InvocationTargetException e) {
      parent.write(Conversation.failure(String.valueOf(e.getCause())));
    } catch (Exception e) {
      parent.write(Conversation.failure(String.valueOf(e)));
    }
  }

  private static Engine open(String type, String variant, Line plan) throws Exception {
    Engine.Settings settings =
        new Engine.Settings(
            Path.of(plan.text("folder")),
            variant,
            plan.number("cache"),
            plan.number("table"),
            (int) plan.number("pairs"),
            (int) plan.number("inline"),
            plan.number("sync") != 0);
    return Class.forName(type)
        .asSubclass(Engine.class)
        .getConstructor(Engine.Settings.class)
        .newInstance(settings);
  }

  /** Puts a record: the first write of a process may make files. */
  private void begin() throws Exception {
    Records records = new Records(mix);
    engine.put(records.key(0), records.value(0));
  }

  private void obey(LineChannel parent) throws Exception {
    for (Line line = parent.read(); line != LineChannel.END; line = parent.read()) {
      parent.write(
          line.word().equals(FILL)
              ? fillTables()
              : measured(Workload.valueOf(line.word().toUpperCase(Locale.ROOT))));
    }
  }

  private Line fillTables() throws Exception {
    Records records = new Records(mix);
    for (long record = 0; record < plan.number("pairs"); record++) {
      engine.put(records.key(record), records.value(record));
    }
    return new Line(DONE);
  }

  private Line measured(Workload workload) throws IOException, InterruptedException {
    Usage usage = Usage.now();
    long written = io("write_bytes");
    long read = io("read_bytes");
    long begin = System.nanoTime();
    Load.Done done = run(workload);
    double seconds = (System.nanoTime() - begin) / 1e9;
    read = io("read_bytes") - read;
    if (done.putBytes > 0) {
      awaitRest();
    }
    Map<Measure, Double> measures = new EnumMap<>(Measure.class);
    measures.put(Measure.THROUGHPUT, done.operations / seconds);
    if (workload != Workload.PACED) { // whose threads spin until an operation is due
      measures.put(Measure.CPU, (double) Usage.now().minus(usage).cpuNs() / done.operations);
    }
    measures.put(Measure.READ, (double) read / done.operations);
    measures.put(Measure.LONGEST, (double) done.longestNs);
    measures.put(Measure.STALLED, done.stalledNs / 1e9 / seconds / plan.number("threads"));
    if (done.putBytes > 0) {
      measures.put(Measure.WRITTEN, (double) (io("write_bytes") - written) / done.putBytes);
    }
    if (workload != Workload.E) {
      measures.put(Measure.HEAP, (double) done.heapBytes / done.operations);
    }
    if (workload == Workload.PACED) {
      measures.put(Measure.P50, (double) done.times.getValueAtPercentile(50));
      measures.put(Measure.P99, (double) done.times.getValueAtPercentile(99));
      measures.put(Measure.P999, (double) done.times.getValueAtPercentile(99.9));
    }
    Line line = new Line(DONE);
    measures.forEach((measure, value) -> line.with(measure.name(), value));
    return line;
  }

  private Load.Done run(Workload workload) throws InterruptedException {
    long duration = plan.number("duration");
    return switch (workload) {
      case LOAD -> load.fill();
      case PACED -> load.runPaced(Workload.A, duration, plan.number("rate"));
      default -> load.run(workload, duration);
    };
  }

  /** Returns when nothing was written for some time: no engine says when it is done. */
  private static void awaitRest() throws IOException, InterruptedException {
    long last = -1;
    long since = System.nanoTime();
    long end = since + LONGEST_REST_NS;
    for (long now = since; now - since < REST_NS; now = System.nanoTime()) {
      long written = io("write_bytes");
      if (written != last) {
        last = written;
        since = now;
      }
      if (now > end) {
        throw new BenchException("it still writes, five minutes after the last operation");
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static long io(String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith(field + ": ")) {
        return Long.parseLong(line.substring(field.length() + 2));
      }
    }
    throw new IOException("/proc/self/io does not tell " + field);
  }
}
