// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.cli.Finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExaminationTest {

  @TempDir private Path root;

  @Test
  void missingSharedMemoryIsBroken() {
    Finding finding = examination().sharedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.advice()).contains("mount").contains("--shm-size");
  }

  @Test
  void sharedMemoryWithRoomIsGood() throws IOException {
    Files.createDirectories(root.resolve("dev/shm"));
    assertThat(examination().sharedMemory().verdict()).isNotEqualTo(Verdict.BROKEN);
  }

  @Test
  void savingGovernorIsPoorAndAbsentOneNothing() throws IOException {
    assertThat(examination().governor()).isEmpty();
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    assertThat(examination().governor().orElseThrow().verdict()).isEqualTo(Verdict.POOR);
    write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    assertThat(examination().governor().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void limitsAreReadByName() throws IOException {
    write(
        "proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max open files            1024                 4096                 files
        Max locked memory         65536                65536                bytes
        """);
    assertThat(examination().openFiles().orElseThrow().verdict()).isEqualTo(Verdict.POOR);
    assertThat(examination().openFiles().orElseThrow().found()).isEqualTo("limit 1024");
    assertThat(examination().lockedMemory().orElseThrow().found()).contains("65536");
  }

  @Test
  void longTimerSlackIsPoor() throws IOException {
    write("proc/self/timerslack_ns", "50000");
    assertThat(examination().timerSlack().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    write("proc/self/timerslack_ns", "4000000");
    assertThat(examination().timerSlack().orElseThrow().verdict()).isEqualTo(Verdict.POOR);
  }

  @Test
  void oneCoreIsPoorAndAnUnusableTransportSaysWhy() {
    assertThat(Examination.cores(1).verdict()).isEqualTo(Verdict.POOR);
    assertThat(Examination.transport("x", "no device").advice()).isEqualTo("no device");
    assertThat(Examination.transport("x", "").verdict()).isEqualTo(Verdict.GOOD);
  }

  private Examination examination() {
    return new Examination(new HostFiles(root));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
