// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates to nodes, and writes them as files that configurations name. */
final class TestAuthority {

  /** The files of one node. */
  record NodeFiles(Path certificate, Path key, Path trusted) {}

  private static long nextSerial = 1;

  private final KeyPair keys = newKeys("EC");
  private final X500Name name;
  private final X509Certificate certificate;

  TestAuthority(String name) {
    this.name = new X500Name("CN=" + name);
    this.certificate = sign(this.name, keys, daysFromNow(-1), daysFromNow(30), true);
  }

  static KeyPair newKeys(String algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static Instant daysFromNow(int days) {
    return Instant.now().plus(days, ChronoUnit.DAYS);
  }

  X509Certificate certificate() {
    return certificate;
  }

  /** A certificate that is valid now. */
  X509Certificate issue(KeyPair to, String... uris) {
    return sign(new X500Name("CN=node"), to, daysFromNow(-1), daysFromNow(10), false, uris);
  }

  /** A certificate whose time was over yesterday. */
  X509Certificate issueExpired(KeyPair to, String... uris) {
    return sign(new X500Name("CN=node"), to, daysFromNow(-3), daysFromNow(-1), false, uris);
  }

  private X509Certificate sign(
      X500Name subject,
      KeyPair to,
      Instant from,
      Instant until,
      boolean isAuthority,
      String... uris) {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.valueOf(serial()),
              Date.from(from),
              Date.from(until),
              subject,
              to.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
      if (uris.length > 0) {
        GeneralName[] names =
            Arrays.stream(uris)
                .map(uri -> new GeneralName(GeneralName.uniformResourceIdentifier, uri))
                .toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static synchronized long serial() {
    return nextSerial++;
  }

  // ---------------------------------------------------------------- files

  /** Writes a new certificate of a node and its key, and this authority's own certificate. */
  NodeFiles writeFor(Path folder, String cluster, int node) throws IOException {
    KeyPair pair = newKeys("EC");
    return write(folder, pair, issue(pair, "verbena://" + cluster + "/" + node));
  }

  /** Writes these files anew, each whole at once, as whoever rotates certificates does. */
  NodeFiles write(Path folder, KeyPair pair, X509Certificate own) throws IOException {
    Files.createDirectories(folder);
    NodeFiles files =
        new NodeFiles(
            folder.resolve("node.pem"), folder.resolve("node.key"), folder.resolve("ca.pem"));
    replace(files.trusted, pem("CERTIFICATE", encoded(certificate)));
    replace(files.certificate, pem("CERTIFICATE", encoded(own)));
    replace(files.key, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    return files;
  }

  static byte[] encoded(Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String pem(String what, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder().encodeToString(der), what);
  }

  static void replace(Path file, String text) throws IOException {
    Path fresh =
        Files.createTempFile(
            file.getParent(),
            "fresh",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes a PKCS#12 with key and certificate. */
  static void writeStore(Path file, String password, KeyPair pair, X509Certificate own)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("node", pair.getPrivate(), password.toCharArray(), new Certificate[] {own});
    replace(file, "");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }
}
