// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.Machine;
import io.verbena.bench.Progress;
import io.verbena.bench.compare.CompareRun;
import io.verbena.bench.compare.CompareText;
import io.verbena.bench.compare.Comparison;
import io.verbena.bench.compare.FakeContestant;
import io.verbena.bench.compare.League;
import io.verbena.bench.compare.Outcome;
import io.verbena.bench.compare.Pairing;
import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Sample;
import io.verbena.bench.compare.contest.Wire;
import io.verbena.bench.plan.Workload;
import io.verbena.bench.process.ProcessTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of peers that are scripts. */
@Tag("timing")
@Timeout(600)
class PeerProcessesTest {

  @TempDir private Path folder;

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
    assertThat(text).contains("WRONG: fake-ipc, one way, 64 bytes").doesNotContain("arrived once");
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
        .containsAnyOf("status 3", "no luck", "surprise", "{broken");
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
            "send) sleep 3000 & echo $! > target/child; wait; echo >> target/answered ;;\n x)");
    PeerFolder fake = FakePeer.scripted(folder.resolve("fake"), script);
    Files.createDirectories(folder.resolve("fake/target"));
    PeerContestant mute =
        new PeerContestant(fake, fake.systems().getFirst(), Duration.ofSeconds(20));
    Outcome outcome = new Outcome();
    new CompareRun(
            comparison(Workload.THROUGHPUT),
            List.of(mute),
            List.of(League.of(new FakeContestant("A", 1))),
            Progress.SILENT,
            news -> {},
            outcome)
        .run();
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
        List.of(League.of(baseline)),
        Progress.SILENT,
        onNews,
        outcome);
  }

  private static Comparison comparison(Workload workload) {
    return new Comparison(List.of(workload), List.of(64), 0.01, 0.1, 2, Double.POSITIVE_INFINITY);
  }
}
