// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.bench.control.BenchException;
import io.verbena.bench.process.Tool;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What native tools tell, and what becomes of it in reports. */
@Timeout(60)
class FiguresOfToolsTest {

  private static final String ALONE =
      "{\"measured\":\"put, p50\",\"size_bytes\":64,\"way\":\"softnic\",\"unit\":\"ns\",\"values\":[140,160,150]}";

  /** The ratio of the medians is 1, the median of the ratios is 0.5. */
  private static final String PAIRED =
      "{\"measured\":\"puts\",\"size_bytes\":65536,\"way\":\"softnic\",\"unit\":\"B/s\",\"values\":[1e9,2e9,3e9],"
          + "\"beside\":\"memcpy\",\"beside_values\":[2e9,4e9,1e9]}";

  @TempDir private Path folder;

  @Test
  void everyRoundIsRead() {
    List<Figure> figures = NativeFigures.read(ALONE + "\n" + PAIRED + "\n");
    assertThat(figures).hasSize(2);
    assertThat(figures.getFirst().value().median()).isEqualTo(150);
    assertThat(figures.getFirst().partner()).isNull();
    assertThat(figures.getLast().ratios()).containsExactly(0.5, 0.5, 3.0);
    assertThat(figures.getLast().unit()).isEqualTo(Unit.BYTES_PER_SECOND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no JSON",
        "{}",
        "{\"measured\":\"a\",\"size_bytes\":1,\"way\":\"w\",\"unit\":\"miles\",\"values\":[1]}",
        "{\"measured\":\"a\",\"size_bytes\":1,\"way\":\"w\",\"unit\":\"ns\",\"values\":[]}",
        "{\"measured\":\"a\",\"size_bytes\":1,\"way\":\"w\",\"unit\":\"ns\",\"values\":[1,2],"
            + "\"beside\":\"b\",\"beside_values\":[1]}"
      })
  void whatIsNoFigureIsRefusedWithWhatTheToolSaid(String output) throws Exception {
    Tool tool = FakeTool.in(folder, "cat <<'END'\n" + output + "\nEND");
    assertThatThrownBy(() -> NativeFigures.measure(tool))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("something else than figures");
  }

  @Test
  void aToolThatFailsIsQuoted() throws Exception {
    Tool tool = FakeTool.in(folder, "echo no such device >&2; exit 1");
    assertThatThrownBy(() -> NativeFigures.measure(tool, "--json"))
        .isInstanceOf(BenchException.class)
        .hasMessageEndingWith("failed: no such device");
  }

  @Test
  void theMedianDecidesWhetherSomethingIsReached() {
    Figure alone = NativeFigures.read(ALONE).getFirst();
    Figure paired = NativeFigures.read(PAIRED).getFirst();
    assertThat(new Reach(Reach.Of.VALUE, Reach.Side.MOST, 150).isReachedBy(alone)).isTrue();
    assertThat(new Reach(Reach.Of.VALUE, Reach.Side.MOST, 149).isReachedBy(alone)).isFalse();
    assertThat(new Reach(Reach.Of.VALUE, Reach.Side.LEAST, 151).isReachedBy(alone)).isFalse();
    assertThat(new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.5).isReachedBy(paired)).isTrue();
    assertThat(new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.6).isReachedBy(paired)).isFalse();
    assertThat(new Reach(Reach.Of.DIFFERENCE, Reach.Side.MOST, -1e9).isReachedBy(paired)).isTrue();
    assertThat(new Reach(Reach.Of.DIFFERENCE, Reach.Side.MOST, -1.1e9).isReachedBy(paired))
        .isFalse();
    assertThat(new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.5).isReachedBy(alone)).isNull();
  }

  @Test
  void theTableSaysWhatIsReachedAndWhatIsMissed() {
    Row missed = row(ALONE, new Reach(Reach.Of.VALUE, Reach.Side.MOST, 100));
    Row reached = row(PAIRED, new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.5));
    List<String> lines = Rows.table(List.of(missed, reached)).lines().toList();
    assertThat(lines.get(1)).contains("put, p50", "64", "150 ns", "≤ 100 ns").endsWith("MISSED");
    assertThat(lines.get(2))
        .contains("64K", "2.00 GB/s", "memcpy 2.00 GB/s", "0.50", "≥ 0.50 × memcpy")
        .endsWith("reached");
  }

  @Test
  void jsonHasPairsIntervalAndReach() {
    Row row = row(PAIRED, new Reach(Reach.Of.RATIO, Reach.Side.LEAST, 0.6));
    ObjectNode root = JsonMapper.shared().createObjectNode();
    Rows.put(root.putArray("results"), "fabric", List.of(row, row(ALONE, null)));
    JsonNode first = root.get("results").get(0);
    assertThat(first.get("value_max").asDouble()).isEqualTo(3e9);
    assertThat(first.get("ratio").get("median").asDouble()).isEqualTo(0.5);
    assertThat(first.get("ratio").get("pairs")).hasSize(3);
    assertThat(first.get("ratio").get("low").isNull()).isTrue(); // of three pairs
    assertThat(first.get("reach").get("least").asDouble()).isEqualTo(0.6);
    assertThat(first.get("reached").asBoolean()).isFalse();
    JsonNode second = root.get("results").get(1);
    assertThat(second.get("ratio").isNull()).isTrue();
    assertThat(second.get("reached").isNull()).isTrue();
  }

  private static Row row(String line, @Nullable Reach reach) {
    return new Row(NativeFigures.read(line).getFirst(), reach);
  }
}
