// SPDX-License-Identifier: Apache-2.0
package io.verbena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.internal.config.CoreKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeConfigTest {

  private static final String SECRET = "not-to-be-seen-by-anybody";

  @TempDir private Path directory;

  @Test
  void defaultsAreThoseDocumented() {
    NodeConfig config = NodeConfig.builder().id(7).build();
    assertThat(config.nodeId()).isEqualTo(7);
    assertThat(config.cluster()).isEqualTo("default");
    assertThat(config.clusterKey()).isNull();
    assertThat(config.peers()).isEmpty();
    assertThat(config.listen()).isEmpty();
    assertThat(config.transport()).isEqualTo("auto");
    assertThat(config.laneBytes()).isEqualTo(1 << 20);
    assertThat(config.messageMaxBytes()).isEqualTo(64 << 20);
    assertThat(config.overflowBytes()).isEqualTo(16 << 20);
    assertThat(config.poolQueueMessages()).isEqualTo(4096);
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.requestsMax()).isEqualTo(16_384);
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.linkTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.idleSpin()).isEqualTo(Duration.ofNanos(20_000));
    assertThat(config.idleLooks()).isEqualTo(32);
    assertThat(config.connectionsMax()).isEqualTo(1024);
    assertThat(config.lanesMax()).isEqualTo(64);
    assertThat(config.closeGrace()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.types().description())
        .isEqualTo(MessageTypes.builder().build().description());
  }

  @Test
  void builderSetsWhatItsMethodsSay() {
    MessageTypes types = MessageTypes.builder().build();
    NodeConfig config =
        NodeConfig.builder()
            .id(1)
            .cluster("blue")
            .transport("loopback")
            .listen("[::1]:0")
            .types(types)
            .peer(2, "host:1")
            .laneBytes(65_536)
            .requestTimeout(Duration.ofMillis(1500))
            .idleSpin(Duration.ZERO)
            .idleLooks(0)
            .set("lanes.max", "2")
            .build();
    assertThat(config.cluster()).isEqualTo("blue");
    assertThat(config.transport()).isEqualTo("loopback");
    assertThat(config.listen()).isEqualTo("[::1]:0");
    assertThat(config.types()).isSameAs(types);
    assertThat(config.peers()).containsExactly(Map.entry(2, "host:1"));
    assertThat(config.laneBytes()).isEqualTo(65_536);
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(config.idleSpin()).isZero();
    assertThat(config.idleLooks()).isZero();
    assertThat(config.lanesMax()).isEqualTo(2);
  }

  @Test
  void peersOfTheProgramGoBeforeThoseOfAFile() throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "node.id=1\npeers=2=a:1,3=b:1\n");
    NodeConfig config = NodeConfig.builder().peer(3, "c:1").load(file).build();
    assertThat(config.peers()).containsExactly(Map.entry(2, "a:1"), Map.entry(3, "c:1"));
  }

  @Test
  void nodeWithoutIdIsRefused() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> NodeConfig.builder().build())
        .withMessageStartingWith("node.id is not set");
  }

  @Test
  void systemPropertiesAreRead() {
    System.setProperty("verbena.lanes.max", "9");
    try {
      NodeConfig config = NodeConfig.builder().id(1).loadSystem().build();
      assertThat(config.lanesMax()).isEqualTo(9);
    } finally {
      System.clearProperty("verbena.lanes.max");
    }
  }

  @Test
  void badPeerIsRefusedAtOnce() {
    NodeConfig.Builder builder = NodeConfig.builder();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> builder.peer(65_536, "a:1"))
        .withMessageContaining("65536");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> builder.peer(2, "nowhere"))
        .withMessageContaining("'nowhere' of peer 2");
  }

  @Test
  void configurationIsImmutable() {
    NodeConfig.Builder builder = NodeConfig.builder().id(1).peer(2, "a:1");
    NodeConfig config = builder.build();
    builder.id(3).peer(4, "b:1");
    assertThat(config.nodeId()).isEqualTo(1);
    assertThat(config.peers()).containsOnlyKeys(2);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> config.peers().put(5, ""));
  }

  @Test
  void clusterKeyIsKnownToProofsOnly() throws IOException {
    Path file = Files.write(directory.resolve("key"), List.of(SECRET));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    NodeConfig fromText = NodeConfig.builder().id(1).set("cluster.key", SECRET).build();
    NodeConfig fromFile = NodeConfig.builder().id(1).clusterKeyFile(file).build();
    byte[] proof = fromText.clusterKey().proof(new byte[] {1});
    assertThat(fromFile.clusterKey().proof(new byte[] {1})).isEqualTo(proof);
    assertThat(fromText.setting(CoreKeys.CLUSTER_KEY)).isEmpty();
    assertThat(fromText.toString() + fromText.clusterKey() + fromFile)
        .isEqualTo(
            "NodeConfig[node 1 of default over auto]ClusterKey"
                + "NodeConfig[node 1 of default over auto]");
  }

  @Test
  void noErrorTellsTheClusterKey() {
    NodeConfig.Builder builder =
        NodeConfig.builder().set("cluster.key", SECRET).set("cluster.key.file", "/a");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(builder::build)
        .withMessageNotContaining(SECRET);
    assertThat(builder.toString()).doesNotContain(SECRET);
  }
}
