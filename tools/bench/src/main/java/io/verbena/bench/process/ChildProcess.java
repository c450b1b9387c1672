// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.process;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Conversation;
import io.verbena.bench.control.Line;
import io.verbena.bench.control.LineChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process that is spoken with in {@link Line lines} over its standard input and output. What else
 * it writes goes to a listener, which is our standard error unless another is given, and its last
 * lines stand in the message of whatever goes wrong with it.
 *
 * <p>It ends when its input does ({@link ParentProcess} sees to that in Java), so it does not
 * outlive this process, however this process dies; and it is killed with all it has started if it
 * does not.
 */
public final class ChildProcess implements AutoCloseable {

  /** How lines look on the way to and from a process. */
  public interface Speech {

    /** That of our own processes. */
    Speech MARKED =
        new Speech() {
          @Override
          public boolean isReport(String text) {
            return text.startsWith(ParentProcess.MARK);
          }

          @Override
          public Line read(String text) {
            return Line.parse(text.substring(ParentProcess.MARK.length()));
          }

          @Override
          public String written(Line line) {
            return line.toString();
          }
        };

    /** Whether something that was written is meant for us. */
    boolean isReport(String text);

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if it is none
     */
    Line read(String text);

    /** A command as it is told. */
    String written(Line line);
  }

  private static final Duration END_PATIENCE = Duration.ofSeconds(5);
  private static final long LISTEN_MS = 1_000;

  /** One that has closed its output is about to end, and one that has ended has said all. */
  private static final long ENDING_MS = 10_000;

  private final String name;
  private final Process process;
  private final PrintStream input;
  private final Speech speech;
  private final Consumer<String> listener;
  private final LineChannel channel;
  private final Conversation conversation;
  private final LastWords lastWords = new LastWords();
  private final List<Thread> readers;
  private volatile boolean isSilent; // its output has ended

  private ChildProcess(String name, Process process, Speech speech, Consumer<String> listener) {
    this.name = "%s (process %d)".formatted(name, process.pid());
    this.process = process;
    this.speech = speech;
    this.listener = listener;
    this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    this.channel = new LineChannel(line -> input.println(speech.written(line)));
    this.conversation = new Conversation(this.name, channel, this::state);
    this.readers = List.of(reader("output", this::readOutput), reader("errors", this::readErrors));
  }

  /** No virtual thread: reading a pipe would hold its carrier. */
  private Thread reader(String what, Runnable reading) {
    return Thread.ofPlatform().daemon().name(name + "-" + what).unstarted(reading);
  }

  /** Starts a command that speaks as {@link ParentProcess} does. */
  public static ChildProcess start(String name, ProcessBuilder builder) {
    return start(name, builder, Speech.MARKED);
  }

  /**
   * Starts a command.
   *
   * @param name for messages
   * @param speech how lines are written for it, and read of it
   * @throws BenchException if there is no such command
   */
  public static ChildProcess start(String name, ProcessBuilder builder, Speech speech) {
    return start(name, builder, speech, text -> System.err.println(name + ": " + text));
  }

  /**
   * Starts a command.
   *
   * @param name for messages
   * @param speech how lines are written for it, and read of it
   * @param listener is given each line that is no report, on a thread of its own for standard
   *     output and another one for standard error
   * @throws BenchException if there is no such command
   */
  public static ChildProcess start(
      String name, ProcessBuilder builder, Speech speech, Consumer<String> listener) {
    try {
      Process process = builder.start();
      AtExit.add(process);
      ChildProcess child = new ChildProcess(name, process, speech, listener);
      child.readers.forEach(Thread::start);
      return child;
    } catch (IOException e) {
      throw new BenchException(
          "%s cannot be started: %s".formatted(name, String.valueOf(e.getMessage())));
    }
  }

  /**
   * Starts a JVM like this one that runs another main class.
   *
   * @param name for messages
   * @param jvmOptions go before the class path
   * @param arguments the only argument of the main class
   */
  public static ChildProcess start(
      String name, Class<?> mainClass, List<String> jvmOptions, Line arguments) {
    List<String> command = new ArrayList<>(JavaCommand.ofThisJvm(mainClass, jvmOptions));
    command.add(arguments.toString());
    return start(name, new ProcessBuilder(command));
  }

  private void readOutput() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        hear(text);
      }
      isSilent = true;
    } catch (IOException | IllegalArgumentException e) {
      // It was killed, or wrote what is no report: nothing more is heard.
    } finally {
      channel.deliver(LineChannel.END);
    }
  }

  private void hear(String text) {
    if (speech.isReport(text)) {
      lastWords.add(text); // until it is understood
      channel.deliver(speech.read(text));
      lastWords.removeLast();
    } else {
      passOn(text);
    }
  }

  private void readErrors() {
    try (BufferedReader reader = process.errorReader(StandardCharsets.UTF_8)) {
      reader.lines().forEach(this::passOn);
    } catch (IOException | java.io.UncheckedIOException e) {
      // It was killed: the end of its output is all there is to say.
    }
  }

  private void passOn(String text) {
    lastWords.add(text);
    listener.accept(text);
  }

  /** The conversation with it. */
  public Conversation conversation() {
    return conversation;
  }

  /** What it is told and says, without judgement. */
  public LineChannel channel() {
    return channel;
  }

  /** The operating system's number of it. */
  public long pid() {
    return process.pid();
  }

  /** The process itself: what it and those it has started use is told by {@link ProcessTree}. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** How it ended or that it has not, and its last words; waits a moment for the end. */
  public String state() {
    try {
      boolean ended = process.waitFor(isSilent ? ENDING_MS : LISTEN_MS, TimeUnit.MILLISECONDS);
      for (Thread reader : readers) {
        reader.join(ended ? ENDING_MS : 1);
      }
      String end = ended ? "ended with status " + process.exitValue() : "is still running";
      return end + "; " + lastWords.text();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "may be running; " + lastWords.text();
    }
  }

  /**
   * Waits until it has ended and all it wrote has been read.
   *
   * @return its exit status
   * @throws BenchException if it does not end in time
   */
  public int awaitExit(Duration patience) throws InterruptedException {
    if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new BenchException(
          "%s did not end within %s; %s"
              .formatted(name, Conversation.text(patience), lastWords.text()));
    }
    for (Thread reader : readers) {
      reader.join(patience); // another process may hold its output open
    }
    return process.exitValue();
  }

  /** Ends its input, waits, and kills it with what it has started if it does not end in time. */
  public void close(Duration patience) {
    Set<ProcessHandle> family = new LinkedHashSet<>(ProcessTree.all(process.toHandle()));
    input.close();
    try {
      process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    family.addAll(ProcessTree.all(process.toHandle())); // those it started meanwhile
    ProcessTree.kill(family);
    AtExit.remove(process);
  }

  @Override
  public void close() {
    close(END_PATIENCE);
  }
}
