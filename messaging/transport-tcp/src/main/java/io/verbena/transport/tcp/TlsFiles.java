// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.PrivateFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node's certificate, its key and the certificates it trusts are read from.
 *
 * @param certificate PEM: the node's own certificate, then those between it and a trusted one; or
 *     PKCS#12 with the key as well
 * @param key PEM, PKCS#8 without password; empty with PKCS#12
 * @param trusted PEM: the certificates that others' must lead up to
 * @param password a file with the password of a PKCS#12; empty if it has none
 */
record TlsFiles(String certificate, String key, String trusted, String password) {

  /** What the files hold. */
  record Content(PrivateKey key, X509Certificate[] chain, List<X509Certificate> trusted) {}

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  /** Whether any of it is configured. */
  boolean isAnyGiven() {
    return !(certificate + key + trusted + password).isEmpty();
  }

  /**
   * What tells whether a file has changed: its identity, its size and when it or its permissions
   * were changed last, as those decide whether a key is taken.
   */
  String stamp() {
    StringBuilder stamp = new StringBuilder();
    for (String name : List.of(certificate, key, trusted, password)) {
      if (!name.isEmpty()) {
        stamp.append(stampOf(name)).append(' ');
      }
    }
    return stamp.toString();
  }

  private static String stampOf(String name) {
    try {
      Path file = Path.of(name);
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.fileKey() + "," + now.size() + "," + Files.getAttribute(file, "unix:ctime");
    } catch (IOException | InvalidPathException e) {
      return "absent";
    }
  }

  /**
   * Reads them.
   *
   * @throws IOException if one is missing, is not what it should be, or lets others see the key;
   *     the text names key and file and never what is in it
   */
  Content read() throws IOException {
    require("tls.certificate", certificate);
    require("tls.ca", trusted);
    List<X509Certificate> authorities = certificates("tls.ca", trusted, bytes("tls.ca", trusted));
    byte[] own = bytes("tls.certificate", certificate);
    if (isPem(own)) {
      require("tls.key", key);
      X509Certificate[] chain =
          certificates("tls.certificate", certificate, own).toArray(X509Certificate[]::new);
      return new Content(pemKey(), chain, authorities);
    }
    if (!key.isEmpty()) {
      throw new IOException(
          "tls.key is set, but tls.certificate "
              + certificate
              + " is no PEM: PKCS#12 has the key"
              + " in it");
    }
    return pkcs12(own, authorities);
  }

  private static void require(String name, String value) throws IOException {
    if (value.isEmpty()) {
      throw new IOException(
          name + " is not set; TLS needs tls.certificate, tls.key (but for PKCS#12) and tls.ca");
    }
  }

  private static byte[] bytes(String name, String file) throws IOException {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (NoSuchFileException e) {
      throw new IOException(name + " " + file + " cannot be read: there is no such file", e);
    } catch (IOException | InvalidPathException e) {
      throw new IOException(name + " " + file + " cannot be read: " + e, e);
    }
  }

  /** The bytes of a file that none but its owner may have access to. */
  private static byte[] secret(String name, String file) throws IOException {
    byte[] bytes = bytes(name, file); // says best what is wrong if it is not there
    requirePrivate(name, file);
    return bytes;
  }

  private static void requirePrivate(String name, String file) throws IOException {
    String exposure = PrivateFile.exposure(Path.of(file));
    if (!exposure.isEmpty()) {
      throw new IOException(name + " " + file + " " + exposure);
    }
  }

  private static boolean isPem(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
  }

  private static List<X509Certificate> certificates(String name, String file, byte[] bytes)
      throws IOException {
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes));
      List<X509Certificate> certificates = new ArrayList<>();
      found.forEach(certificate -> certificates.add((X509Certificate) certificate));
      if (certificates.isEmpty()) {
        throw new IOException(name + " " + file + " has no certificate in it");
      }
      return certificates;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          name + " " + file + " is not a file of PEM certificates: " + e.getMessage(), e);
    }
  }

  // ---------------------------------------------------------------- keys

  private PrivateKey pemKey() throws IOException {
    String text = new String(secret("tls.key", key), StandardCharsets.ISO_8859_1);
    Matcher parts = PEM.matcher(text);
    while (parts.find()) {
      if (parts.group(1).equals("PRIVATE KEY")) {
        return privateKey(parts.group(2));
      }
      if (parts.group(1).endsWith("PRIVATE KEY")) {
        throw new IOException(
            "tls.key "
                + key
                + " is a '"
                + parts.group(1)
                + "', not a plain PKCS#8 'PRIVATE KEY'; convert it with 'openssl pkcs8 -topk8"
                + " -nocrypt', or put key and certificate into a PKCS#12 file");
      }
    }
    throw new IOException("tls.key " + key + " has no PEM 'PRIVATE KEY' in it");
  }

  private PrivateKey privateKey(String base64) throws IOException {
    PKCS8EncodedKeySpec spec;
    try {
      spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
    } catch (IllegalArgumentException e) { // its text quotes the key
      throw new IOException("tls.key " + key + " is not whole: it is no Base64");
    }
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // It is of another algorithm.
      } catch (GeneralSecurityException e) {
        throw new IOException("this Java cannot read " + algorithm + " keys", e);
      }
    }
    throw new IOException("tls.key " + key + " is no key of " + KEY_ALGORITHMS);
  }

  private Content pkcs12(byte[] bytes, List<X509Certificate> authorities) throws IOException {
    requirePrivate("tls.certificate", certificate);
    char[] secret = passwordText();
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(bytes), secret);
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          return new Content(
              (PrivateKey) store.getKey(alias, secret),
              Arrays.copyOf(
                  store.getCertificateChain(alias),
                  store.getCertificateChain(alias).length,
                  X509Certificate[].class),
              authorities);
        }
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new IOException(
          "tls.certificate "
              + certificate
              + " is neither PEM nor a PKCS#12 that tls.password.file opens: "
              + e.getMessage(),
          e);
    } finally {
      Arrays.fill(secret, '\0');
    }
    throw new IOException("tls.certificate " + certificate + " has no key in it");
  }

  private char[] passwordText() throws IOException {
    if (password.isEmpty()) {
      return new char[0];
    }
    byte[] bytes = secret("tls.password.file", password);
    return new String(bytes, StandardCharsets.UTF_8).strip().toCharArray();
  }
}
