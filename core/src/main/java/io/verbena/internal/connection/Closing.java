// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Closes a session in which nothing happens, by agreement with the peer, so that nothing is lost:
 * who proposes it or agrees to it seals its drained lane first.
 *
 * <p>The proposer ends the session when it reads the answer, and with it the link; who agreed ends
 * it when that link is down. So a link that breaks in between costs nothing either: the proposer
 * keeps the session, in case that the peer never read the proposal and still has something to say,
 * but dials only if somebody wants to send.
 */
final class Closing {

  private enum State {
    /** Nobody wants to close. */
    OPEN,
    /** This side is about to propose it. */
    PROPOSING,
    /** This side has sealed its lane and waits for the answer. */
    PROPOSED,
    /** This side has sealed its lane and has agreed to what the peer proposed. */
    AGREED,
    /** Both sides have proposed it, and this one has agreed. */
    CROSSED
  }

  private final Session session;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private volatile long agreedNs;

  Closing(Session session) {
    this.session = session;
  }

  /** Whether this side waits for the end of the session; its senders wait, too. */
  boolean isUnderWay() {
    return state.get() != State.OPEN;
  }

  /** Whether the session is over for this side as soon as its link is. */
  boolean isAgreed() {
    State now = state.get();
    return now == State.AGREED || now == State.CROSSED;
  }

  /** Whether the peer has not ended the link for so long after this side agreed. */
  boolean isOverdue(long nowNs, long limitNs) {
    return isAgreed() && nowNs - agreedNs >= limitNs;
  }

  /** Proposes to close the session if it is idle. */
  void propose() {
    if (!isIdle() || !state.compareAndSet(State.OPEN, State.PROPOSING)) {
      return;
    }
    // The answer may come before it is noted that the proposal was made.
    State made = seal(Control.CLOSE) ? State.PROPOSED : State.OPEN;
    state.compareAndSet(State.PROPOSING, made);
  }

  /** What the peer says about it. */
  void heard(int what) {
    switch (what) {
      case Control.CLOSE -> proposedByPeer();
      case Control.CLOSE_AGREED -> agreedByPeer();
      case Control.CLOSE_REFUSED -> refusedByPeer();
      default -> throw new IllegalArgumentException("control " + what);
    }
  }

  private void proposedByPeer() {
    agreedNs = System.nanoTime();
    if (state.compareAndSet(State.PROPOSED, State.CROSSED)) {
      session.tryControl(Control.CLOSE_AGREED); // has room: the lane was drained when it was sealed
    } else if (!agree()) {
      session.tryControl(Control.CLOSE_REFUSED);
    }
  }

  private boolean agree() {
    if (!isIdle() || !state.compareAndSet(State.OPEN, State.AGREED)) {
      return false;
    }
    if (seal(Control.CLOSE_AGREED)) {
      return true;
    }
    state.set(State.OPEN);
    return false;
  }

  private void agreedByPeer() {
    if (isProposed() || state.get() == State.CROSSED) {
      session.connection().evicted(session);
    } else {
      session.broken("agreed to a close that nobody proposed");
    }
  }

  private void refusedByPeer() {
    if (isProposed()) {
      session.unseal();
      state.set(State.OPEN);
    } else {
      session.broken("refused a close that nobody proposed");
    }
  }

  private boolean isProposed() {
    State now = state.get();
    return now == State.PROPOSING || now == State.PROPOSED;
  }

  /** A first look; {@link #seal} decides. */
  private boolean isIdle() {
    return session.isLinked() && session.isDrained() && hangsNothingOnIt();
  }

  /**
   * Says a last thing on the lane if it is drained. What would keep the session is looked for when
   * the state has changed already, so that either this sees the lane that is being opened or its
   * opener sees the state; and under the lane's lock, so that no request is sent in between.
   */
  private boolean seal(int what) {
    return session.seal(what, this::hangsNothingOnIt);
  }

  private boolean hangsNothingOnIt() {
    return session.laneCount() == 1 && !session.host().requests().hasAny(session.connection());
  }
}
