// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

/** The end that sends; used by one thread. */
public interface SendingEnd extends AutoCloseable {

  /** Sends the message with this stamp, now or with the next ones; waits while there is no room. */
  void send(long stamp) throws Exception;

  /** Sends what was held back. */
  void flush() throws Exception;

  /** Sends the message with this stamp, waits for its answer, and says whether that is the same. */
  boolean request(long stamp) throws Exception;

  /** Sends one message after the other until the round is over. */
  default void messages(SendRound round) throws Exception {
    while (round.goesOn()) {
      for (int i = 0; i < round.turn(); i++) {
        send(round.nextStamp());
      }
    }
    flush();
  }

  /** Sends one request after the other until the round is over. */
  default void requests(RequestRound round) throws Exception {
    while (round.goesOn()) {
      round.answered(request(round.nextStamp()));
    }
  }
}
