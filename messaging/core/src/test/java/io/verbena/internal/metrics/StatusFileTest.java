// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that other processes read. */
class StatusFileTest {

  @TempDir private Path parent;

  private Path folder() {
    return parent.resolve("nodes");
  }

  private ByteBuffer bytes() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(folder().resolve("file")))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private String text() throws IOException {
    ByteBuffer bytes = bytes();
    byte[] text = new byte[bytes.getInt(16)];
    bytes.get(24, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  @Test
  void layoutIsWhatThePageSays() throws IOException {
    try (StatusFile file = new StatusFile(folder(), "file")) {
      file.write("a line\n");
      file.write("another\n");
      byte[] magic = new byte[8];
      bytes().get(0, magic);
      assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("VERBTOP1");
      assertThat(bytes().getLong(8)).as("two writes, each odd and even").isEqualTo(4);
      assertThat(text()).isEqualTo("another\n");
    }
    assertThat(folder().resolve("file")).doesNotExist();
  }

  @Test
  void filesOfProcessesThatAreGoneAreSwept() throws IOException {
    String own = ProcessHandle.current().pid() + "-1-a";
    FileTime longAgo = FileTime.fromMillis(System.currentTimeMillis() - 3_600_000);
    Files.createDirectory(folder());
    for (String name : List.of("999999999-1-a", own, "other")) { // Linux gives out no such number
      Files.setLastModifiedTime(Files.createFile(folder().resolve(name)), longAgo);
    }
    Files.createFile(folder().resolve("999999999-2-b")); // of another container, perhaps
    StatusFile.sweep(folder());
    try (Stream<Path> left = Files.list(folder())) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(own, "other", "999999999-2-b");
    }
    StatusFile.sweep(parent.resolve("missing"));
  }

  @Test
  void textThatIsTooLongIsCutAtTheEndOfALine() throws IOException {
    try (StatusFile file = new StatusFile(folder(), "file")) {
      String line = "x".repeat(99) + '\n';
      file.write(line.repeat(StatusFile.FILE_BYTES / 100 + 10));
      assertThat(text()).hasSizeLessThan(StatusFile.FILE_BYTES).endsWith("x\n");
      assertThat(text().length() % 100).isZero();
    }
  }

  @Test
  void fileOfAFormerProcessIsReplaced() throws IOException {
    Files.createDirectory(
        folder(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(folder().resolve("file"), "what it left");
    try (StatusFile file = new StatusFile(folder(), "file")) {
      file.write("");
      assertThat(text()).isEmpty();
    }
  }

  @Test
  void linkInThePlaceOfTheFolderIsNotFollowed() throws IOException {
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Files.createSymbolicLink(folder(), elsewhere);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> new StatusFile(folder(), "file").close())
        .withMessageContaining("is not a folder of this user alone");
    assertThat(elsewhere).isEmptyDirectory();
  }
}
