// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.cli.Finding.Verdict;
import io.verbena.transport.rdma.Devices;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerbsExaminationTest {

  private final FakeHost host;

  VerbsExaminationTest(@TempDir Path root) {
    host = new FakeHost(root);
  }

  @Test
  void hostWithoutKernelDevicesIsAsGoodAsAny() {
    limit("65536");
    assertThat(examination().kernelDevices().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(examination().kernelDevices().found()).contains("none");
    Finding locked = examination().lockedMemory().orElseThrow();
    assertThat(locked.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(locked.found()).contains("65536");
  }

  @Test
  void deviceWithoutAFileIsOutOfReach() {
    host.folder("sys/class/infiniband/mlx5_0");
    host.file("dev/infiniband/rdma_cm", "");
    Finding finding = examination().kernelDevices();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).isEqualTo("mlx5_0, but no /dev/infiniband/uverbs*");
    assertThat(finding.advice()).contains("modprobe ib_uverbs", "--device=/dev/infiniband");
  }

  @Test
  void deviceWithAFileIsGood() {
    host.folder("sys/class/infiniband/mlx5_0");
    host.file("dev/infiniband/uverbs0", "");
    assertThat(examination().kernelDevices().verdict()).isEqualTo(Verdict.GOOD);
    assertThat(examination().kernelDevices().found()).isEqualTo("mlx5_0");
  }

  @Test
  void deviceOfOthersIsPoor() {
    Finding finding =
        VerbsExamination.kernelDevices(
            List.of("mlx5_0", "mlx5_1"), List.of("uverbs0", "uverbs1"), List.of("uverbs1"));
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).contains("no access to /dev/infiniband/uverbs1");
    assertThat(finding.advice()).contains("chmod a+rw /dev/infiniband/uverbs*");
  }

  @Test
  void kernelDevicesNeedLockedMemory() {
    host.folder("sys/class/infiniband/mlx5_0");
    assertThat(examination().lockedMemory()).isEmpty();
    limit("65536");
    Finding finding = examination().lockedMemory().orElseThrow();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).isEqualTo("limit 65536 bytes, 67108864 wanted");
    assertThat(finding.advice()).contains("ulimit -l unlimited", "memlock=-1");
    limit("67108864");
    assertThat(examination().lockedMemory().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    limit("unlimited");
    assertThat(examination().lockedMemory().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
  }

  @Test
  void chosenDeviceIsNamedAndItsAbsenceExplained() {
    Finding good = VerbsExamination.choice(SampleDevices.TWO);
    assertThat(good.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(good.found())
        .startsWith("softnic0 port 1, for transport rdma without hardware; transport auto takes");
    Finding poor =
        VerbsExamination.choice(new Devices(List.of(), List.of("there is none"), List.of()));
    assertThat(poor.verdict()).isEqualTo(Verdict.POOR);
    assertThat(poor.advice()).isEqualTo("there is none");
  }

  private VerbsExamination examination() {
    return new VerbsExamination(host.files());
  }

  private void limit(String bytes) {
    host.limits("Max locked memory         " + bytes + "                " + bytes + "       bytes");
  }
}
