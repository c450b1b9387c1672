// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/kv.md. */
class KvCommandTest {
  @TempDir private Path folder;

  private String out = "";
  private String err = "";

  private int kv(String... words) {
    StringWriter said = new StringWriter();
    StringWriter complained = new StringWriter();
    String[] arguments = new String[words.length + 1];
    arguments[0] = "kv";
    System.arraycopy(words, 0, arguments, 1, words.length);
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(said, true))
            .setErr(new PrintWriter(complained, true))
            .execute(arguments);
    out = said.toString().strip();
    err = complained.toString().strip();
    return status;
  }

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void doWhatThePageSays() throws IOException {
    Files.writeString(folder.resolve("lines.tsv"), "banana\tyellow\ncherry\tred\n");
    assertThat(kv("put", in("fruit"), "apple", "red")).isZero();
    assertThat(kv("get", in("fruit"), "apple")).isZero();
    assertThat(out).isEqualTo("red");
    assertThat(kv("load", in("fruit"), in("lines.tsv"))).isZero();
    assertThat(out).isEqualTo("2 loaded");
    assertThat(kv("scan", in("fruit"), "a", "c", "--limit", "10")).isZero();
    assertThat(out.lines()).containsExactly("apple\tred", "banana\tyellow");
    assertThat(kv("delete", in("fruit"), "apple")).isZero();
    assertThat(kv("stats", in("fruit"))).isZero();
    assertThat(out).containsPattern("tableEntries +4");
    assertThat(kv("verify", in("fruit"))).isZero();
    assertThat(kv("export", in("fruit"), in("fruit.export"))).isZero();
    assertThat(out).isEqualTo("2 exported");
    assertThat(kv("import", in("other"), in("fruit.export"))).isZero();
    assertThat(kv("scan", in("other"))).isZero();
    assertThat(out.lines()).containsExactly("banana\tyellow", "cherry\tred");
  }

  @Test
  void tellAKeyThatIsNotThereFromAFailure() {
    kv("put", in("fruit"), "apple", "red");
    assertThat(kv("get", in("fruit"), "pear")).isEqualTo(3);
    assertThat(err).contains("pear is not there");
    assertThat(kv("get", in("nothing"), "pear")).isEqualTo(1);
    assertThat(err).contains("nothing");
    assertThat(folder.resolve("nothing")).doesNotExist();
  }
}
