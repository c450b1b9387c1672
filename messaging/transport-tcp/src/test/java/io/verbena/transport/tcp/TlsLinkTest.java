// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** Links with TLS: split, cut and resumed as those without. */
class TlsLinkTest extends TcpLinkTest {

  private static final TestAuthority AUTHORITY = new TestAuthority("links");
  private static final Path FOLDER = temporary();

  private static Path temporary() {
    try {
      return Files.createTempDirectory("verbena-tls");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void deleteFiles() throws IOException {
    try (var files = Files.walk(FOLDER)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  TestNode node(int id) {
    try {
      NodeFiles files = AUTHORITY.writeFor(FOLDER.resolve("node" + id), "still", id);
      return super.node(id)
          .set("tls.certificate", files.certificate().toString())
          .set("tls.key", files.key().toString())
          .set("tls.ca", files.trusted().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
