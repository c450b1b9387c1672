// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.plan.MessagePath;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.ProcessTree;
import io.verbena.bench.verify.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of peers that are scripts. */
@Timeout(60)
class CompareRunTest {

  @TempDir private Path folder;

  @Test
  void whoGoesFirstChangesFromPairToPair() throws Exception {
    List<String> log = new ArrayList<>();
    Outcome outcome = new Outcome();
    FakeContestant a = new FakeContestant("A", List.of(1.0), Tally.NONE, log);
    FakeContestant b = new FakeContestant("B", List.of(2.0), Tally.NONE, log);
    run(a, b, 5, outcome);
    assertThat(String.join("", log)).isEqualTo("AA" + "BB" + "AB" + "BA" + "AB" + "BA" + "AB");
    assertThat(outcome.pairings().get(1).ratios()).containsOnly(2.0).hasSize(5);
    assertThat(outcome.pairings().get(1).verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  void aVerbenaThatDoesNotStartHasFailed() throws Exception {
    Outcome outcome = new Outcome();
    Contestant absent =
        new VerbenaContestant("verbena-x", Wire.SHM, "no-such", Map.of(), MessagePath.RECORD);
    run(new FakeContestant("A", 1), absent, 1, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("verbena-x");
    assertThat(outcome.isClean()).isFalse();
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A");
  }

  @Test
  void aMessageLostWhileConnectingFailsTheRun() throws Exception {
    Outcome outcome = new Outcome();
    Tally lost = new Tally(1, 1, 0, 0, 0);
    FakeContestant b = new FakeContestant("B", List.of(2.0), lost, new ArrayList<>());
    run(new FakeContestant("A", 1), b, 1, outcome);
    assertThat(outcome.failures()).isEmpty();
    assertThat(outcome.isClean()).isFalse();
  }

  @Test
  void whoeverHasNothingToTimeFailsAlone() throws Exception {
    Outcome outcome = new Outcome();
    run(new FakeContestant("A", 1), new FakeContestant("B", 0), 1, outcome);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures().getFirst().reason()).contains("too few came to be timed");
  }

  @Test
  void aRoundThatLosesEverythingNamesWhatWasLost() throws Exception {
    Outcome outcome = new Outcome();
    Sample good = Outcomes.rate(1);
    List<Sample> samples = List.of(good, good, Outcomes.rate(0, 0));
    run(new FakeContestant("A", 1), new FakeContestant("B", samples), 1, outcome);
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().text())
        .contains("B, 64 bytes: ", "of 3000 messages 1000 were lost")
        .doesNotContain("--seconds");
  }

  @Test
  void aRoundWithoutAPartnerIsJudgedAndABaselineThatEndsIsToldOfAllItLeaves() throws Exception {
    Outcome outcome = new Outcome();
    Sample good = Outcomes.rate(1);
    Contestant a = new FakeContestant("A", 1, 1, 1, -1); // ends in the second pair, behind B
    List<Sample> samples = List.of(good, good, good, Outcomes.rate(1, 999));
    Contestant b = new FakeContestant("B", samples);
    run(a, List.of(b, new FakeContestant("C", 1)), 2, Double.POSITIVE_INFINITY, outcome);
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A", "B");
    assertThat(outcome.pairings().get(1).tally().lost()).isEqualTo(1);
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("A");
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("B", "C");
    assertThat(outcome.skipped().getFirst().reason()).contains("A failed");
  }

  @Test
  void aBaselineThatDoesNotStartIsToldOfAllItLeaves() throws Exception {
    Outcome outcome = new Outcome();
    run(new FakeContestant("A"), new FakeContestant("B", 1), 1, outcome);
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("A");
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("B");
    assertThat(outcome.isComplete()).isTrue();
  }

  @Test
  void whoGetsNoPortOrFolderFailsAlone() throws Exception {
    Outcome outcome = new Outcome();
    Contestant b = new Portless("B");
    run(new FakeContestant("A", 1), List.of(b, new FakeContestant("C", 1)), 1, 60, outcome);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("B");
    assertThat(outcome.failures().getFirst().reason()).isEqualTo("no free port: too many");
    assertThat(outcome.pairings()).extracting(Pairing::contestant).containsExactly("A", "C");
  }

  @Test
  void whatDoesNotFitIntoTheTimeIsLeftOutBeforeTheBaselineStartsAndTold() throws Exception {
    Outcome outcome = new Outcome();
    List<String> rounds = new ArrayList<>();
    Contestant a = new FakeContestant("A", List.of(1.0), Tally.NONE, rounds);
    run(a, List.of(new FakeContestant("B", 1)), 5, 0.01, outcome);
    assertThat(rounds).isEmpty();
    assertThat(outcome.skipped()).extracting(Skipped::name).containsExactly("A", "B");
    assertThat(outcome.skipped().get(1).text()).contains("B: ", "64", "the time was over");
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.isClean()).isFalse(); // there is no line
  }

