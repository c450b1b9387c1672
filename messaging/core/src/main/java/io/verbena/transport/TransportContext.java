// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What a node tells its transports, and what they report to it. Usable from any thread. */
public interface TransportContext {

  /** How long the node's clock waits with what it is to look at soon. */
  long LOOK_SOON_NS = 20_000_000;

  /** The local node's id. */
  int nodeId();

  /** The local node's incarnation. */
  long incarnation();

  /** The cluster's name. */
  String cluster();

  /** The cluster key, or null if none is configured. */
  @Nullable ClusterKey clusterKey();

  /** The versions of the protocol that the node speaks. */
  default Versions versions() {
    return Versions.SPOKEN;
  }

  /** The fingerprint of the type table. */
  long typeFingerprint();

  /** The canonical description of the type table; sent to a peer whose fingerprint differs. */
  String typeDescription();

  /** The first difference between the local type table and a peer's, as a sentence. */
  String typeDifference(String peerDescription);

  /**
   * Why the two type tables cannot be those of two versions of one program, as a sentence; null if
   * they can. Both sides come to the same judgement.
   */
  @Nullable String typeConflict(String peerDescription);

  /** The value of a configuration key, checked against its range; its default if not set. */
  String setting(ConfigKey key);

  /** The same as a number, a number of bytes or nanoseconds, as the key's kind says. */
  default long number(ConfigKey key) {
    return key.number(setting(key));
  }

  /** The same as a time. */
  default Duration duration(ConfigKey key) {
    return key.duration(setting(key));
  }

  /** How long a spinning thread spins before it blocks, in nanoseconds. */
  long idleSpinNs();

  /** How often a spinning thread looks before it lets others run between looks. */
  default int idleLooks() {
    return 32;
  }

  /**
   * The peer has answered the dial to it that is under way. Called before {@link Transport#connect}
   * returns or throws: a later call counts for the next attempt, which nobody may have answered.
   */
  void answered(int peer);

  /**
   * Whether a dial to this peer is under way here that the peer has {@link #answered} within the
   * last second. When both sides dial at once the dial of the node with the lower id goes first: a
   * node that accepts while its own dial goes first refuses with {@link
   * RefusedException.Reason#CROSSED}. A dial that nobody has answered, or that was answered and
   * then hangs, may come to nothing: the peer's own dial does not wait for it.
   */
  boolean isDialling(int peer);

  /**
   * What is held with this life of a peer now. A dialling side that finds a link by the time it
   * knows the peer's life ends its dial with {@link RefusedException.Reason#CROSSED}: the peer's
   * own dial was faster.
   */
  Held held(int peer, long peerIncarnation);

  /**
   * Another life of a peer asks to be let in, and has proved the key. The node may hold a session
   * with a life that still answers: then two processes have this id, and the newcomer is refused
   * with {@link RefusedException.Reason#IDENTITY}. Blocks while the present life is asked, see
   * {@link Link#peerAnswers}.
   */
  default void contest(int peer, long newIncarnation) throws RefusedException {}

  /**
   * A link is up and both sides have agreed on its session. The link replaces the session's former
   * one, if any. The node attaches its outgoing lanes before this returns.
   *
   * @param reason why this transport was chosen, for people
   * @throws RefusedException if the node holds another session by now; close the link then
   */
  LinkEvents established(Agreement agreement, Link link, String reason) throws RefusedException;

  /** An incoming link was refused or its handshake was broken; counted by reason. */
  void rejected(RefusedException.Reason reason, String text);

  /**
   * Moves messages that handlers queued because a lane was full. Loops call it every round.
   *
   * @return how many are still queued; while there are any the loop must not sleep for long
   */
  int moveBacklog();

  /**
   * A round has found work: threads that wait for what has come look for it. Loops call it after
   * each such round, so it must be cheap.
   */
  default void received() {}

  /**
   * Has the node's clock call this within {@link #LOOK_SOON_NS} or a little more, and again for as
   * long as it returns true: for what is left to a receiving thread, which may stay in a handler.
   * It must not block. Any thread; wakes the clock if nobody has called this for a while.
   */
  void lookSoon(BooleanSupplier look);

  /** A thread that has received leaves: one that waits may take its place. */
  default void roleIsFree() {}

  /**
   * Frees memory that users' threads may be looking at a while later, at the latest when the node
   * is closed. The JVM interrupts a thread that is in the middle of an access to memory whose arena
   * is closed.
   *
   * @param bytes how much it is
   * @param release frees it; called once, by any thread
   */
  void freeLater(long bytes, Runnable release);
}
