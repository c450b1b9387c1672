// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.transport.ClusterKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFileTest {

  private static final String SECRET = "0123456789abcdef";
  private static final byte[] ANYTHING = {1, 2, 3};

  @TempDir private Path directory;

  private Path file(String content, String permissions) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static byte[] proofOf(String secret) {
    return new ClusterKey(secret.getBytes(StandardCharsets.UTF_8)).proof(ANYTHING);
  }

  @Test
  void withoutKeyThereIsNone() {
    assertThat(KeyFile.key("", "")).isNull();
  }

  @Test
  void textAndFileOfTheSameBytesAreTheSameKey() throws IOException {
    String file = file(SECRET + "\n", "rw-------").toString();
    assertThat(KeyFile.key(SECRET, "").proof(ANYTHING)).isEqualTo(proofOf(SECRET));
    assertThat(KeyFile.key("", file).proof(ANYTHING)).isEqualTo(proofOf(SECRET));
  }

  @ParameterizedTest
  @ValueSource(strings = {"r--------", "rwx------"})
  void whatTheOwnerMayDoDoesNotMatter(String permissions) throws IOException {
    assertThat(KeyFile.key("", file(SECRET, permissions).toString())).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rwxrwxrwx"})
  void fileOpenToOthersIsRefusedNamingTheCommand(String permissions) throws IOException {
    Path file = file(SECRET, permissions);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", file.toString()))
        .withMessage(
            "cluster.key.file "
                + file
                + " is open to others than its owner; run 'chmod 600 "
                + file
                + "'");
  }

  @Test
  void textAndFileTogetherAreRefused() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key(SECRET, "/some/file"))
        .withMessageContaining("both set")
        .withMessageNotContaining(SECRET);
  }

  @Test
  void shortKeyIsRefusedWithoutTellingIt() throws IOException {
    Path file = file("hunter2", "rw-------");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", file.toString()))
        .withMessageContaining(file + ": expected at least 16 bytes")
        .withMessageNotContaining("hunter2");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("hunter2", ""))
        .withMessageStartingWith("cluster.key: expected at least 16 bytes")
        .withMessageNotContaining("hunter2");
  }

  @Test
  void emptyFileIsNoKey() throws IOException {
    String file = file("\n", "rw-------").toString();
    assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> KeyFile.key("", file));
  }

  @Test
  void missingFileIsNamed() {
    String file = directory.resolve("none").toString();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", file))
        .withMessage("cluster.key.file " + file + " cannot be read: there is no such file");
  }

  @Test
  void whatCannotBeAFileIsNamed() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", "a\0b"))
        .withMessageContaining("cannot be the name of a file");
  }

  @Test
  void directoryIsNoKeyFile() throws IOException {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", folder.toString()))
        .withMessageContaining(folder + " cannot be read: ");
  }

  @Test
  void fileThatIsNoTextIsRefusedWithoutTellingIt() throws IOException {
    Path file = file("", "rw-------");
    Files.write(file, new byte[] {'s', 'e', 'c', 'r', 'e', 't', (byte) 0xff, (byte) 0xfe});
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> KeyFile.key("", file.toString()))
        .withMessageContaining(file + " cannot be read: ")
        .withMessageNotContaining("secret");
  }
}