  private static void run(Contestant a, Contestant b, int pairs, Outcome outcome)
      throws InterruptedException {
    run(a, List.of(b), pairs, Double.POSITIVE_INFINITY, outcome);
  }

  private static void run(
      Contestant a, List<Contestant> others, int pairs, double budgetSeconds, Outcome outcome)
      throws InterruptedException {
    Comparison comparison =
        new Comparison(List.of(Workload.THROUGHPUT), List.of(64), 0.01, 0.5, pairs, budgetSeconds);
    new CompareRun(comparison, others, wire -> a, Progress.SILENT, news -> {}, outcome).run();
  }

  /** Somebody to whom this machine gives nothing. */
  private record Portless(String name) implements Contestant {
    @Override
    public Wire wire() {
      return Wire.SHM;
    }

    @Override
    public boolean takesPartIn(Workload workload) {
      return true;
    }

    @Override
    public RunningContestant start(Contest contest) {
      throw new UncheckedIOException("no free port", new IOException("too many"));
    }
  }

  @Test
  void roundsAlternateAndArePaired() throws Exception {
    PeerFolder fake = FakePeer.reporting(folder.resolve("fake"), FakePeer.CLEAN);
    List<String> news = new ArrayList<>();
    Outcome outcome = run(fake, Workload.THROUGHPUT, news);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.isClean()).isTrue();
    assertThat(outcome.pairings())
        .extracting(Pairing::contestant)
        .containsExactly("base", "fake-ipc");
    Pairing pairing = outcome.pairings().get(1);
    assertThat(pairing.samples()).hasSize(2);
    assertThat(pairing.baselineSamples()).hasSize(2);
    // 1000 messages in a millisecond, on the receiver's clock.
    assertThat(pairing.messagesPerSecond().median()).isEqualTo(1e6);
    assertThat(pairing.ratio().median()).isEqualTo(1.0);
    assertThat(news).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lost", "duplicated", "corrupted", "reordered"})
  void oneWrongMessageAtAPeersReceiverFailsTheRun(String what) throws Exception {
    String received = FakePeer.CLEAN.replace("\"" + what + "\":0", "\"" + what + "\":1");
    Outcome outcome =
        run(FakePeer.reporting(folder.resolve("fake"), received), Workload.THROUGHPUT);
    assertThat(outcome.isClean()).isFalse();
    String text = CompareText.format(Machine.current(), comparison(Workload.THROUGHPUT), outcome);
    assertThat(text).contains("WRONG: fake-ipc, 64 bytes").doesNotContain("arrived once");
  }

  @Test
  void aWrongAnswerFailsTheRun() throws Exception {
    String sent = "\"corrupted\":1,\"first_ns\":1,\"last_ns\":1001,\"timed\":2,\"rtt\":[[500,2]]";
    Outcome outcome = run(FakePeer.answering(folder.resolve("fake"), sent), Workload.LATENCY);
    assertThat(outcome.pairings().get(1).tally().corrupted()).isPositive();
    assertThat(outcome.isClean()).isFalse();
  }

