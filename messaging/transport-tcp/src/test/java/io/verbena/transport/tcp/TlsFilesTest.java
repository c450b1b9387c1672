// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.testkit.StillContext;
import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are taken, and what is said of those that are not: never what is in them. */
class TlsFilesTest {

  private static final String NAME = "verbena://still/1";
  private final TestAuthority authority = new TestAuthority("files");
  private final StillContext node = new StillContext(1);
  @TempDir private Path folder;

  private NodeFiles write(String algorithm) throws IOException {
    KeyPair pair = TestAuthority.newKeys(algorithm);
    NodeFiles files = authority.write(folder, pair, authority.issue(pair, NAME));
    node.set("tls.certificate", files.certificate().toString())
        .set("tls.key", files.key().toString())
        .set("tls.ca", files.trusted().toString());
    return files;
  }

  @Test
  void nothingConfiguredIsNoEncryption() throws IOException {
    assertThat(Tls.of(node)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void keysOfTheseKindsAreTaken(String algorithm) throws IOException {
    write(algorithm);
    assertThat(Tls.of(node)).isNotNull();
  }

  @Test
  void pkcs12IsTakenWithItsPassword() throws Exception {
    KeyPair pair = TestAuthority.newKeys("EC");
    NodeFiles files = write("EC");
    Path store = folder.resolve("node.p12");
    TestAuthority.writeStore(store, "open sesame", pair, authority.issue(pair, NAME));
    Path password = folder.resolve("password");
    TestAuthority.replace(password, "open sesame\n");
    node.set("tls.certificate", store.toString()).set("tls.key", "");
    node.set("tls.password.file", password.toString());
    assertThat(Tls.of(node)).isNotNull();
    TestAuthority.replace(password, "hush hush\n");
    assertThatThrownBy(() -> Tls.of(node))
        .hasMessageContaining("tls.certificate " + store)
        .hasMessageContaining("tls.password.file")
        .hasMessageNotContaining("hush");
    node.set("tls.key", files.key().toString());
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("PKCS#12 has the key in it");
    open(store);
    node.set("tls.key", "");
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("run 'chmod 600 " + store);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls.certificate", "tls.key", "tls.ca"})
  void whatIsMissingIsNamed(String key) throws IOException {
    write("EC");
    node.set(key, "");
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining(key + " is not set");
    node.set(key, folder.resolve("nowhere").toString());
    assertThatThrownBy(() -> Tls.of(node))
        .hasMessageContaining(key + " " + folder.resolve("nowhere"))
        .hasMessageContaining("there is no such file");
  }

  @Test
  void keyThatOthersMayReadIsRefused() throws IOException {
    open(write("EC").key());
    assertThatThrownBy(() -> Tls.of(node))
        .hasMessageContaining("tls.key ")
        .hasMessageContaining("run 'chmod 600 ");
  }

  @Test
  void keyThatItsOwnerHasClosedIsLookedAtAgain() throws Exception {
    NodeFiles written = write("EC");
    TlsFiles files =
        new TlsFiles(
            written.certificate().toString(),
            written.key().toString(),
            written.trusted().toString(),
            "");
    open(written.key());
    String refused = files.stamp();
    assertThatThrownBy(files::read).hasMessageContaining("run 'chmod 600 ");
    Thread.sleep(50); // longer than the clock by which the kernel stamps files stands still
    Files.setPosixFilePermissions(written.key(), PosixFilePermissions.fromString("rw-------"));
    assertThat(files.stamp()).isNotEqualTo(refused);
    assertThat(files.read().chain()).isNotEmpty();
  }

  private static void open(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
  void olderFormsOfKeysAreRefusedWithTheCommandThatConvertsThem(String form) throws IOException {
    NodeFiles files = write("EC");
    String secret = "c2VjcmV0IGJ5dGVz";
    TestAuthority.replace(files.key(), TestAuthority.pem(form, Base64.getDecoder().decode(secret)));
    assertThatThrownBy(() -> Tls.of(node))
        .hasMessageContaining("'" + form + "'")
        .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt")
        .hasMessageNotContaining(secret);
  }

  @ParameterizedTest
  @ValueSource(strings = {"c2VjcmV0", "c2VjcmV0!c2VjcmV0", "", "MC4CAQAwBQYDK2VwBCIEIA=="})
  void brokenKeysAreRefusedWithoutAWordOfThem(String body) throws IOException {
    NodeFiles files = write("EC");
    TestAuthority.replace(
        files.key(), "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n");
    assertThatThrownBy(() -> Tls.of(node))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("tls.key " + files.key())
        .satisfies(e -> assertThat(body.isEmpty() || !chain(e).contains(body)).isTrue());
  }

  private static String chain(Throwable e) {
    return e == null ? "" : e + "\n" + chain(e.getCause());
  }

  @Test
  void keyOfAnotherCertificateIsRefused() throws IOException {
    NodeFiles files = write("EC");
    KeyPair other = TestAuthority.newKeys("EC");
    TestAuthority.replace(
        files.key(), TestAuthority.pem("PRIVATE KEY", other.getPrivate().getEncoded()));
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("does not belong to");
    KeyPair rsa = TestAuthority.newKeys("RSA");
    TestAuthority.replace(
        files.key(), TestAuthority.pem("PRIVATE KEY", rsa.getPrivate().getEncoded()));
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("does not belong to");
  }

  @Test
  void certificateOfAnotherNodeIsRefusedAtOnce() throws IOException {
    write("EC");
    KeyPair pair = TestAuthority.newKeys("EC");
    authority.write(folder, pair, authority.issue(pair, "verbena://still/2", "https://a.example"));
    assertThatThrownBy(() -> Tls.of(node))
        .hasMessageContaining("is for verbena://still/2; this node is verbena://still/1");
    authority.write(folder, pair, authority.issue(pair));
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("no verbena:// name");
  }

  @Test
  void filesWithoutACertificateAreRefused() throws IOException {
    NodeFiles files = write("EC");
    TestAuthority.replace(files.trusted(), "");
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("tls.ca " + files.trusted());
    TestAuthority.replace(files.certificate(), "-----BEGIN CERTIFICATE-----\nMIIB\n");
    assertThatThrownBy(() -> Tls.of(node)).hasMessageContaining("tls.");
  }
}
