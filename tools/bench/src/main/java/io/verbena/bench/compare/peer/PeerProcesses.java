// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import io.verbena.bench.compare.contest.Contest;
import io.verbena.bench.compare.contest.RunningContestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.control.BenchException;
import io.verbena.bench.control.Line;
import io.verbena.bench.node.Reports;
import io.verbena.bench.process.ChildProcess;
import io.verbena.bench.process.CompilerThreads;
import io.verbena.bench.process.FreePorts;
import io.verbena.bench.process.ProcessTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** The sender and the receiver of a peer; tools/bench/peers/README.md tells the conversation. */
final class PeerProcesses implements RunningContestant {

  private static final PeerSpeech SPEECH = new PeerSpeech();
  private static final Duration END_PATIENCE = Duration.ofSeconds(3);
  private static final String ROLE = "role";
  private static final String SENDER = "sender";
  private static final String RECEIVER = "receiver";

  private final String name;
  private final boolean isNative;
  private final boolean hasReplies;
  private final Duration patience;
  private final Scratch scratch;
  private final List<ChildProcess> processes = new ArrayList<>();
  private @Nullable ChildProcess sender;
  private @Nullable ChildProcess receiver;
  private Description description = new Description("", "", true, false);

  private PeerProcesses(PeerContestant contestant, Contest contest, Scratch scratch) {
    this.name = contestant.name();
    this.isNative = contestant.folder().isNative();
    this.hasReplies = contest.hasReplies();
    this.patience = contestant.patience();
    this.scratch = scratch;
  }

  static PeerProcesses start(PeerContestant contestant, Contest contest)
      throws InterruptedException {
    PeerProcesses processes = new PeerProcesses(contestant, contest, Scratch.open());
    try {
      processes.startAll(contestant, contest);
      return processes;
    } catch (RuntimeException | InterruptedException e) {
      processes.close();
      throw e;
    }
  }

  private void startAll(PeerContestant contestant, Contest contest) throws InterruptedException {
    PeerCommand command = new PeerCommand(contestant, contest, scratch.path(), FreePorts.find(2));
    if (contestant.folder().isLauncher()) {
      ChildProcess both = open(command, "both");
      receiver = both;
      sender = both;
    } else {
      receiver = open(command, RECEIVER);
    }
    Line ready = hear(receiver, RECEIVER, "ready");
    description = understood(() -> describe(ready));
    if (!contestant.folder().isLauncher()) {
      sender = open(command, SENDER);
    }
    hear(Objects.requireNonNull(sender), SENDER, "ready");
  }

  private ChildProcess open(PeerCommand command, String role) {
    ProcessBuilder builder = new ProcessBuilder(command.words(role));
    builder.directory(command.folder().toFile());
    ChildProcess process = ChildProcess.start(name + " " + role, builder, SPEECH);
    processes.add(process);
    return process;
  }

  private Description describe(Line ready) {
    boolean isChecked = !ready.has("checked") || Boolean.parseBoolean(ready.text("checked"));
    return new Description(ready.text("version"), ready.text("settings"), isChecked, isNative);
  }

  /** A report that is not what it should be fails the contestant, and nobody else. */
  private <T> T understood(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (JacksonException | IllegalArgumentException e) {
      throw new BenchException(name + " gave a malformed report: " + e.getMessage());
    }
  }

  @Override
  public Description description() {
    return description;
  }

  @Override
  public Sample round(long durationNs) throws InterruptedException {
    ChildProcess from = Objects.requireNonNull(sender);
    ChildProcess to = Objects.requireNonNull(receiver);
    double cpuBefore = cpuSeconds();
    double compilersBefore = compilerSeconds();
    from.conversation().tell(PeerSpeech.command("send", durationNs));
    Line sent = hear(from, SENDER, "sent", patience.plusNanos(durationNs));
    long expected = understood(() -> Reports.count(sent, "messages"));
    to.conversation().tell(PeerSpeech.command("expect", expected));
    Line received = hear(to, RECEIVER, "received");
    double compilerSeconds = Math.max(0, compilerSeconds() - compilersBefore);
    double cpuSeconds = cpuSeconds() - cpuBefore;
    return understood(
        () -> PeerReport.sample(sent, received, hasReplies, cpuSeconds, compilerSeconds));
  }

  private double cpuSeconds() {
    return sum(ProcessTree::cpuSeconds);
  }

  private double compilerSeconds() {
    return sum(CompilerThreads::cpuSeconds);
  }

  private double sum(ToDoubleFunction<ProcessHandle> figure) {
    return processes.stream().map(ChildProcess::handle).mapToDouble(figure).sum();
  }

  private Line hear(ChildProcess process, String role, String event) throws InterruptedException {
    return hear(process, role, event, patience);
  }

  private Line hear(ChildProcess process, String role, String event, Duration patience)
      throws InterruptedException {
    Line line = process.conversation().hear(event, patience);
    if (!line.has(ROLE) || !line.text(ROLE).equals(role)) {
      String text = "%s: expected '%s' of the %s, heard %s";
      throw new BenchException(text.formatted(name, event, role, line));
    }
    return line;
  }

  @Override
  public void close() {
    processes.parallelStream().forEach(process -> process.close(END_PATIENCE));
    scratch.close();
  }
}
