// SPDX-License-Identifier: Apache-2.0
package io.verbena.system;

import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import io.verbena.bench.process.ChildProcess;
import io.verbena.bench.process.JavaCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A node in a process of its own; see {@link NodeProcess} for what it can do. It is told and
 * reports in the lines of {@code bench}; what else it prints is kept.
 */
final class ChildNode implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final ChildProcess process;
  private final Queue<String> printed = new ConcurrentLinkedQueue<>();

  private ChildNode(String name, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    process = ChildProcess.start(name, builder, ChildProcess.Speech.MARKED, printed::add);
  }

  /** Starts one; it runs by itself from here on. */
  static ChildNode start(Line task) {
    return start(List.of(), task);
  }

  /** Starts one in a JVM that is given these options, too. */
  static ChildNode start(List<String> jvmOptions, Line task) {
    List<String> options =
        new ArrayList<>(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    options.addAll(jvmOptions);
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm(NodeProcess.class, options));
    command.add(task.toString());
    return new ChildNode("'%s' node %s".formatted(task.word(), task.text("id")), command);
  }

  /** Starts one by a command. */
  static ChildNode start(String name, List<String> command) {
    return new ChildNode(name, command);
  }

  /** Tells it something: one word. */
  void tell(String word) {
    process.conversation().tell(new Line(word));
  }

  /** Waits for its next report, which is to be this one. */
  void await(String report) {
    try {
      process.conversation().hear(report, PATIENCE);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Whether it has printed a line that starts like this; all that it printed before a report. */
  boolean hasPrinted(String start) {
    return printed.stream().anyMatch(line -> line.startsWith(start));
  }

  /** Kills it as {@code kill -9} does, and waits until it is gone; fails if it reported more. */
  void kill() {
    process.handle().destroyForcibly();
    awaitExit();
    try {
      Line last = process.channel().read();
      if (last != LineChannel.END) {
        throw new AssertionError("before it was killed it reported '" + last + "': " + this);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Has it close its node and end; fails if it does not. */
  void end() {
    tell("close");
    await("closed");
    if (awaitExit() != 0) {
      throw new AssertionError("it failed after it had closed its node: " + this);
    }
  }

  /** Waits until it has ended and all it has printed is here; returns its status. */
  int awaitExit() {
    try {
      return process.awaitExit(PATIENCE);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private AssertionError interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new AssertionError("interrupted while waiting for " + this, e);
  }

  boolean isAlive() {
    return process.handle().isAlive();
  }

  @Override
  public void close() {
    process.close(Duration.ZERO);
  }

  @Override
  public String toString() {
    return "process %d, which printed:%n  %s"
        .formatted(process.pid(), String.join("\n  ", printed));
  }
}
