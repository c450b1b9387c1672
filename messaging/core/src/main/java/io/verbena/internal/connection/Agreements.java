// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.PeerLostException;
import io.verbena.PeerRestartedException;
import io.verbena.VerbenaException;
import io.verbena.internal.codec.PeerTypes;
import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.Link;
import io.verbena.transport.RefusedException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Decides which session goes on over a new link. Handshakes may overlap: when both sides dial, or
 * when the accepting side is late with one the dialler has given up. The first to end decides; to
 * the others the session has changed since they asked, or its link, and they are void on both
 * sides. But of two that ended at once, one on each side, the one the lower id dialled stands. Used
 * under the connection's lock.
 */
final class Agreements {

  private static final Logger LOG = System.getLogger("io.verbena");

  private final Connection connection;
  private final Host host;
  private final Dialler dialler;

  private long life; // the peer's life that the last session began with
  private int withoutMemory; // sessions that could not begin for want of it
  private long replacedLife; // and the one before

  Agreements(Connection connection, Dialler dialler) {
    this.connection = connection;
    this.host = connection.host();
    this.dialler = dialler;
  }

  /**
   * The session that goes on over the link.
   *
   * @param former the one there is
   * @throws RefusedException if the terms are void by now
   */
  Session agreed(@Nullable Session former, Agreement terms, Link link, String reason)
      throws RefusedException {
    if (!terms.resumed() && dialOverAnotherGoesFirst(link)) {
      throw crossed("node " + host.id() + " dials over another transport, and goes first");
    }
    if (former == null || former.peerIncarnation() != terms.peerIncarnation()) {
      return firstAgreed(former, terms, link, reason);
    }
    Held now = former.held();
    if (now.isLinked() && now.link() != terms.held().link() && !dialGoesFirst()) {
      throw crossed("a link came up meanwhile, from a handshake that ended first");
    }
    boolean unchanged = now.session() == terms.held().session();
    checkVersion(former, terms);
    if (terms.resumed()) {
      return resumed(former, unchanged, link);
    }
    if ((unchanged || dialGoesFirst())
        && former.transport() == link.transport()
        && former.tryRename(terms.session())) {
      return former;
    }
    if (!unchanged || (former.isLinked() && !former.closing().isAgreed())) {
      throw crossed("another session began meanwhile");
    }
    if (former.transport() != link.transport() && !former.isConfirmed() && !isOwnDial()) {
      throw carriedBy(former); // there it goes on under the agreed id
    }
    connection.replaced(
        former,
        new PeerLostException(
            "node "
                + peer()
                + " gave the session up and began a new one; the last link went down: "
                + former.lastDown()),
        Loss.Kind.LOST);
    return begin(terms, link, reason);
  }

  /** There is no session, or one with another life of the peer. */
  private Session firstAgreed(@Nullable Session former, Agreement terms, Link link, String reason)
      throws RefusedException {
    if (terms.held().session() != 0) {
      throw crossed("the session was over before it was resumed");
    }
    if (former != null) {
      if (terms.peerIncarnation() == replacedLife && former.isLinked() && former.isConfirmed()) {
        throw crossed(
            "node "
                + peer()
                + " was started again since; if two processes have this id, give each its own");
      }
      VerbenaException cause =
          new PeerRestartedException(
              "node " + peer() + " was restarted; what it knew before is gone");
      connection.replaced(former, cause, Loss.Kind.RESTARTED);
    }
    return begin(terms, link, reason);
  }

  /** One life of a node speaks the same versions throughout: somebody has changed what was said. */
  private void checkVersion(Session former, Agreement terms) throws RefusedException {
    if (former.version() != terms.version()) {
      throw new RefusedException(
          RefusedException.Reason.PROTOCOL,
          "node "
              + peer()
              + " speaks version "
              + terms.version()
              + " of the protocol now and spoke version "
              + former.version()
              + " before");
    }
  }

  private Session resumed(Session former, boolean unchanged, Link link) throws RefusedException {
    if (!unchanged || former.ended() != null) {
      throw crossed("the session was over before it was resumed");
    }
    if (former.transport() != link.transport()) {
      // Its lanes lie in the other transport's memory. Happens when dials cross under auto.
      throw carriedBy(former);
    }
    host.metrics().connectionResumed();
    return former;
  }

  private Session begin(Agreement terms, Link link, String reason) throws RefusedException {
    if (host.isClosed()) {
      throw new RefusedException(
          RefusedException.Reason.CLOSING, "node " + host.id() + " is closing");
    }
    if (life != terms.peerIncarnation()) {
      replacedLife = life; // its last handshake may still be on its way
      life = terms.peerIncarnation();
    }
    try {
      Session begun = new Session(connection, link.transport(), terms, typesOf(terms), reason);
      host.metrics().connectionMade();
      return begun;
    } catch (IOException e) {
      warnOfMemory(link, e);
      throw new RefusedException(
          RefusedException.Reason.CLOSING, "no memory for a lane: " + e.getMessage());
    }
  }

  /** The dialling side goes on with the next transport, if there is one: nobody else would tell. */
  private void warnOfMemory(Link link, IOException why) {
    if (Integer.bitCount(++withoutMemory) == 1) { // a connection may be tried for long
      LOG.log(
          Level.WARNING,
          "node {0}: no connection to node {1} over {2}, the next transport is tried: {3}",
          String.valueOf(host.id()),
          String.valueOf(peer()),
          link.transport().name(),
          why.getMessage());
    }
  }

  /** The handshake has judged that the two tables are those of one program. */
  private PeerTypes typesOf(Agreement terms) throws RefusedException {
    String description = terms.peerTypes();
    try {
      return description == null ? host.types().ownTypes() : host.types().typesOf(description);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(RefusedException.Reason.TYPES, String.valueOf(e.getMessage()));
    }
  }

  private int peer() {
    return connection.peer();
  }

  private boolean isOwnDial() {
    return dialler.isDiallingThread();
  }

  private boolean dialGoesFirst() {
    return isOwnDial() && host.id() < peer();
  }

  /** The far side may have a session by it already, which cannot become that of this link. */
  private boolean dialOverAnotherGoesFirst(Link link) {
    return !isOwnDial() && host.id() < peer() && dialler.isAnsweredOverAnother(link.transport());
  }

  private static RefusedException carriedBy(Session session) {
    return crossed("the session is carried by transport " + session.transport().name());
  }

  private static RefusedException crossed(String why) {
    return new RefusedException(RefusedException.Reason.CROSSED, why);
  }
}
