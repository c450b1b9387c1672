// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.PeerLostException;
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
    /** This side has sealed its lane and waits for the answer. */
    PROPOSED,
    /** This side has sealed its lane and has agreed to what the peer proposed. */
    AGREED,
    /** Both sides have proposed it, and this one has agreed. */
    CROSSED
  }

  /** The session was closed because it was idle: nothing is lost, the caller takes the next one. */
  static final class IdleClosedException extends PeerLostException {
    private static final long serialVersionUID = 1L;

    private final int peer;

    IdleClosedException(int peer) {
      super("the idle connection to node " + peer + " was closed; send again and it comes back");
      this.peer = peer;
    }

    int peer() {
      return peer;
    }
  }

  private final Session session;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private volatile long agreedNs;
  private volatile boolean owesRefusal;

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
    if (isIdle()) {
      seal(Control.CLOSE, State.PROPOSED);
    }
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
    } else if (!isIdle() || !seal(Control.CLOSE_AGREED, State.AGREED)) {
      refuse();
    }
  }

  /** Not behind messages that wait for handlers: those may wait for what the peer has sealed. */
  private void refuse() {
    owesRefusal = !session.tryInnerControl(Control.CLOSE_REFUSED);
  }

  /** Says no if there was no room for that before: the peer's senders wait for it. */
  void refuseIfOwed() {
    if (owesRefusal) {
      refuse();
    }
  }

  private void agreedByPeer() {
    if (state.get() == State.PROPOSED || state.get() == State.CROSSED) {
      session.connection().evicted(session);
    } else {
      session.broken("agreed to a close that nobody proposed");
    }
  }

  private void refusedByPeer() {
    if (state.get() == State.PROPOSED) {
      session.unseal();
      state.set(State.OPEN);
    } else if (state.get() != State.CROSSED) { // there the refusal has met the peer's own proposal
      session.broken("refused a close that nobody proposed");
    }
  }

  /** A first look; {@link #seal} decides. */
  private boolean isIdle() {
    return session.isLinked() && session.isDrained() && hangsNothingOnIt();
  }

  /**
   * Says a last thing on the lane if it is drained and nothing else keeps the session. Looked for
   * under the lane's lock, which whoever sends a request or opens a lane takes, too: so either this
   * sees them, or they see the seal.
   */
  private boolean seal(int what, State next) {
    return session.seal(what, () -> hangsNothingOnIt() && state.compareAndSet(State.OPEN, next));
  }

  private boolean hangsNothingOnIt() {
    return session.exclusiveCount() == 0 && !session.host().requests().hasAny(session.connection());
  }
}
