// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.SendResult;
import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.HandWire;
import io.verbena.internal.connection.TestHost;
import io.verbena.internal.connection.TestHost.Note;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BackloggedConnectionsTest {

  private final TestHost left = new TestHost(1);
  private final TestHost right = new TestHost(2);
  private final HandWire wire = new HandWire(left, right).link();
  private final BackloggedConnections backlogs = new BackloggedConnections();

  /** What is attached to the future would run in the middle of a handler, in its send. */
  @Test
  void whoeverQueuesAMessageTellsNobodyOfRoom() {
    right.handle(Note.class, (note, from) -> {});
    Connection connection = wire.left();
    Note note = new Note(0);
    while (connection.trySend(left.codecOf(note), note) == SendResult.ACCEPTED) {
      // until it is full
    }
    CompletableFuture<Void> room = connection.whenRoom(left.codecOf(note), note);
    wire.deliverToRight();

    backlogs.add(connection);
    assertThat(room).isNotDone();

    assertThat(backlogs.move()).isZero();
    assertThat(room).isCompleted();
    wire.close();
  }
}
