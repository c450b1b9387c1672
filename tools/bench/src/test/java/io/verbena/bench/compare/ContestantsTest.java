// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.compare.contest.Contestant;
import io.verbena.bench.compare.contest.Skipped;
import io.verbena.bench.compare.peer.FakePeer;
import io.verbena.bench.process.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who takes part, who is skipped, and who has failed before anything is measured. */
@Tag("timing")
@Timeout(600)
class ContestantsTest {

  @TempDir private Path folder;

  @Test
  void aPeerThatIsNotInstalledIsSkippedWithTheCommandThatInstallsIt() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder).choose(choice(List.of(), List.of()), name -> {}, outcome);
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
    Contestants.in(folder).choose(choice(names(peer), names(system)), name -> {}, outcome);
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
        Contestants.in(folder).choose(choice(List.of(), List.of()), name -> {}, outcome);
    assertThat(chosen).extracting(Contestant::name).doesNotContain("fake-ipc");
    assertThat(outcome.skipped()).extracting(Skipped::name).doesNotContain("fake");
    assertThat(outcome.failures().getFirst().text()).startsWith("fake: its build failed, see /");
  }

  @ParameterizedTest
  @CsvSource({
    "echo no network; exit 77, it cannot be built here: no network",
    "exit 127, there is no"
  })
  void aPeerThatThisMachineCannotBuildIsSkippedAndSaysWhy(String build, String reason)
      throws Exception {
    FakePeer.built(folder.resolve("fake"), build);
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder).choose(choice(List.of(), List.of()), name -> {}, outcome);
    assertThat(chosen).extracting(Contestant::name).doesNotContain("fake-ipc");
    assertThat(outcome.skipped().getLast().text()).startsWith("fake: ").contains(reason);
    assertThat(outcome.failures()).isEmpty();
    Contestants.in(folder).choose(choice(List.of("fake"), List.of()), name -> {}, outcome);
    assertThat(outcome.failures().getFirst().text())
        .isEqualTo("fake: asked for by name and skipped");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 77, [ERROR] Could not transfer artifact a:b:jar:1 from central: Unknown host",
    "1, 77, [ERROR] Cannot access central in offline mode and the artifact is not here",
    "1, 77, [ERROR] No compiler is provided in this environment",
    "1, 1, [ERROR] COMPILATION ERROR: cannot find symbol",
    "0, 0, [WARNING] Could not transfer metadata"
  })
  void mavenThatLacksSomethingIsToldFromAPeerThatDoesNotCompile(int status, int told, String said)
      throws Exception {
    Path maven =
        Files.writeString(folder.resolve("mvn"), "#!/bin/sh\necho '" + said + "'; exit " + status);
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    Path script = Path.of("peers", "mvn-package").toAbsolutePath();
    ProcessBuilder builder =
        new ProcessBuilder(script.toString()).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
    Command run = Command.run(builder, Duration.ofMinutes(5));
    assertThat(run.status()).isEqualTo(told);
    assertThat(run.output().lines().toList().getLast()).contains(said.substring(8).strip());
  }

  @Test
  void aVerbenaThatLacksItsTransportIsSkipped() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Outcome outcome = new Outcome();
    List<Contestant> chosen =
        Contestants.in(folder)
            .choose(choice(List.of(), List.of("verbena-softnic")), name -> {}, outcome);
    assertThat(chosen).isEmpty(); // transport rdma is no dependency of these tests
    assertThat(outcome.skipped().getFirst().text())
        .startsWith("verbena-softnic: transport 'rdma' is not installed");
    assertThat(outcome.failures().getFirst().contestant()).isEqualTo("verbena-softnic");
  }

  @Test
  void aPeerIsBuiltOnceUntilItsSourcesChange() throws Exception {
    FakePeer.reporting(folder.resolve("fake"), FakePeer.CLEAN);
    Contestants all = Contestants.in(folder);
    all.choose(choice(List.of(), List.of()), name -> {}, new Outcome());
    all.choose(choice(List.of(), List.of()), name -> {}, new Outcome());
    Path builds = folder.resolve("fake/target/builds");
    assertThat(Files.readAllLines(builds)).hasSize(1);
    Path source = folder.resolve("fake/peer.sh");
    assertThat(source.toFile().setLastModified(System.currentTimeMillis() + 10_000)).isTrue();
    all.choose(choice(List.of(), List.of()), name -> {}, new Outcome());
    assertThat(Files.readAllLines(builds)).hasSize(2);
  }

  @Test
  void aPeerIsBuiltAnewByAnotherCommand() throws Exception {
    FakePeer.built(folder.resolve("fake"), "echo {it} >> target/builds");
    for (String it : List.of("one", "one", "two")) {
      Contestants.ofAllSuites(folder, Map.of("it", it))
          .choose(choice(List.of(), List.of()), name -> {}, new Outcome());
    }
    assertThat(Files.readAllLines(folder.resolve("fake/target/builds")))
        .containsExactly("one", "two");
  }

  @Test
  void namesThatDoNotExistAreRefused() throws Exception {
    FakePeer.absent(folder.resolve("fake"));
    Contestants all = Contestants.in(folder);
    assertThatThrownBy(() -> all.check(choice(List.of("other"), List.of())))
        .hasMessageContaining("peer 'other': expected fake, none");
    assertThatThrownBy(() -> all.check(choice(List.of(), List.of("other"))))
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

  @Test
  void peersOfOtherSuitesAreNotCompared() throws Exception {
    Contestants all = Contestants.ofAllSuites(Path.of("peers").toAbsolutePath(), Map.of());
    assertThat(all.peers()).contains("channel", "mtcl", "verbs", "zmq");
    assertThat(all.systems())
        .contains("channel", "channel-copies", "mtcl-tcp", "mtcl-verbena", "verbs-write")
        .doesNotHaveDuplicates();
    assertThat(Contestants.in(Path.of("peers").toAbsolutePath()).systems())
        .doesNotContain("channel", "mtcl-tcp", "verbs-write");
  }

  @Test
  void whoHasLittleTimeAndNamesNobodyGetsAFewSystemsThatAreNotMissedWhereTheyAreNotThere()
      throws Exception {
    Contestants all = Contestants.in(Path.of("peers"));
    Contestants.Choice quick = Contestants.Choice.of(List.of(), List.of(), true);
    all.check(quick); // there are such
    assertThat(quick.isByName()).isFalse();
    assertThat(quick.systems()).contains("verbena-shm", "aeron-ipc", "netty-tcp");
    assertThat(quick.systems().size()).isLessThan(all.systems().size());
    Contestants.Choice named = Contestants.Choice.of(List.of("zmq"), List.of(), true);
    assertThat(named.systems()).isEmpty();
    assertThat(named.isByName()).isTrue();
  }

  private static Contestants.Choice choice(List<String> peers, List<String> systems) {
    return Contestants.Choice.of(peers, systems, false);
  }
}
