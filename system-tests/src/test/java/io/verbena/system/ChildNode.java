// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own; see {@link NodeProcess} for what it can do. */
final class ChildNode implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String name;
  private final Process process;
  private final Queue<String> output = new ConcurrentLinkedQueue<>();

  /** No virtual thread: reading a pipe would hold its carrier, which the nodes here need. */
  private final Thread reader = Thread.ofPlatform().daemon().unstarted(this::readOutput);

  private ChildNode(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Starts one; it runs by itself from here on. */
  static ChildNode start(String... arguments) {
    return start(List.of(), arguments);
  }

  /** Starts one in a JVM that is given these options, too. */
  static ChildNode start(List<String> jvmOptions, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(jvmOptions);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), NodeProcess.class.getName()));
    command.addAll(Arrays.asList(arguments));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      ChildNode child = new ChildNode(String.join(" ", arguments), process);
      child.reader.start();
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a node process", e);
    }
  }

  private void readOutput() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(output::add);
    } catch (UncheckedIOException | IOException e) {
      output.add("(output ends: " + e.getMessage() + ")");
    }
  }

  /** Waits until it has printed a line that starts like this. */
  void awaitLine(String start) {
    Await.until(
        PATIENCE, () -> "'" + start + "' from " + this, () -> hasLine(start) || !reader.isAlive());
    if (!hasLine(start)) {
      throw new AssertionError("it ended without '" + start + "': " + this);
    }
  }

  /** Whether it has printed a line that starts like this. */
  boolean hasLine(String start) {
    return output.stream().anyMatch(line -> line.startsWith(start));
  }

  /** Has it go on: it reads a byte of input. */
  void goOn() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + this, e);
    }
  }

  /** Kills it as {@code kill -9} does, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Asks it to close its node and end; fails if it does not. */
  void end() {
    try {
      process.getOutputStream().close(); // it reads until the end of its input
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (awaitExit() != 0) {
      throw new AssertionError("it ended with status " + process.exitValue() + ": " + this);
    }
  }

  /** Waits until it has ended and all it has printed is here; returns its status. */
  int awaitExit() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("it did not end within " + PATIENCE + ": " + this);
      }
      reader.join(PATIENCE);
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  @Override
  public String toString() {
    return "node process "
        + process.pid()
        + " ["
        + name
        + "], its output:\n  "
        + String.join("\n  ", output);
  }
}
