// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import io.verbena.bench.BenchException;
import io.verbena.bench.process.FreePorts;
import io.verbena.bench.verify.Tally;
import io.verbena.bench.verify.Window;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The sender and the receiver of a peer; bench/peers/README.md tells the conversation. */
final class PeerProcesses implements RunningContestant {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SENDER = "sender";
  private static final String RECEIVER = "receiver";

  private final String name;
  private final boolean isNative;
  private final boolean hasReplies;
  private final Path scratch;
  private final List<PeerProcess> processes = new ArrayList<>();
  private @Nullable PeerProcess sender;
  private @Nullable PeerProcess receiver;
  private Description description = new Description("", "", true, false);

  private PeerProcesses(PeerContestant contestant, Contest contest, Path scratch) {
    this.name = contestant.name();
    this.isNative = contestant.folder().isNative();
    this.hasReplies = contest.hasReplies();
    this.scratch = scratch;
  }

  static PeerProcesses start(PeerContestant contestant, Contest contest)
      throws InterruptedException {
    PeerProcesses processes = new PeerProcesses(contestant, contest, newScratch());
    try {
      processes.startAll(contestant, contest);
      return processes;
    } catch (RuntimeException | InterruptedException e) {
      processes.close();
      throw e;
    }
  }

  /** Where files are memory, if there is such a place. */
  private static Path newScratch() {
    Path memory = Path.of("/dev/shm");
    try {
      return Files.isWritable(memory)
          ? Files.createTempDirectory(memory, "verbena-peer-")
          : Files.createTempDirectory("verbena-peer-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startAll(PeerContestant contestant, Contest contest) throws InterruptedException {
    PeerCommand command = new PeerCommand(contestant, contest, scratch, FreePorts.find(2));
    if (contestant.folder().isLauncher()) {
      PeerProcess both = open(command, "both");
      receiver = both;
      sender = both;
    } else {
      receiver = open(command, RECEIVER);
    }
    JsonNode ready = hear(receiver, RECEIVER, "ready");
    description = describe(ready);
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
    JsonNode sent = hear(from, SENDER, "sent", PATIENCE.plusNanos(durationNs));
    to.tell("expect " + sent.required("messages").asLong());
    JsonNode received = hear(to, RECEIVER, "received");
    return sample(sent, received, cpuSeconds() - cpuBefore);
  }

  private Sample sample(JsonNode sent, JsonNode received, double cpuSeconds) {
    Tally tally =
        new Tally(
            received.required("expected").asLong(),
            received.required("lost").asLong(),
            received.required("duplicated").asLong(),
            received.required("corrupted").asLong() + sent.path("corrupted").asLong(0),
            received.required("reordered").asLong());
    // One way it is the receiver's clock that counts; of round trips, the one who asked.
    Window window = window(hasReplies ? sent : received);
    Histogram roundTrips = hasReplies ? PeerHistogram.read(sent.required("rtt")) : null;
    return new Sample(tally.expected(), window.messagesPerSecond(), tally, roundTrips, cpuSeconds);
  }

  private static Window window(JsonNode report) {
    return new Window(
        report.required("first_ns").asLong(),
        report.required("last_ns").asLong(),
        report.required("timed").asLong());
  }

  private double cpuSeconds() {
    return processes.stream().mapToDouble(PeerProcess::cpuSeconds).sum();
  }

  private JsonNode hear(PeerProcess process, String role, String event)
      throws InterruptedException {
    return hear(process, role, event, PATIENCE);
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
    try (Stream<Path> files = Files.walk(scratch)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot clear " + scratch, e);
    }
  }
}
