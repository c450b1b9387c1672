// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM like this one that runs another main class and is spoken to in {@link Line lines} over its
 * standard input and output. It ends when its input does, see {@link ParentProcess}: so it does not
 * outlive this process, however this process dies.
 */
public final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final String name;
  private final PrintStream input;
  private final LineChannel channel;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.channel = new LineChannel(line -> input.println(line));
  }

  /**
   * Starts a child; what it writes to its standard error goes to ours.
   *
   * @param name for messages
   * @param jvmOptions go before the class path
   */
  public static ChildProcess start(
      String name, Class<?> mainClass, List<String> jvmOptions, Line arguments) {
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm(mainClass, jvmOptions));
    command.add(arguments.toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process process = builder.start();
      AtExit.add(process);
      ChildProcess child = new ChildProcess(name, process);
      Thread.ofPlatform().daemon().name(name + "-output").start(child::readOutput);
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name + " with " + command.getFirst(), e);
    }
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        if (text.startsWith(ParentProcess.MARK)) {
          channel.deliver(Line.parse(text.substring(ParentProcess.MARK.length())));
        } else {
          System.err.println(name + ": " + text);
        }
      }
    } catch (IOException e) {
      // the process was killed: the end of its output is all there is to say
    } finally {
      channel.deliver(LineChannel.END);
    }
  }

  /** The conversation with it. */
  public LineChannel channel() {
    return channel;
  }

  /** The operating system's number of it. */
  public long pid() {
    return process.pid();
  }

  /** How it ended, for messages; waits a moment for the end. */
  public String describeEnd() {
    try {
      boolean ended = process.waitFor(1, TimeUnit.SECONDS);
      return ended ? "ended with status " + process.exitValue() : "is still running";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "may be running";
    }
  }

  /** Ends its input, waits, and kills it if it does not end within the time. */
  public void close(Duration patience) {
    input.close();
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    AtExit.remove(process);
  }

  @Override
  public void close() {
    close(Duration.ofSeconds(5));
  }
}
