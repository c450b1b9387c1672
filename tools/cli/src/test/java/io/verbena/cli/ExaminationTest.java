// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.cli.Finding.Verdict;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExaminationTest {

  private final FakeHost host;

  ExaminationTest(@TempDir Path root) {
    host = new FakeHost(root);
  }

  @Test
  void missingSharedMemoryIsBroken() {
    Finding finding = examination().sharedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.advice()).contains("mount -t tmpfs").contains("--shm-size");
  }

  @Test
  void sharedMemoryThatCannotBeWrittenIsBroken() {
    Finding finding = Examination.sharedMemoryOfOthers();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.advice()).contains("chmod 1777 /dev/shm");
  }

  @Test
  void sharedMemoryIsPoorWithoutRoom() {
    host.folder("dev/shm");
    assertThat(examination().sharedMemory().found()).contains(" free, 64.0 MB wanted");
    assertThat(Examination.roomInSharedMemory(64_000_000).verdict()).isEqualTo(Verdict.GOOD);
    Finding small = Examination.roomInSharedMemory(1_000_000);
    assertThat(small.verdict()).isEqualTo(Verdict.POOR);
    assertThat(small.advice()).contains("mount -o remount,size=1g /dev/shm");
  }

  @Test
  void savingGovernorOfAnyCoreIsPoorAndAbsentOneNothing() {
    assertThat(examination().governor()).isEmpty();
    host.file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    assertThat(examination().governor().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    host.file("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    Finding finding = examination().governor().orElseThrow();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).isEqualTo("powersave on 1 of 2 cores, performance wanted");
    assertThat(finding.advice()).contains("scaling_governor'");
  }

  @Test
  void fewOpenFilesArePoor() {
    assertThat(examination().openFiles()).isEmpty();
    host.limits("Max open files            4096                 4096                 files");
    assertThat(examination().openFiles().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    host.limits("Max open files            1024                 4096                 files");
    Finding finding = examination().openFiles().orElseThrow();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).isEqualTo("limit 1024, 4096 wanted");
    assertThat(finding.advice()).contains("ulimit -n");
  }

  @Test
  void longTimerSlackIsPoor() {
    assertThat(examination().timerSlack()).isEmpty();
    host.file("proc/self/timerslack_ns", "50000");
    assertThat(examination().timerSlack().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    host.file("proc/self/timerslack_ns", "4000000");
    Finding finding = examination().timerSlack().orElseThrow();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).contains("4.00 ms").contains("50.0 µs");
    assertThat(finding.advice()).contains("echo 50000 > /proc/$$/timerslack_ns");
  }

  @Test
  void hugePagesForEveryHeapArePoor() {
    assertThat(hugePages().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(hugePages().found()).contains("not supported");
    host.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    assertThat(hugePages().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(hugePages().found()).contains("transparent: madvise,");
    host.file("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
    assertThat(hugePages().verdict()).isEqualTo(Verdict.POOR);
    assertThat(hugePages().advice()).contains("echo madvise | sudo tee /sys/kernel/mm/");
  }

  @Test
  void idleReservedHugePagesArePoor() {
    host.file("proc/meminfo", hugePagesOfTwoMebibytes(10, 5));
    assertThat(hugePages().verdict()).isEqualTo(Verdict.GOOD);
    host.file("proc/meminfo", hugePagesOfTwoMebibytes(500, 400));
    assertThat(hugePages().verdict()).isEqualTo(Verdict.POOR);
    assertThat(hugePages().found()).contains("idle: 839 MB");
    assertThat(hugePages().advice()).contains("sysctl vm.nr_hugepages=100'");
  }

  private static String hugePagesOfTwoMebibytes(int all, int idle) {
    return """
    MemTotal:        4000000 kB
    HugePages_Total:   %d
    HugePages_Free:    %d
    Hugepagesize:       2048 kB
    """
        .formatted(all, idle);
  }

  @Test
  void oneCoreIsPoorAndAnUnusableTransportSaysWhy() {
    assertThat(Examination.cores(2).verdict()).isEqualTo(Verdict.GOOD);
    assertThat(Examination.cores(1).verdict()).isEqualTo(Verdict.POOR);
    assertThat(Examination.transport("x", "no device").advice()).isEqualTo("no device");
    assertThat(Examination.transport("x", "").verdict()).isEqualTo(Verdict.GOOD);
  }

  private Examination examination() {
    return new Examination(host.files());
  }

  private Finding hugePages() {
    return new HugePages(host.files()).finding();
  }
}
