// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.RefusedException;
import io.verbena.transport.handshake.Handshake;
import io.verbena.transport.handshake.Handshake.Offer;
import io.verbena.transport.tcp.TestAuthority.NodeFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who is let in and who is not, with TLS: node 1 encrypts and has a link to node 2 throughout,
 * which no stranger disturbs.
 */
@Tag("timing")
class TlsTest {

  private static final String CLUSTER = "still"; // of every TestNode
  private static final TestAuthority AUTHORITY = new TestAuthority("ours");
  private static final TestAuthority STRANGE = new TestAuthority("theirs");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final List<TestNode> nodes = new ArrayList<>();
  private TestNode one;
  private TestNode two;
  private TestNode.SendLane lane;

  @AfterEach
  void close() {
    nodes.forEach(TestNode::close);
  }

  // ---------------------------------------------------------------- nodes

  private void openOneAndTwo() throws Exception {
    one = encrypting(1, filesOf(1)).open();
    two = encrypting(2, filesOf(2));
    two.open();
    lane = two.openLane(0, 65536);
    two.dial(1, one.port());
    assertThat(two.links.take().describe()).startsWith("tcp with TLS ");
    sendAndAwait();
  }

  /** The link between one and two works, and has done so all the time. */
  private void sendAndAwait() throws InterruptedException {
    TestNode.ReceiveLane before = one.receiving.get(0);
    long frames = before == null ? 0 : before.frames;
    for (int i = 0; i < 100; i++) {
      lane.send(i);
    }
    one.awaitFrames(0, frames + 100);
    assertThat(two.downs).isEmpty();
  }

  private TestNode plain(int id) {
    TestNode node = new TestNode(id);
    nodes.add(node);
    return node;
  }

  private TestNode encrypting(int id, NodeFiles files) {
    return plain(id)
        .set("tls.certificate", files.certificate().toString())
        .set("tls.key", files.key().toString())
        .set("tls.ca", files.trusted().toString());
  }

  private NodeFiles filesOf(int id) throws IOException {
    return AUTHORITY.writeFor(folder.resolve("node" + id), CLUSTER, id);
  }

  /** Files with this certificate; what they trust is our authority. */
  private NodeFiles files(String name, KeyPair pair, X509Certificate own) throws IOException {
    return AUTHORITY.write(folder.resolve(name), pair, own);
  }

  private static String uri(String cluster, int id) {
    return "verbena://" + cluster + "/" + id;
  }

  /** Dials node 1 as node {@code id}, with the certificate of somebody else. */
  private void dialOneAs(int id, TestNode holder) throws IOException {
    try (SocketChannel socket = socketToOne()) {
      TlsWire wire = Tls.of(holder).dialling(socket, 1, "raw");
      new Handshake(new TestNode(id), "tcp", PATIENCE).dial(wire, "raw", 1, Offer.NOTHING);
    }
  }

