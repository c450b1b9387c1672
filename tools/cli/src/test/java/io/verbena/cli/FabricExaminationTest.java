// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.cli.Finding.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FabricExaminationTest {

  private static final String STATUS = "Name:\tjava\nUid:\t7\t%s\t7\t7\n";

  private final Map<String, String> environment = new HashMap<>();
  private final FakeHost host;
  private final Path root;

  FabricExaminationTest(@TempDir Path root) {
    this.host = new FakeHost(root);
    this.root = root;
  }

  /** As whom the test runs, whose files those here are. */
  private String asOwnerOfTheFiles() throws IOException {
    String user = String.valueOf(Files.getAttribute(root, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    host.file("proc/self/status", STATUS.formatted(user));
    return user;
  }

  @Test
  void foldersThatAreNotThereAreMade() throws IOException {
    String user = asOwnerOfTheFiles();
    Finding finding = examination().mappedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(finding.found()).contains("user " + user).contains("made at first use");
  }

  @Test
  void privateFoldersAreGoodAndOpenOnesBroken() throws IOException {
    String user = asOwnerOfTheFiles();
    String path = "dev/shm/verbena-memory-" + user;
    host.folder(path);
    Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString("rwx------"));
    assertThat(examination().mappedMemory().verdict()).isEqualTo(Verdict.GOOD);
    Files.setPosixFilePermissions(root.resolve(path), PosixFilePermissions.fromString("rwxr-x---"));
    Finding finding = examination().mappedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.found()).contains("/" + path).contains("mode 700");
    assertThat(finding.advice()).contains("rm -r /" + path);
  }

  @Test
  void aFileOfThisNameIsBroken() throws IOException {
    host.file("dev/shm/verbena-fifo-" + asOwnerOfTheFiles(), "");
    assertThat(examination().mappedMemory().verdict()).isEqualTo(Verdict.BROKEN);
  }

  @Test
  void aFolderOfAnotherUserIsBroken() throws IOException {
    host.file("proc/self/status", STATUS.formatted("4242"));
    host.folder("dev/shm/verbena-softnic-4242");
    Files.setPosixFilePermissions(
        root.resolve("dev/shm/verbena-softnic-4242"), PosixFilePermissions.fromString("rwx------"));
    assertThat(examination().mappedMemory().verdict()).isEqualTo(Verdict.BROKEN);
  }

  /** As the library does: what a variable names takes the place of the folder in /dev/shm. */
  @Test
  void aFolderThatAVariableNamesIsLookedAt() throws IOException {
    String user = asOwnerOfTheFiles();
    host.folder("dev/shm/verbena-memory-" + user); // which nobody uses now, and others may enter
    host.folder("dev/shm/verbena-softnic-" + user);
    environment.put("VERBENA_MEMORY_DIR", "/own/memory");
    environment.put("VERBENA_SOFTNIC_DIR", "/own/softnic");
    host.folder("own");
    Finding finding = examination().mappedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(finding.found())
        .contains("made at first use")
        .contains("VERBENA_MEMORY_DIR", "VERBENA_SOFTNIC_DIR");
    host.file("own/softnic", "");
    finding = examination().mappedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.found()).contains("/own/softnic").contains("mode 700");
    assertThat(finding.advice()).contains("VERBENA_SOFTNIC_DIR").doesNotContain("rm -r");
  }

  /** The library makes a folder, but none above it. */
  @Test
  void aFolderThatCannotBeMadeIsBroken() throws IOException {
    asOwnerOfTheFiles();
    environment.put("VERBENA_MEMORY_DIR", "/nowhere/memory");
    Finding finding = examination().mappedMemory();
    assertThat(finding.verdict()).isEqualTo(Verdict.BROKEN);
    assertThat(finding.found()).contains("/nowhere is no folder");
    assertThat(finding.advice()).contains("VERBENA_MEMORY_DIR");
  }

  @Test
  void anEmptyVariableNamesNothing() throws IOException {
    host.file("dev/shm/verbena-memory-" + asOwnerOfTheFiles(), "");
    environment.put("VERBENA_MEMORY_DIR", "");
    assertThat(examination().mappedMemory().verdict()).isEqualTo(Verdict.BROKEN);
  }

  /** They say of themselves that they are empty, and some can be read once. */
  @Test
  void filesOfTheKernelAreReadWhole() throws Exception {
    String path = "proc/sys/kernel/osrelease";
    Process cat = new ProcessBuilder("cat", "/" + path).start();
    String text = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(text).hasSizeGreaterThan(2);
    assertThat(HostFiles.ofThisHost().text(path)).contains(text);
  }

  @Test
  void fewMemoryMapsArePoor() {
    assertThat(examination().memoryMaps()).isEmpty();
    host.file("proc/sys/vm/max_map_count", "65530\n");
    assertThat(examination().memoryMaps().orElseThrow().verdict()).isEqualTo(Verdict.GOOD);
    host.file("proc/sys/vm/max_map_count", "1000\n");
    Finding finding = examination().memoryMaps().orElseThrow();
    assertThat(finding.verdict()).isEqualTo(Verdict.POOR);
    assertThat(finding.found()).isEqualTo("limit 1000, 65530 wanted");
    assertThat(finding.advice()).contains("sysctl vm.max_map_count=65530");
  }

  @Test
  void modulesAreNamed() {
    assertThat(examination().kernelModules().found()).contains("softnic works without");
    host.folder("sys/module/rdma_rxe");
    host.folder("sys/module/ib_uverbs");
    assertThat(examination().kernelModules().found()).isEqualTo("ib_uverbs, rdma_rxe");
  }

  private FabricExamination examination() {
    return new FabricExamination(host.files(), environment);
  }
}
