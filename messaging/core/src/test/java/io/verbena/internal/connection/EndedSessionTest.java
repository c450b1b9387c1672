// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.VerbenaException;
import io.verbena.transport.RefusedException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A session may end at any moment, by another thread than the one that receives. What the receiving
 * thread still does for it then must not fail: that would reach the loop that serves all peers.
 */
class EndedSessionTest {

  private final TestHost host = new TestHost(1);

  static Stream<VerbenaException> causes() {
    return Stream.of(new PeerLostException("gone"), new NodeClosedException("closed"));
  }

  @AfterEach
  void close() {
    host.close();
  }

  private Session ended(VerbenaException cause) throws RefusedException {
    TestTransport transport = new TestTransport();
    host.transports = List.of(transport);
    Connection connection = new Connection(host, 2);
    connection.established(TestLink.agreement(100, 0, 7), new TestLink(transport), "by the test");
    Session session = connection.session();
    connection.sessionOver(session, cause);
    return session;
  }

  @ParameterizedTest
  @MethodSource("causes")
  void answersGoNowhere(VerbenaException cause) throws RefusedException {
    Session session = ended(cause);
    session.answers().reply(1, new TestHost.Note(5));
    session.answers().replyError(2, "too late");
    assertThat(host.counter("messages.undeliverable")).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("causes")
  void controlFramesAreNotWritten(VerbenaException cause) throws RefusedException {
    assertThat(ended(cause).tryControl(Control.CLOSE_REFUSED)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("causes")
  void controlFramesOpenNoLane(VerbenaException cause) throws RefusedException {
    assertThat(ended(cause).tryInnerControl(Control.CLOSE_REFUSED)).isFalse();
  }
}