  @Test
  void roundTripsComeAsPairsOfTimeAndCount() throws Exception {
    String sent =
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":1001,\"timed\":3,\"rtt\":[[500,2],[900,1]]";
    Outcome outcome = run(FakePeer.answering(folder.resolve("fake"), sent), Workload.LATENCY);
    assertThat(outcome.failures()).isEmpty();
    Sample sample = outcome.pairings().get(1).samples().getFirst();
    assertThat(sample.roundTripNs().getTotalCount()).isEqualTo(3);
    assertThat(sample.figure()).isEqualTo(500);
    assertThat(sample.messagesPerSecond()).isEqualTo(3e6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "exit 3",
        "echo '{\"role\":\"receiver\",\"event\":\"failed\",\"reason\":\"no luck\"}'; read x",
        "echo '{\"role\":\"receiver\",\"event\":\"surprise\"}'; read x",
        "echo '{broken'; read x"
      })
  void aPeerThatFailsIsNamedAndTheRunGoesOn(String script) throws Exception {
    Outcome outcome = run(FakePeer.scripted(folder.resolve("fake"), script), Workload.THROUGHPUT);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.isClean()).isFalse();
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("fake-ipc");
    assertThat(outcome.failures().getFirst().reason())
        .containsAnyOf("status 3", "no luck", "surprise", "before 'ready'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"lost\":0",
        "\"lost\":\"none\",\"duplicated\":0,\"corrupted\":0,\"reordered\":0",
        "\"lost\":-1,\"duplicated\":0,\"corrupted\":0,\"reordered\":0",
        "\"lost\":[],\"duplicated\":0,\"corrupted\":0,\"reordered\":0"
      })
  void aMalformedReportFailsNobodyElse(String received) throws Exception {
    Outcome outcome =
        run(FakePeer.reporting(folder.resolve("fake"), received), Workload.THROUGHPUT);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("fake-ipc");
    assertThat(outcome.failures().getFirst().reason()).contains("malformed report");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"rtt\":[[500,2]]",
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":9,\"timed\":2",
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":9,\"timed\":2,\"rtt\":[[500]]",
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":9,\"timed\":2,\"rtt\":[[500,-2]]",
        "\"corrupted\":0,\"first_ns\":1,\"last_ns\":9,\"timed\":2,\"rtt\":7"
      })
  void aMalformedReportOfRequestsFailsNobodyElse(String sent) throws Exception {
    Outcome outcome = run(FakePeer.answering(folder.resolve("fake"), sent), Workload.LATENCY);
    assertThat(outcome.isComplete()).isTrue();
    assertThat(outcome.failures()).hasSize(1);
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("fake-ipc");
  }

  @Test
  void aLostRequestEndsThePatienceWithItsPeerAndKillsItWithWhatItStarted() throws Exception {
    String script =
        FakePeer.SCRIPT.replace(
            "send)",
            "send) sleep 50 & echo $! > target/child; wait; echo >> target/answered ;;\n x)");
    PeerFolder fake = FakePeer.scripted(folder.resolve("fake"), script);
    Files.createDirectories(folder.resolve("fake/target"));
    PeerContestant mute =
        new PeerContestant(fake, fake.systems().getFirst(), Duration.ofMillis(500));
    Outcome outcome = new Outcome();
    run(new FakeContestant("A", 1), mute, 1, outcome);
    assertThat(outcome.failures().getFirst().reason()).contains("did not report 'sent'");
    long child = Long.parseLong(Files.readString(folder.resolve("fake/target/child")).strip());
    assertThat(ProcessHandle.of(child).filter(one -> !ProcessTree.isGone(one))).isEmpty();
    assertThat(folder.resolve("fake/target/answered")).doesNotExist();
  }

  @Test
  void anInterruptKeepsWhatIsFinished() throws Exception {
    PeerFolder fake = FakePeer.reporting(folder.resolve("fake"), FakePeer.CLEAN);
    Outcome outcome = new Outcome();
    CompareRun run =
        newRun(fake, Workload.THROUGHPUT, outcome, news -> Thread.currentThread().interrupt());
    assertThatThrownBy(run::run).isInstanceOf(InterruptedException.class);
    assertThat(outcome.isComplete()).isFalse();
    assertThat(outcome.pairings()).hasSize(2);
    assertThat(outcome.isClean()).isTrue();
  }

  @Test
  void aPeerThatIsNotInstalledIsSkippedWithTheCommandThatInstallsIt() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder).choose(List.of(), List.of(), name -> {}, outcome);
    assertThat(chosen).extracting(Contestant::name).contains("verbena-shm");
    assertThat(chosen).extracting(Contestant::name).doesNotContain("fake-ipc");
    Skipped skipped = outcome.skipped().getLast();
    assertThat(skipped.text())
        .startsWith("fake: ")
        .contains("no-such-command-anywhere")
        .endsWith("install it:  apt-get install fake-peer");
    assertThat(outcome.failures()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"fake,", ",fake-ipc"})
  void aPeerAskedForByNameThatIsNotInstalledFailsTheRun(
      @Nullable String peer, @Nullable String system) throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    outcome.add(Outcomes.pairing(new double[] {1}, new double[] {2}));
    assertThat(outcome.isClean()).isTrue();
    Contestants.in(folder).choose(names(peer), names(system), name -> {}, outcome);
    assertThat(outcome.skipped()).extracting(Skipped::name).contains("fake");
    assertThat(outcome.failures()).extracting(Outcome.Failure::contestant).containsExactly("fake");
    assertThat(outcome.isClean()).isFalse();
  }

  private static List<String> names(@Nullable String name) {
    return name == null ? List.of() : List.of(name);
  }

  @Test
  void aPeerThatDoesNotCompileHasFailed() throws Exception {
    FakePeer.broken(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder).choose(List.of(), List.of(), name -> {}, outcome);
    assertThat(chosen).extracting(Contestant::name).doesNotContain("fake-ipc");
    assertThat(outcome.skipped()).extracting(Skipped::name).doesNotContain("fake");
    assertThat(outcome.failures().getFirst().text()).startsWith("fake: its build failed, see /");
  }

  @Test
  void aVerbenaThatLacksItsTransportIsSkipped() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder).choose(List.of(), List.of("verbena-softnic"), name -> {}, outcome);
    assertThat(chosen).isEmpty(); // transport rdma is no dependency of these tests
    assertThat(outcome.skipped().getFirst().text())
        .startsWith("verbena-softnic: there is no transport");
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("verbena-softnic");
  }

  @Test
  void aPeerIsBuiltOnceUntilItsSourcesChange() throws Exception {
    FakePeer.reporting(folder.resolve("fake"), FakePeer.CLEAN);
    Contestants all = Contestants.in(folder);
    all.choose(List.of(), List.of(), name -> {}, new Outcome());
    all.choose(List.of(), List.of(), name -> {}, new Outcome());
    Path builds = folder.resolve("fake/target/builds");
    assertThat(Files.readAllLines(builds)).hasSize(1);
    Path source = folder.resolve("fake/peer.sh");
    assertThat(source.toFile().setLastModified(System.currentTimeMillis() + 10_000)).isTrue();
    all.choose(List.of(), List.of(), name -> {}, new Outcome());
    assertThat(Files.readAllLines(builds)).hasSize(2);
  }

  @Test
  void namesThatDoNotExistAreRefused() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Contestants all = Contestants.in(folder);
    assertThatThrownBy(() -> all.check(List.of("other"), List.of()))
        .hasMessageContaining("peer 'other': expected fake, none");
    assertThatThrownBy(() -> all.check(List.of(), List.of("other")))
        .hasMessageContaining("system 'other'")
        .hasMessageContaining("fake-ipc");
  }

  @Test
  void theDescriptionsOfAllPeersAreReadable() throws Exception {
    Contestants all = Contestants.in(Path.of("peers").toAbsolutePath());
    assertThat(all.peers())
        .containsExactly("aeron", "grpc", "jeromq", "netty", "openmpi", "ucx", "zmq");
    assertThat(all.systems())
        .contains("aeron-ipc", "mpi-tcp-w64", "grpc-tcp")
        .doesNotHaveDuplicates();
  }

  private Outcome run(PeerFolder fake, Workload workload) throws InterruptedException {
    return run(fake, workload, new ArrayList<>());
  }

  private Outcome run(PeerFolder fake, Workload workload, List<String> news)
      throws InterruptedException {
    Outcome outcome = new Outcome();
    newRun(fake, workload, outcome, next -> news.add("news")).run();
    return outcome;
  }

  /** The baseline is a script as well: nothing here depends on how fast the machine is. */
  private CompareRun newRun(
      PeerFolder fake, Workload workload, Outcome outcome, Consumer<Outcome> onNews) {
    String sent = "\"corrupted\":0,\"first_ns\":1,\"last_ns\":1001,\"timed\":1,\"rtt\":[[1000,1]]";
    PeerFolder base = FakePeer.answering(folder.resolve("base"), sent);
    PeerFolder.System system =
        new PeerFolder.System(
            "base", Wire.SHM, List.of(Workload.THROUGHPUT, Workload.LATENCY), List.of());
    Contestant baseline = new PeerContestant(base, system);
    Contestant contestant = new PeerContestant(fake, fake.systems().getFirst());
    return new CompareRun(
        comparison(workload),
        List.of(contestant),
        wire -> baseline,
        Progress.SILENT,
        onNews,
        outcome);
  }

  private static Comparison comparison(Workload workload) {
    return new Comparison(List.of(workload), List.of(64), 0.01, 0.1, 2, Double.POSITIVE_INFINITY);
  }
}
