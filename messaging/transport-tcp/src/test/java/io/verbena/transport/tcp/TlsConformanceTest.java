// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.NodeConfig;
import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;
import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance suite over TCP with TLS. Every node has a certificate of its own, and keys are
 * changed every few hundred kilobytes (tls.security), not every 128 GiB.
 */
class TlsConformanceTest extends TransportConformance {

  private static final TestAuthority AUTHORITY = new TestAuthority("conformance");

  @TempDir private static Path folder;

  @Override
  protected TransportUnderTest transport() {
    return new EncryptedTcp();
  }

  private static final class EncryptedTcp extends ProxiedTcp {

    private final Map<Integer, NodeFiles> files = new ConcurrentHashMap<>();

    @Override
    public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
      super.configure(builder, nodeId);
      NodeFiles own = files.computeIfAbsent(nodeId, id -> issue(builder, id));
      return builder
          .set("encryption", "required")
          .set("tls.certificate", own.certificate().toString())
          .set("tls.key", own.key().toString())
          .set("tls.ca", own.trusted().toString());
    }

    private NodeFiles issue(NodeConfig.Builder builder, int id) {
      String cluster = cluster();
      try {
        return AUTHORITY.writeFor(folder.resolve(cluster + "-" + id), cluster, id);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
