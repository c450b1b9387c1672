// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {

  private static final Path BUILT = Path.of("..", "native", "target", "build", "lib");

  @TempDir private Path folder;

  @Test
  void packedLibraryIsLoadedOnce() {
    assertThat(NativeLibrary.unusableBecause()).isEmpty();
    assertThat(NativeLibrary.get()).isSameAs(NativeLibrary.get());
  }

  @Test
  void packedLibraryIsUnpackedForThisUserAloneAndTakenAway() throws Exception {
    Path file;
    try (PackedLibrary packed = PackedLibrary.unpack()) {
      file = packed.file();
      assertThat(file).isNotEmptyFile();
      assertThat(Files.getPosixFilePermissions(file.getParent()))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void platformIsNamedAsCMakeNamesIt() {
    assertThat(PackedLibrary.platform("amd64")).isEqualTo("linux-x86_64");
    assertThat(PackedLibrary.platform("aarch64")).isEqualTo("linux-aarch64");
  }

  @Test
  void buildWithoutTheLibrarySaysWhatToInstall() {
    assertThatThrownBy(() -> PackedLibrary.unpack("/META-INF/native/linux-pdp11/libverbena.so"))
        .isInstanceOf(UnusableLibraryException.class)
        .hasMessageContaining("not in this build (/META-INF/native/linux-pdp11/libverbena.so)")
        .hasMessageContaining("apt-get install g++ cmake");
  }

  @Test
  void namedFileIsLoadedInsteadOfThePackedOne() {
    NativeLibrary.Attempt attempt = attempt(BUILT.resolve("libverbena.so"));
    assertThat(attempt.unusableBecause()).isEmpty();
    assertThat(attempt.library()).isNotNull();
  }

  @Test
  void namedFileThatIsMissingIsNamed() {
    Path missing = folder.resolve("nowhere.so");
    assertThat(attempt(missing).unusableBecause())
        .contains(missing.toString(), "verbena.native.library", "is not there");
  }

  @Test
  void fileThatIsNoLibraryIsRefusedWithTheLoadersReason() throws Exception {
    Path text = Files.writeString(folder.resolve("text.so"), "no library");
    assertThat(attempt(text).unusableBecause())
        .contains(text.toString(), "cannot be loaded", "file too short");
  }

  @Test
  void libraryOfAnotherVersionIsRefused() throws Exception {
    Path other =
        CCompiler.library(
            folder,
            """
            #include "verbena.h"
            uint32_t vbn_abi_version(void) { return VBN_ABI_VERSION + 1; }
            """);
    assertThat(attempt(other).unusableBecause())
        .contains(
            other.toString(),
            "has version %d of the C ABI, needed is %d"
                .formatted(NativeLibrary.ABI_VERSION + 1, NativeLibrary.ABI_VERSION),
            "mvn ");
  }

  @Test
  void libraryThatLacksAFunctionIsRefusedWhenItIsLoaded() throws Exception {
    Path older =
        CCompiler.library(
            folder,
            """
            #include "verbena.h"
            uint32_t vbn_abi_version(void) { return VBN_ABI_VERSION; }
            const char* vbn_error(void) { return ""; }
            """);
    assertThat(attempt(older).unusableBecause())
        .contains(older.toString(), "has no function vbn_devices_survey");
  }

  private static NativeLibrary.Attempt attempt(Path file) {
    return NativeLibrary.Attempt.make(file.toString());
  }
}
