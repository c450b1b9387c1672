// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.ConfigException;
import io.verbena.Node;
import io.verbena.NodeConfig;
import org.junit.jupiter.api.Test;

/** Here is no transport's jar. */
class TransportsTest {

  @Test
  void autoWithoutAnyTransportIsRefusedWithWhatToAdd() {
    NodeConfig config = NodeConfig.builder().id(1).transport("auto").build();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.open(config).close())
        .withMessageContaining("transport 'auto' found no transport")
        .withMessageContaining("verbena-transport-shm")
        .withMessageContaining("transport=loopback");
  }

  @Test
  void transportThatIsNotThereIsRefusedByName() {
    NodeConfig config = NodeConfig.builder().id(1).transport("pigeon").build();
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> Node.open(config).close())
        .withMessageContaining("transport 'pigeon' is not there; found auto, loopback");
  }
}
