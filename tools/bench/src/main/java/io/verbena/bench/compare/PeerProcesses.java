// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.process.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The sender and the receiver of a peer; tools/bench/peers/README.md tells the conversation. */
final class PeerProcesses implements RunningContestant {

  private static final String SENDER = "sender";
  private static final String RECEIVER = "receiver";

  private final String name;
  private final boolean isNative;
  private final boolean hasReplies;
  private final Duration patience;
  private final Scratch scratch;
  private final List<PeerProcess> processes = new ArrayList<>();
  private @Nullable PeerProcess sender;
  private @Nullable PeerProcess receiver;
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
      PeerProcess both = open(command, "both");
      receiver = both;
      sender = both;
    } else {
      receiver = open(command, RECEIVER);
    }
    JsonNode ready = hear(receiver, RECEIVER, "ready");
    description = understood(() -> describe(ready));
    if (!contestant.folder().isLauncher()) {
      sender = open(command, SENDER);
    }
    hear(Objects.requireNonNull(sender), SENDER, "ready");
  }

  private PeerProcess open(PeerCommand command, String role) {
    PeerProcess process =
        PeerProcess.start(name + " " + role, command.folder(), command.words(role));
    processes.add(process);
    return process;
  }

  private Description describe(JsonNode ready) {
    return new Description(
        ready.required("version").asString(),
        ready.required("settings").asString(),
        ready.path("checked").asBoolean(true),
        isNative);
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
    PeerProcess from = Objects.requireNonNull(sender);
    PeerProcess to = Objects.requireNonNull(receiver);
    double cpuBefore = cpuSeconds();
    from.tell("send " + durationNs);
    JsonNode sent = hear(from, SENDER, "sent", patience.plusNanos(durationNs));
    to.tell("expect " + understood(() -> PeerReport.count(sent, "messages")));
    JsonNode received = hear(to, RECEIVER, "received");
    double cpuSeconds = cpuSeconds() - cpuBefore;
    return understood(() -> PeerReport.sample(sent, received, hasReplies, cpuSeconds));
  }

  private double cpuSeconds() {
    return processes.stream().mapToDouble(PeerProcess::cpuSeconds).sum();
  }

  private JsonNode hear(PeerProcess process, String role, String event)
      throws InterruptedException {
    return hear(process, role, event, patience);
  }

  private JsonNode hear(PeerProcess process, String role, String event, Duration patience)
      throws InterruptedException {
    JsonNode line = process.hear(event, patience);
    if (line.path("event").asString("").equals("failed")) {
      throw new BenchException(name + " failed: " + line.path("reason").asString(""));
    }
    if (!line.path("event").asString("").equals(event)
        || !line.path("role").asString("").equals(role)) {
      String text = "%s: expected '%s' of the %s, heard %s";
      throw new BenchException(text.formatted(name, event, role, line));
    }
    return line;
  }

  @Override
  public void close() {
    processes.parallelStream().forEach(PeerProcess::close);
    scratch.close();
  }
}
