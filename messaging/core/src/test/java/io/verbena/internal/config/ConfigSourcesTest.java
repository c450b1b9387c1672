// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.entry;

import io.verbena.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigSourcesTest {

  private static final String SECRET = "not-to-be-seen-by-anybody";

  @TempDir private Path directory;

  private final ConfigSources sources = new ConfigSources(CoreKeys.with(List.of()));

  private Path file(String... lines) throws IOException {
    return Files.write(directory.resolve("node.properties"), List.of(lines));
  }

  private static Properties properties(String name, String value) {
    Properties properties = new Properties();
    properties.setProperty(name, value);
    return properties;
  }

  private void loadSystem(String propertyName, String value) {
    sources.loadSystem(properties(propertyName, value), Map.of());
  }

  private void loadEnvironment(String variable, String value) {
    sources.loadSystem(new Properties(), Map.of(variable, value));
  }

  @Test
  void nearerSourcesGoBeforeFartherOnesInWhateverOrderTheyAreRead() throws IOException {
    sources.set("cluster", "from-program");
    sources.loadSystem(
        properties("verbena.cluster", "from-property"),
        Map.of("VERBENA_CLUSTER", "from-environment"));
    sources.load(file("cluster = from-file"));
    assertThat(sources.effective()).containsExactly(Map.entry("cluster", "from-program"));
  }

  @Test
  void systemPropertyGoesBeforeEnvironment() {
    sources.loadSystem(
        properties("verbena.cluster", "from-property"),
        Map.of("VERBENA_CLUSTER", "from-environment"));
    assertThat(sources.effective()).containsEntry("cluster", "from-property");
  }

  @Test
  void environmentGoesBeforeFile() throws IOException {
    loadEnvironment("VERBENA_CLUSTER", "from-environment");
    sources.load(file("cluster = from-file"));
    assertThat(sources.effective()).containsEntry("cluster", "from-environment");
  }

  @Test
  void whatTheProgramHasForWantOfOthersComesLast() throws IOException {
    sources.setDefault("lane.bytes", "64K");
    sources.setDefault("cluster", "for-want-of-others");
    sources.setDefault("of.a.transport.that.is.not.there", "1");
    sources.load(file("cluster = from-file"));
    assertThat(sources.effective())
        .containsOnly(entry("lane.bytes", "64K"), entry("cluster", "from-file"));
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.setDefault("lane.bytes", "much"));
  }

  @Test
  void lastFileGoesFirst() throws IOException {
    sources.load(file("cluster=one", "lane.bytes=64K"));
    sources.load(file("cluster=two"));
    assertThat(sources.effective())
        .containsEntry("cluster", "two")
        .containsEntry("lane.bytes", "64K");
  }

  @Test
  void variablesHaveUnderscoresForDots() {
    loadEnvironment("VERBENA_MESSAGE_MAX_BYTES", "2M");
    assertThat(sources.effective()).containsEntry("message.max.bytes", "2M");
  }

  @Test
  void blanksAroundAValueDoNotCount() {
    sources.set("lane.bytes", " 64K ");
    assertThat(sources.effective()).containsEntry("lane.bytes", "64K");
  }

  @Test
  void unknownKeyIsRefusedByNameWithTheNearestOne() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.set("lane.byte", SECRET))
        .withMessage(
            "unknown key 'lane.byte' from the program; did you mean 'lane.bytes'?"
                + " docs/configuration.md lists all keys");
  }

  @Test
  void keyThatIsLikeNoneIsRefusedWithoutAGuess() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.set("frobnicate", SECRET))
        .withMessage(
            "unknown key 'frobnicate' from the program; docs/configuration.md lists all keys");
  }

  @Test
  void unknownKeyOfAFileIsRefusedNamingTheFile() throws IOException {
    Path file = file("cluster.kee=" + SECRET);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.load(file))
        .withMessageContaining("'cluster.kee' from " + file)
        .withMessageContaining("'cluster.key'")
        .withMessageNotContaining(SECRET);
  }

  @Test
  void slipsInSystemPropertiesAndEnvironmentAreRefused() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadSystem("verbena.lane.byte", "64K"))
        .withMessageContaining("from system property verbena.lane.byte");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadEnvironment("VERBENA_NODEID", "3"))
        .withMessageContaining("from environment variable VERBENA_NODEID")
        .withMessageContaining("'node.id'");
  }

  @Test
  void keysThatAreCutShortAreSlips() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadSystem("verbena.encrypt", "required"))
        .withMessageContaining("unknown key 'encrypt' from system property verbena.encrypt")
        .withMessageContaining("did you mean 'encryption'?");
    loadSystem("verbena.lane", "others name things so");
    assertThat(sources.effective()).isEmpty();
  }

  @Test
  void whatIsNotNearlyAKeyIsLeftToItsOwner() {
    loadSystem("verbena.test.seed", "42");
    loadEnvironment("VERBENA_HOME", "/opt");
    loadEnvironment("PATH", "/bin");
    loadSystem("java.home", "/usr");
    assertThat(sources.effective()).isEmpty();
  }

  @Test
  void badValuesAreRefusedNamingTheirSource() throws IOException {
    Path file = file("lane.bytes=3M");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.load(file))
        .withMessageStartingWith(
            "lane.bytes = '3M' from " + file + ": expected 64K..1G, a power of two");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadSystem("verbena.idle.spin", "1h"))
        .withMessageContaining("from system property verbena.idle.spin");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadEnvironment("VERBENA_IDLE_SPIN", "1h"))
        .withMessageContaining("from environment variable VERBENA_IDLE_SPIN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "node.id; 65536",
        "node.id; ''",
        "cluster; ''",
        "cluster; Upper",
        "cluster; a-name-of-more-than-thirty-two-characters",
        "listen; 7000",
        "listen; host",
        "listen; host:65536",
        "listen; ::1:7000",
        "listen; [::1:7000",
        "listen; a b:1",
        "transport; ''",
        "transport; not/a/name",
        "lane.bytes; 32K",
        "lane.bytes; 2G",
        "lane.bytes; 65537",
        "message.max.bytes; 1023",
        "overflow.bytes; 2G",
        "pool.queue.messages; 0",
        "request.timeout; 0s",
        "requests.max; 100",
        "requests.max; 32",
        "connect.timeout; 1ms",
        "link.timeout; 2h",
        "idle.spin; 11s",
        "connections.max; 0",
        "connections.max; 65536",
        "lanes.max; 0",
        "close.grace; 11m",
      })
  void everyCoreKeyHasARange(String key, String value) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.set(key, value))
        .withMessageStartingWith(key + " = '" + value + "' from the program: expected ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "listen; ''",
        "listen; 0.0.0.0:0",
        "listen; [::]:7000",
        "listen; [fe80::1%eth0]:7000",
        "listen; host-1.example:65535",
        "transport; some-other",
        "peers; ''",
        "peers; 2=a:1, 3=[::1]:7003, 4=",
        "cluster.key; ''",
        "cluster.key.file; /any/where",
      })
  void textsThatFitAreTaken(String key, String value) {
    sources.set(key, value);
    assertThat(sources.effective()).containsEntry(key, value);
  }

  @Test
  void badPeersAreRefusedNamingEntryAndSource() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadSystem("verbena.peers", "2=a:1,b:2"))
        .withMessage(
            "peers from system property verbena.peers:"
                + " 'b:2' is not of the form id=host:port or id=");
  }

  @Test
  void shortClusterKeyIsRefusedWithoutTellingIt() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> loadEnvironment("VERBENA_CLUSTER_KEY", "hunter2"))
        .withMessage(
            "cluster.key from environment variable VERBENA_CLUSTER_KEY:"
                + " expected at least 16 bytes");
  }

  @Test
  void fileWithASecretMustBePrivate() throws IOException {
    Path file = file("cluster.key=" + SECRET);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.load(file))
        .withMessageContaining("chmod 600 " + file)
        .withMessageNotContaining(SECRET);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    sources.load(file);
    assertThat(sources.effective()).containsEntry("cluster.key", SECRET);
  }

  @Test
  void missingFileIsAnErrorThatSaysWhatItWasFor() {
    Path none = directory.resolve("none");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> sources.load(none))
        .withMessage(none + ": it was to be read as configuration, and there is no such file");
  }

  @Test
  void fileThatCannotBeReadSaysWhatItWasFor() throws IOException {
    assertThatIOException()
        .isThrownBy(() -> sources.load(directory))
        .withMessageStartingWith(directory + ": it was to be read as configuration, and cannot be");
    Path latin = Files.write(directory.resolve("latin"), new byte[] {'#', (byte) 0xFC});
    assertThatIOException()
        .isThrownBy(() -> sources.load(latin))
        .withMessage(latin + ": it was to be read as configuration, and is not UTF-8");
  }

  @Test
  void brokenFileIsRefusedByName() throws IOException {
    Path file = file("cluster=\\u00zz" + SECRET);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> sources.load(file))
        .withMessageStartingWith(file + " is not a properties file")
        .withMessageNotContaining(SECRET);
  }
}