  private SocketChannel socketToOne() throws IOException {
    return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), one.port()));
  }

  private String rejectedByOne() throws InterruptedException {
    return TestNode.poll(one.rejected);
  }

  // ---------------------------------------------------------------- who somebody is

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsSentCannotBeReadOnTheWay(boolean encrypts) throws Exception {
    one = (encrypts ? encrypting(1, filesOf(1)) : plain(1)).open();
    two = (encrypts ? encrypting(2, filesOf(2)) : plain(2)).open();
    try (Chopper wire = new Chopper(one.port(), 1, 4096)) {
      lane = two.openLane(0, 65536);
      two.dial(1, wire.port());
      for (int i = 0; i < 50; i++) {
        lane.send(1000); // bytes that count up, past the letters
      }
      one.awaitFrames(0, 50);
      String seen = new String(wire.seen(), StandardCharsets.ISO_8859_1);
      assertThat(seen).hasSizeGreaterThan(50_000);
      assertThat(seen.contains("ABCDEFGH")).isEqualTo(!encrypts);
      assertThat(seen.contains("VRBN")).isEqualTo(!encrypts);
    }
  }

  @Test
  void dialledNodeWithAnothersCertificateIsRefused() throws Exception {
    openOneAndTwo();
    TestNode three = encrypting(3, filesOf(3)).open();
    assertThatThrownBy(() -> three.dial(7, one.port()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("node 7")
        .hasMessageContaining("has a certificate for verbena://still/1, not for verbena://still/7");
    assertThat(rejectedByOne()).contains("not for verbena://still/7"); // it was told
    sendAndAwait();
  }

  @Test
  void diallerWithAnothersCertificateIsRefusedAndTold() throws Exception {
    openOneAndTwo();
    TestNode three = encrypting(3, filesOf(3));
    assertThatThrownBy(() -> dialOneAs(4, three))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("refused: node 4 has a certificate for verbena://still/3, not for");
    assertThat(rejectedByOne()).startsWith("IDENTITY: ");
    sendAndAwait();
  }

  @Test
  void certificateOfAnotherClusterIsRefusedAndTold() throws Exception {
    openOneAndTwo();
    KeyPair pair = TestAuthority.newKeys("EC");
    NodeFiles files = files("other", pair, AUTHORITY.issue(pair, uri("other", 3), uri(CLUSTER, 9)));
    TestNode nine = encrypting(9, files); // its own name is right; as 3 it is of another cluster
    assertThatThrownBy(() -> dialOneAs(3, nine)).hasMessageContaining("not for verbena://still/3");
    NodeFiles foreign = files("foreign", pair, AUTHORITY.issue(pair, uri("other", 3)));
    assertThatThrownBy(() -> dialOneAs(3, ofCluster("other", 3, foreign)))
        .hasMessageContaining("not for verbena://other/1"); // what the dialler finds of node 1
    assertThat(rejectedByOne()).contains("not for verbena://still/3");
    assertThat(rejectedByOne()).contains("not for verbena://other/1");
    sendAndAwait();
  }

  private TestNode ofCluster(String cluster, int id, NodeFiles files) {
    TestNode node =
        new TestNode(id) {
          @Override
          public String cluster() {
            return cluster;
          }
        };
    nodes.add(node);
    return node.set("tls.certificate", files.certificate().toString())
        .set("tls.key", files.key().toString())
        .set("tls.ca", files.trusted().toString());
  }

  @Test
  void certificateOfAnUntrustedAuthorityIsRefusedBothWays() throws Exception {
    openOneAndTwo();
    NodeFiles strange = STRANGE.writeFor(folder.resolve("strange"), CLUSTER, 3);
    TestAuthority.replace(
        strange.trusted(),
        TestAuthority.pem("CERTIFICATE", TestAuthority.encoded(AUTHORITY.certificate())));
    TestNode three = encrypting(3, strange).open(); // trusts us
    assertThatThrownBy(() -> three.dial(1, one.port()))
        .hasMessageContaining("does not accept this node's certificate");
    assertThat(rejectedByOne()).contains("no encrypted connection").contains("certificate");
    assertThatThrownBy(() -> two.dial(3, three.port()))
        .hasMessageContaining("no encrypted connection with node 3")
        .hasMessageContaining("certification path");
    assertThat(TestNode.poll(three.rejected)).contains("does not accept this node's certificate");
    sendAndAwait();
  }

  @Test
  void expiredCertificateIsRefusedBothWays() throws Exception {
    openOneAndTwo();
    KeyPair pair = TestAuthority.newKeys("EC");
    NodeFiles late = files("late", pair, AUTHORITY.issueExpired(pair, uri(CLUSTER, 3)));
    TestNode three = encrypting(3, late).open();
    assertThatThrownBy(() -> three.dial(1, one.port()))
        .hasMessageContaining("does not accept this node's certificate");
    assertThat(rejectedByOne()).contains("NotAfter");
    assertThatThrownBy(() -> two.dial(3, three.port())).hasMessageContaining("NotAfter");
    sendAndAwait();
  }

  // ---------------------------------------------------------------- who does not encrypt

  @Test
  void plainDiallerIsToldThatThisNodeEncrypts() throws Exception {
    openOneAndTwo();
    TestNode three = plain(3).open();
    assertThatThrownBy(() -> three.dial(1, one.port()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("refused: ")
        .hasMessageContaining("does not encrypt, and this node talks TLS alone");
    assertThat(rejectedByOne()).startsWith("PROTOCOL: ").contains("does not encrypt");
    sendAndAwait();
  }

  @Test
  void encryptingDiallerIsToldThatThatNodeDoesNot() throws Exception {
    openOneAndTwo();
    TestNode three = plain(3).open();
    assertThatThrownBy(() -> two.dial(3, three.port()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("node 3")
        .hasMessageContaining("does not encrypt");
    assertThat(TestNode.poll(three.rejected)).contains("encrypts, and this node does not");
    sendAndAwait();
  }

  @Test
  void diallerWithoutCertificateIsRefused() throws Exception {
    openOneAndTwo();
    assertThatThrownBy(() -> readWithoutCertificate("TLSv1.3")).isInstanceOf(IOException.class);
    assertThat(rejectedByOne()).contains("no encrypted connection").contains("cert");
    sendAndAwait();
  }

  @Test
  void olderVersionsOfTlsAreRefused() throws Exception {
    openOneAndTwo();
    assertThatThrownBy(() -> readWithoutCertificate("TLSv1.2")).isInstanceOf(SSLException.class);
    assertThat(rejectedByOne()).contains("no encrypted connection").contains("TLS");
    sendAndAwait();
  }

  private void readWithoutCertificate(String version) throws Exception {
    SSLContext anybody = SSLContext.getInstance("TLS");
    anybody.init(null, new TrustManager[] {new Credulous()}, null);
    try (SSLSocket socket =
        (SSLSocket)
            anybody.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), one.port())) {
      socket.setEnabledProtocols(new String[] {version});
      socket.getOutputStream().write(new byte[100]);
      if (socket.getInputStream().read() < 0) {
        throw new IOException("ended");
      }
    }
  }

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  // ---------------------------------------------------------------- hostile bytes

  @ParameterizedTest
  @ValueSource(ints = {0x16, 0x17, 0x14, 0x80, 0x00, 'G'})
  void bytesThatAreNoHandshakeEndInAnError(int first) throws Exception {
    openOneAndTwo();
    SplittableRandom random = new SplittableRandom(first);
    for (int i = 0; i < 20; i++) {
      byte[] junk = new byte[random.nextInt(5, 3000)];
      random.nextBytes(junk);
      junk[0] = (byte) first;
      junk[1] = 3;
      try (SocketChannel socket = socketToOne()) {
        socket.write(ByteBuffer.wrap(junk));
        socket.shutdownOutput();
        assertThat(rejectedByOne()).isNotNull();
      }
    }
    sendAndAwait();
  }

  /** Records that break once the link is up: it ends, the session does not. */
  @ParameterizedTest
  @ValueSource(strings = {"17030300200102", "1703030003010203", "170303FFFF01", "8003030001", "15"})
  void recordsThatAreBrokenEndTheLinkAlone(String hex) throws Exception {
    openOneAndTwo();
    TestNode three = encrypting(3, filesOf(3));
    try (SocketChannel socket = socketToOne()) {
      TlsWire wire = Tls.of(three).dialling(socket, 1, "raw");
      new Handshake(new TestNode(3), "tcp", PATIENCE).dial(wire, "raw", 1, Offer.NOTHING);
      socket.write(ByteBuffer.wrap(HexFormat.of().parseHex(hex)));
      socket.shutdownOutput();
      assertThat(TestNode.poll(one.downs)).isNotEmpty();
      assertThat(one.broken).isEmpty();
    }
    sendAndAwait();
  }

  @Test
  void silentDiallerIsGivenUpInTime() throws Exception {
    one = encrypting(1, filesOf(1)).set("tcp.handshake.timeout", "200ms").open();
    try (SocketChannel socket = socketToOne()) {
      socket.write(ByteBuffer.wrap(new byte[] {0x16, 3, 1})); // and no more
      assertThat(rejectedByOne()).contains("did not finish the handshake within 200 ms");
    }
  }

  // ---------------------------------------------------------------- files that change

  @Test
  void certificatesAreReadAnewWhenTheyHaveChangedAndLinksStay() throws Exception {
    openOneAndTwo();
    NodeFiles newThree = STRANGE.writeFor(folder.resolve("three"), CLUSTER, 3);
    TestNode three = encrypting(3, newThree).open();
    assertThatThrownBy(() -> three.dial(1, one.port())).isInstanceOf(IOException.class);
    STRANGE.writeFor(
        folder.resolve("node1"), CLUSTER, 1); // node 1 goes over to the other authority
    three.dial(1, one.port());
    assertThat(three.links.take()).isNotNull();
    sendAndAwait();
  }

  @Test
  void filesThatCannotBeUsedLeaveTheOldOnesInForce() throws Exception {
    openOneAndTwo();
    Path certificate = folder.resolve("node1").resolve("node.pem");
    KeyPair pair = TestAuthority.newKeys("EC"); // not that of node.key
    String mismatched =
        TestAuthority.pem(
            "CERTIFICATE", TestAuthority.encoded(AUTHORITY.issue(pair, uri(CLUSTER, 1))));
    int id = 10;
    for (String text : List.of("", "-----BEGIN CERTIFICATE-----\nMIIB", mismatched)) {
      TestAuthority.replace(certificate, text);
      TestNode next = encrypting(id, filesOf(id)).open();
      next.dial(1, one.port());
      assertThat(next.links.take()).isNotNull();
      id++;
    }
    Files.delete(certificate);
    TestNode last = encrypting(30, filesOf(30)).open();
    last.dial(1, one.port());
    assertThat(last.links.take()).isNotNull();
    sendAndAwait();
  }
}
