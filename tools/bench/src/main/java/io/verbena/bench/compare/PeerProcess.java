// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.process.AtExit;
import io.verbena.bench.process.ProcessTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** A process that hears commands on its standard input and answers with lines of JSON. */
final class PeerProcess implements AutoCloseable {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final JsonNode END = MissingNode.getInstance();
  private static final long END_PATIENCE_SECONDS = 3;

  private final String name;
  private final Process process;
  private final PrintStream input;
  private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
  private volatile String lastLine = ""; // while it is not understood

  private PeerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  /**
   * Starts one; what it writes to its standard error goes to ours.
   *
   * @throws BenchException if there is no such command
   */
  static PeerProcess start(String name, Path folder, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      PeerProcess peer = new PeerProcess(name, builder.start());
      AtExit.add(peer.process);
      Thread.ofPlatform().daemon().name(name + "-output").start(peer::readOutput);
      return peer;
    } catch (IOException e) {
      throw new BenchException(name + " cannot be started: " + e.getMessage());
    }
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("{")) {
          lastLine = line;
          answers.add(MAPPER.readTree(line));
          lastLine = "";
        } else {
          System.err.println(name + ": " + line);
        }
      }
    } catch (IOException | JacksonException e) {
      // killed, or no JSON: nothing more is heard
    } finally {
      answers.add(END);
    }
  }

  void tell(String command) {
    input.println(command);
  }

  /**
   * Waits for an answer.
   *
   * @throws BenchException if the process ends, or says nothing in time
   */
  JsonNode hear(String event, Duration patience) throws InterruptedException {
    JsonNode answer = answers.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (answer == null) {
      String text = "%s did not report '%s' within %d s";
      throw new BenchException(text.formatted(name, event, patience.toSeconds()));
    }
    if (answer == END) {
      process.waitFor(1, TimeUnit.SECONDS);
      String end = process.isAlive() ? "said no more" : "ended with status " + process.exitValue();
      end = lastLine.isEmpty() ? end : "wrote '" + lastLine + "', which is no report,";
      throw new BenchException(name + " " + end + " before '" + event + "'");
    }
    return answer;
  }

  double cpuSeconds() {
    return ProcessTree.cpuSeconds(process.toHandle());
  }

  /** Ends its input, waits, and kills it and what it started if it does not end soon. */
  @Override
  public void close() {
    Set<ProcessHandle> tree = new LinkedHashSet<>(ProcessTree.all(process.toHandle()));
    input.close();
    try {
      process.waitFor(END_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tree.addAll(ProcessTree.all(process.toHandle())); // those it started meanwhile
    ProcessTree.kill(tree);
    AtExit.remove(process);
  }
}
