// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.GroupSendException;
import io.verbena.NodeClosedException;
import io.verbena.VerbenaException;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.EncodedMessage;
import io.verbena.internal.event.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One message on its way to several nodes: encoded once, sent to each, whatever fails at others.
 */
final class GroupSend implements AutoCloseable {

  private final Switchboard board;
  private final Record message;
  private final EncodedMessage encoded;
  private final List<Connection> slow = new ArrayList<>();
  private final SortedMap<Integer, VerbenaException> failures = new TreeMap<>();

  GroupSend(Switchboard board, Record message) {
    this.board = board;
    this.message = message;
    this.encoded =
        new EncodedMessage(
            board.types().codecOf(message.getClass()), message, board.config().messageMaxBytes());
  }

  void send(Collection<Integer> to) {
    for (int node : to) {
      attempt(node, () -> sendAtOnce(board.connectionTo(node)));
    }
    for (Connection connection : slow) {
      attempt(connection.peer(), () -> connection.send(encoded));
    }
    if (!failures.isEmpty()) {
      throw new GroupSendException(message.getClass().getName(), to.size(), failures);
    }
  }

  /** Those who have room now do not wait for those who have none. */
  private void sendAtOnce(Connection connection) {
    if (!connection.trySend(encoded)) {
      slow.add(connection);
    }
  }

  private void attempt(int node, Runnable send) {
    try {
      send.run();
    } catch (NodeClosedException e) {
      throw e;
    } catch (VerbenaException e) {
      failures.put(node, e);
    } catch (RuntimeException | InternalError e) { // of memory that was cut off, for one
      failures.put(
          node, new VerbenaException("sending to node " + node + " failed: " + Words.of(e), e));
    }
  }

  @Override
  public void close() {
    encoded.close();
  }
}
