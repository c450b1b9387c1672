// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

import io.verbena.Sender;

/** One lane, at its sender: used by the searching thread alone. */
final class OutLane implements AutoCloseable {

  private final Sender sender;
  private long sent;
  private long sum;

  OutLane(Sender sender) {
    this.sender = sender;
  }

  /** Sends a pair. */
  void send(int target, int other) {
    long at = sender.claim(Pairs.TYPE, Pairs.BYTES);
    Pairs.write(sender.segment(), at, target, other);
    sender.commit();
    sum += Pairs.digest(sent++, target, other);
  }

  /** Says that a phase is over here. */
  void end(long phase) {
    sender.send(new PhaseEnd(phase, sent, sum));
  }

  /** Says that what the others sent in a phase has arrived here. */
  void tell(PhaseCount count) {
    sender.send(count);
  }

  /** How many pairs were ever sent. */
  long sent() {
    return sent;
  }

  @Override
  public void close() {
    sender.close();
  }
}
