// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.verify;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Judges the messages of one source node, told by their stamps, and takes the time of some of them.
 *
 * <p>Messages come one at a time, from whichever thread runs the handler. Rounds begin and end
 * while no message is under way.
 */
public abstract class Verifier {

  private static final VarHandle RECEIVED;

  static {
    try {
      RECEIVED = MethodHandles.lookup().findVarHandle(Verifier.class, "received", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int samplingStride;
  private long received;
  private long sampleAt = 1;
  private long roundStart;
  private long corrupted;
  private long firstNs = Long.MAX_VALUE;
  private long lastNs;
  private long lastSample;

  /**
   * @param samplingStride reading the clock costs as much as a small message: it is read this
   *     seldom
   */
  protected Verifier(int samplingStride) {
    this.samplingStride = samplingStride;
  }

  /** Takes a message whose content is what its stamp says. */
  public abstract void accept(long stamp);

  /** Takes a message whose content is not what was sent. */
  public void acceptCorrupted() {
    corrupted++;
    arrived();
  }

  /** How many messages have arrived, whatever they were; from any thread. */
  public final long received() {
    return (long) RECEIVED.getAcquire(this);
  }

  /** Begins a round: forgets the times. */
  public final void beginRound() {
    roundStart = received();
    sampleAt = roundStart + 1;
    firstNs = Long.MAX_VALUE;
    lastNs = 0;
    lastSample = roundStart;
  }

  /**
   * Ends a round.
   *
   * @param sent for each thread how many messages it has sent since the node was opened
   * @return what became of those sent since the last call
   */
  public final Tally endRound(long[] sent) {
    Tally judged = settle(sent);
    // What was corrupted is missing in its sequence as well, but it was not lost.
    long lost = Math.max(0, judged.lost() - corrupted);
    long allCorrupted = judged.corrupted() + corrupted;
    corrupted = 0;
    return new Tally(
        judged.expected(), lost, judged.duplicated(), allCorrupted, judged.reordered());
  }

  /** The time between the first message of the round and the last one whose time was taken. */
  public final Window window() {
    long first = lastSample > roundStart ? firstNs : 0;
    return new Window(first, lastNs, Math.max(0, lastSample - roundStart - 1));
  }

  /** Judges the sequences, and starts the next round at {@code sent}. */
  abstract Tally settle(long[] sent);

  /** Counts a message. */
  final void arrived() {
    long now = received + 1;
    // Pairs with received(): whoever sees the count sees what was judged.
    RECEIVED.setRelease(this, now);
    if (now >= sampleAt) {
      sample(now);
    }
  }

  final void foundCorrupted() {
    corrupted++;
  }

  /**
   * Takes the time. A branch for the first message of a round would be taken once in millions of
   * messages: code that was compiled without having seen it is thrown away when it comes, with the
   * whole receiving loop around it. The minimum of two numbers is no branch.
   */
  private void sample(long now) {
    lastNs = System.nanoTime();
    firstNs = Math.min(firstNs, lastNs);
    lastSample = now;
    sampleAt = now + samplingStride;
  }
}
