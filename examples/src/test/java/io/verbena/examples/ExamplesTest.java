// SPDX-License-Identifier: Apache-2.0
package io.verbena.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every example runs and says what it promises. */
@Tag("timing")
@Timeout(600)
class ExamplesTest {

  private static final Path RUN =
      Path.of(System.getProperty("verbena.run", "../native/target/build/bin/verbena-run"));

  @TempDir private Path folder;

  @FunctionalInterface
  private interface Program {
    void main() throws Exception;
  }

  @Test
  void greetingAnswersAndRefuses() throws Exception {
    assertThat(outputOf(() -> Greeting.main(new String[0])))
        .contains("welcome, Alice of node 1")
        .contains("welcome, Alice again of node 1")
        .contains("refused: ")
        .contains("a greeting needs a name");
  }

  @Test
  void priceStreamSumsAllPrices() throws Exception {
    assertThat(outputOf(() -> PriceStream.main(new String[0])))
        .contains("1,000,000 prices, sum 102,999,997");
  }

  @Test
  void slowConsumerHoldsTheProducerBack() throws Exception {
    assertThat(outputOf(() -> SlowConsumer.main(new String[0])))
        .contains("500 orders in order, 50 mails side by side, held back: yes");
  }

  @Test
  void restartIsNoticed() throws Exception {
    assertThat(outputOf(() -> Restart.main(new String[0])))
        .contains("connected over loopback")
        .contains("lost node 2")
        .contains("while it is away: Peer")
        .contains("another life answers: true");
  }

  @Test
  void ranksThatNobodyHasStartedAreOne() throws Exception {
    assertThat(outputOf(() -> Ranks.main(new String[0]))).contains("rank 0 of 1 greets 0");
  }

  @Test
  void aTokenGoesRoundOneRank() throws Exception {
    assertThat(outputOf(() -> Token.main(new String[0]))).contains("the token was with 1 ranks");
  }

  @Test
  void bytesArePlacedUntilThatIsRevoked() throws Exception {
    assertThat(outputOf(() -> PlacedBytes.main(new String[0])))
        .contains("node 1 has placed: no processor of mine has moved this")
        .contains("counted from 0 to 1")
        .contains("not placed");
  }

  @Test
  void measurementsComeInOrderAndAQuestionIsAnswered() throws Exception {
    assertThat(outputOf(() -> Measurements.main(new String[0])))
        .contains("1000000 measurements in order, sum 249999750000.0: all there are")
        .contains("got 196608 bytes");
  }

  @Test
  void pageAboutOneSidedMemoryShowsThatProgram() throws Exception {
    assertShows("fabric.md", "PlacedBytes", "\n\n(?=try)");
  }

  /** All of it, so what is copied from the page compiles; native tests build and run the file. */
  @Test
  void pageAboutOneSidedMemoryShowsTheOneInC() throws Exception {
    String source = Files.readString(Path.of("../native/examples/one_sided.c"));
    assertThat(Files.readString(Path.of("../docs/fabric.md")))
        .contains("```c\n" + source.substring(source.indexOf("#include")) + "```\n");
  }

  @Test
  void pageAboutJobsShowsThatProgram() throws Exception {
    assertShows("launch.md", "RankRing", "\n\n");
  }

  @Test
  void ranksInARingWriteIntoEachOthersMemory() throws Exception {
    assertThat(linesOfRanks(4, RankRing.class))
        .contains("rank 0 of 4 has 1 from rank 1", "rank 3 of 4 has 0 from rank 0");
  }

  @Test
  void aWaveIsTheSameHoweverManyRanksThereAre() throws Exception {
    String[] small = {"60", "100"};
    String alone = outputOf(() -> Fdtd.main(small)).lines().findFirst().orElseThrow();
    assertThat(alone).matches("60 x 60 cells, 100 steps: energy [1-9].*");
    for (int ranks : new int[] {2, 3}) {
      assertThat(linesOfRanks(ranks, Fdtd.class, small)).contains(alone);
    }
  }

  @Test
  void particlesAreTheSameHoweverManyRanksThereAre() throws Exception {
    String[] few = {"1000", "50"};
    String alone = outputOf(() -> Particles.main(few)).lines().findFirst().orElseThrow();
    assertThat(alone).startsWith("1000 of 1000 particles, 50 steps: ");
    for (int ranks : new int[] {2, 3}) {
      assertThat(linesOfRanks(ranks, Particles.class, few))
          .contains(alone)
          .anyMatch(line -> line.matches(ranks + " ranks, [1-9]\\d* moves between them, .*"));
    }
  }

  private List<String> linesOfRanks(int ranks, Class<?> program, String... arguments)
      throws Exception {
    assumeTrue(Files.isExecutable(RUN), RUN + " is not built");
    Path said = folder.resolve("said");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>();
    command.addAll(List.of(RUN.toString(), "-n", String.valueOf(ranks), "--", java));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    Process job =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(job.waitFor(5, TimeUnit.MINUTES)).as(Files.readString(said)).isTrue();
    assertThat(job.exitValue()).as(Files.readString(said)).isZero();
    return Files.readAllLines(said);
  }

  @Test
  void pageAboutChannelsShowsThatProgram() throws Exception {
    assertShows("channel.md", "Measurements", "\n\n");
  }

  /** A page shows parts of the program, as they are but for the margin. */
  private static void assertShows(String page, String program, String between) throws Exception {
    Path source = Path.of("src/main/java/io/verbena/examples", program + ".java");
    String text = Files.readString(Path.of("../docs", page));
    String section = text.substring(text.indexOf("[" + program + "]"));
    String shown = section.substring(section.indexOf("```java") + 7);
    assertThat(words(Files.readString(source))[0])
        .contains(words(shown.substring(0, shown.indexOf("```")).strip().split(between)));
  }

  private static String[] words(String... texts) {
    return Stream.of(texts)
        .map(text -> text.replaceAll("\\s+", " ").strip())
        .toArray(String[]::new);
  }

  private static String outputOf(Program program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      program.main();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
