// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 of one node, both sides with certificates. The files are looked at before each handshake
 * and read anew when they have changed; what cannot be used then is logged, and what was read last
 * stays in force.
 */
final class Tls {

  private static final Logger LOG = System.getLogger("io.verbena.transport.tcp");

  /**
   * Longer than TLS allows a session to be taken up again: then none is, all certificates count.
   */
  private static final int NEVER_AGAIN_SECONDS = 604_801;

  // As the node knows them; here only to ask for their values.
  private static final ConfigKey CERTIFICATE = text("tls.certificate");
  private static final ConfigKey KEY = text("tls.key");
  private static final ConfigKey TRUSTED = text("tls.ca");
  private static final ConfigKey PASSWORD_FILE = text("tls.password.file");

  private static final char[] NO_PASSWORD = new char[0];

  private final TransportContext context;
  private final TlsFiles files;

  /** On the heap: there the JDK's ciphers are fastest. */
  private final LentBuffers buffers =
      new LentBuffers(() -> ByteBuffer.allocate(TlsWire.CIPHER_BYTES));

  private volatile Loaded loaded;

  private record Loaded(String stamp, SSLContext context) {}

  private Tls(TransportContext context, TlsFiles files) throws IOException {
    this.context = context;
    this.files = files;
    this.loaded = load(files.stamp());
  }

  /** What is configured for a node; null if it does not encrypt. */
  static @Nullable Tls of(TransportContext context) throws IOException {
    TlsFiles files = filesOf(context);
    return files.isAnyGiven() ? new Tls(context, files) : null;
  }

  /** Whether a node is to encrypt. */
  static boolean isConfigured(TransportContext context) {
    return filesOf(context).isAnyGiven();
  }

  private static TlsFiles filesOf(TransportContext context) {
    return new TlsFiles(
        context.setting(CERTIFICATE),
        context.setting(KEY),
        context.setting(TRUSTED),
        context.setting(PASSWORD_FILE));
  }

  private static ConfigKey text(String name) {
    return new ConfigKey(name, Kind.TEXT, "", "a file", "");
  }

  // ---------------------------------------------------------------- connections

  /** Over a socket that was dialled, to a peer that must be there. */
  TlsWire dialling(SocketChannel socket, int peer, String path) {
    String whom = "node " + peer + " at " + path;
    SSLEngine engine = engine(true);
    return new TlsWire(socket, engine, done -> requireName(names(done), peer, whom), whom, buffers);
  }

  /** Over a socket that was accepted; who it is, is not known yet. */
  TlsWire accepting(SocketChannel socket, String path) {
    SSLEngine engine = engine(false);
    return new TlsWire(socket, engine, done -> requireCluster(names(done), path), path, buffers);
  }

  private SSLEngine engine(boolean dials) {
    SSLEngine engine = current().createSSLEngine();
    engine.setUseClientMode(dials);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3"});
    parameters.setNeedClientAuth(true);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Who accepted has learnt who dialled: its certificate must say the same. */
  void requireName(TlsWire wire, int peer) throws RefusedException {
    requireName(names(wire.engine()), peer, "node " + peer);
  }

  private void requireName(NodeNames names, int peer, String whom) throws RefusedException {
    if (!names.include(context.cluster(), peer)) {
      throw new RefusedException(
          Reason.IDENTITY,
          whom
              + " has a certificate for "
              + names.inWords()
              + ", not for "
              + NodeNames.of(context.cluster(), peer));
    }
  }

  private void requireCluster(NodeNames names, String whom) throws RefusedException {
    if (!names.includeSomeOf(context.cluster())) {
      throw new RefusedException(
          Reason.IDENTITY,
          whom
              + " has a certificate for "
              + names.inWords()
              + ", not for a node of cluster "
              + context.cluster());
    }
  }

  private static NodeNames names(SSLEngine engine) throws RefusedException {
    try {
      return NodeNames.of((X509Certificate) engine.getSession().getPeerCertificates()[0]);
    } catch (IOException | CertificateParsingException e) {
      throw new RefusedException(Reason.IDENTITY, "a certificate cannot be read: " + e);
    }
  }

  // ---------------------------------------------------------------- files

  private SSLContext current() {
    Loaded now = loaded;
    String stamp = files.stamp();
    if (!stamp.equals(now.stamp)) {
      now = reload(stamp);
    }
    return now.context;
  }

  private synchronized Loaded reload(String stamp) {
    if (stamp.equals(loaded.stamp)) {
      return loaded; // another thread has
    }
    try {
      loaded = load(stamp);
      LOG.log(
          Level.INFO,
          "node {0} has read its TLS certificates anew",
          String.valueOf(context.nodeId()));
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "node {0} goes on with the TLS certificates it has: {1}",
          String.valueOf(context.nodeId()),
          e.getMessage());
      loaded = new Loaded(stamp, loaded.context); // looked at again when they change again
    }
    return loaded;
  }

  private Loaded load(String stamp) throws IOException {
    TlsFiles.Content content = files.read();
    requireOwnName(content.chain()[0]);
    try {
      requireMatch(content.key(), content.chain()[0]);
      SSLContext tls = SSLContext.getInstance("TLSv1.3");
      tls.init(keys(content).getKeyManagers(), trust(content.trusted()).getTrustManagers(), null);
      tls.getServerSessionContext().setSessionTimeout(NEVER_AGAIN_SECONDS);
      return new Loaded(stamp, tls);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "tls.key and tls.certificate " + files.certificate() + " cannot be used: " + e, e);
    }
  }

  /** While certificate and key are replaced one after the other they do not belong together. */
  private void requireMatch(PrivateKey key, X509Certificate own)
      throws IOException, GeneralSecurityException {
    byte[] words = {1, 2, 3};
    Signature signing = Signature.getInstance(signatureOf(key));
    signing.initSign(key);
    signing.update(words);
    byte[] signature = signing.sign();
    boolean match;
    try {
      Signature verifying = Signature.getInstance(signatureOf(key));
      verifying.initVerify(own.getPublicKey());
      verifying.update(words);
      match = verifying.verify(signature);
    } catch (InvalidKeyException | SignatureException e) {
      match = false; // of another algorithm, or another size
    }
    if (!match) {
      throw new IOException(
          "the private key does not belong to tls.certificate " + files.certificate());
    }
  }

  private static String signatureOf(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> key.getAlgorithm(); // EdDSA is the name of the signature as well
    };
  }

  private void requireOwnName(X509Certificate own) throws IOException {
    try {
      NodeNames names = NodeNames.of(own);
      if (!names.include(context.cluster(), context.nodeId())) {
        throw new IOException(
            "tls.certificate "
                + files.certificate()
                + " is for "
                + names.inWords()
                + "; this node is "
                + NodeNames.of(context.cluster(), context.nodeId())
                + ", which must be among its subject alternative names");
      }
    } catch (CertificateParsingException e) {
      throw new IOException("tls.certificate " + files.certificate() + ": " + e.getMessage(), e);
    }
  }

  private static KeyManagerFactory keys(TlsFiles.Content content)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry("node", content.key(), NO_PASSWORD, content.chain());
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, NO_PASSWORD);
    return keys;
  }

  private static TrustManagerFactory trust(List<X509Certificate> trusted)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("ca" + i, trusted.get(i));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    return trust;
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
