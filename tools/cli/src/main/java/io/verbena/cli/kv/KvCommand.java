// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli.kv;

import io.verbena.kv.store.Scan;
import io.verbena.kv.store.Store;
import io.verbena.kv.store.StoreOptions;
import io.verbena.kv.store.StoreStats;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verbena kv}. Keys and values of the command line are text, as UTF-8. */
@Command(
    name = "kv",
    description = "The key-value store in a folder: docs/kv.md.",
    mixinStandardHelpOptions = true)
public final class KvCommand implements Runnable {
  private static final String FOLDER = "Folder of the store.";

  @SuppressWarnings("NullAway.Init") // by picocli
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Say what to do: demo, put, get, delete, scan, load, stats, verify, export or import");
  }

  /** A status that no failure has. */
  private static final int NOT_THERE = 3;

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /**
   * A store that is there. Commands that read do not make one. Nobody writes to it meanwhile, so
   * they may take their time.
   */
  private static Store existing(Path folder) throws IOException {
    if (!Files.exists(folder.resolve("store"))) {
      throw new NoSuchFileException(folder.resolve("store").toString());
    }
    return Store.open(folder, StoreOptions.defaults().withSnapshotAge(Duration.ofDays(365)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Command(
      description =
          "Writes real text, kills the writing process again and again, and looks what is there.",
      mixinStandardHelpOptions = true)
  int demo(
      @Parameters(
              paramLabel = "FILE",
              arity = "0..*",
              description =
                  "Files with text, or folders; without any, the sources of this repository.")
          List<Path> files)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("verbena-kv-demo-");
    try {
      new KvDemo(folder, files == null ? List.of() : files, out()).run();
    } finally {
      remove(folder);
    }
    return CommandLine.ExitCode.OK;
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Command(
      description = "Puts a value; makes the store if it is not there.",
      mixinStandardHelpOptions = true)
  int put(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "KEY") String key,
      @Parameters(paramLabel = "VALUE") String value) {
    try (Store store = Store.open(folder)) {
      out().println("version " + store.put(bytes(key), bytes(value)));
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      description = "Prints the value of a key; status 3 if it is not there.",
      mixinStandardHelpOptions = true)
  int get(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "KEY") String key)
      throws IOException {
    try (Store store = existing(folder)) {
      byte[] value = store.get(bytes(key));
      if (value == null) {
        spec.commandLine().getErr().println("verbena: " + key + " is not there");
        return NOT_THERE;
      }
      out().println(text(value));
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(description = "Takes a key away.", mixinStandardHelpOptions = true)
  int delete(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "KEY") String key)
      throws IOException {
    try (Store store = existing(folder)) {
      store.delete(bytes(key));
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      description = "Prints keys and values in the order of keys, a tab between.",
      mixinStandardHelpOptions = true)
  int scan(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "FROM", arity = "0..1", description = "The first key.")
          @Nullable String from,
      @Parameters(paramLabel = "TO", arity = "0..1", description = "The key to stop in front of.")
          @Nullable String to,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "9223372036854775807",
              description = "How many at most.")
          long limit)
      throws IOException {
    try (Store store = existing(folder);
        Scan scan = store.scan(bytes(from == null ? "" : from), to == null ? null : bytes(to))) {
      for (long i = 0; i < limit && scan.next(); i++) {
        out().println(text(scan.key()) + "\t" + text(scan.value()));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(description = "Puts lines of key, tab, value.", mixinStandardHelpOptions = true)
  int load(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              description = "The lines; without it, standard input.")
          @Nullable Path file)
      throws IOException {
    long count = 0;
    try (BufferedReader lines =
            file == null
                ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(file);
        Store store = Store.open(folder)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int tab = line.indexOf('\t');
        if (tab < 1) {
          throw new IOException(
              "line "
                  + (count + 1)
                  + " is not of the form key, tab, value; "
                  + count
                  + " lines are loaded");
        }
        store.put(bytes(line.substring(0, tab)), bytes(line.substring(tab + 1)));
        count++;
      }
    }
    out().println(count + " loaded");
    return CommandLine.ExitCode.OK;
  }

  @Command(description = "Prints what the store holds.", mixinStandardHelpOptions = true)
  int stats(@Parameters(paramLabel = "DIR", description = FOLDER) Path folder)
      throws IOException, ReflectiveOperationException {
    try (Store store = existing(folder)) {
      StoreStats stats = store.stats();
      for (RecordComponent field : StoreStats.class.getRecordComponents()) {
        out().printf("%-18s %s%n", field.getName(), field.getAccessor().invoke(stats));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      description = "Reads every byte of the store, and says what is not as it was written.",
      mixinStandardHelpOptions = true)
  int verify(@Parameters(paramLabel = "DIR", description = FOLDER) Path folder) throws IOException {
    try (Store store = existing(folder)) {
      store.verify();
    }
    out().println("all is as it was written");
    return CommandLine.ExitCode.OK;
  }

  @Command(
      description =
          "Writes all keys and values to a file that every version of the store can import.",
      mixinStandardHelpOptions = true)
  int export(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    try (Store store = existing(folder);
        OutputStream to = Files.newOutputStream(file)) {
      out().println(store.exportTo(to) + " exported");
    }
    return CommandLine.ExitCode.OK;
  }

  @Command(
      name = "import",
      description = "Puts all that was exported to a file.",
      mixinStandardHelpOptions = true)
  int importAll(
      @Parameters(paramLabel = "DIR", description = FOLDER) Path folder,
      @Parameters(paramLabel = "FILE") Path file)
      throws IOException {
    try (InputStream from = Files.newInputStream(file);
        Store store = Store.open(folder)) {
      out().println(store.importFrom(from) + " imported");
    }
    return CommandLine.ExitCode.OK;
  }
}
