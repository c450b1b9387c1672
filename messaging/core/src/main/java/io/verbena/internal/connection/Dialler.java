// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.transport.Errands;
import io.verbena.transport.RefusedException;
import io.verbena.transport.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Dials one peer until a link is up or the time is over; at most one dial at a time. */
final class Dialler {

  /** How long a dial that was answered goes before the peer's own: a longer one may hang. */
  static final long GOES_FIRST_NS = 1_000_000_000;

  private static final long LEAST_TIMEOUT_NS = 50_000_000;
  private static final long FIRST_PAUSE_NS = 2_000_000;
  private static final long LAST_PAUSE_NS = 200_000_000;

  private final Host host;
  private final Connection connection;
  private final FutileLinks futile; // by who is running
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile @Nullable Dial dial; // the one under way
  private volatile boolean attempting;
  private volatile boolean answered; // the attempt under way
  private volatile long answeredNs;
  private volatile @Nullable Transport over; // of the attempt under way
  private volatile @Nullable Thread dialling; // the thread of the attempt under way
  private volatile String lastFailure = ""; // since there was a link

  Dialler(Host host, Connection connection) {
    this.host = host;
    this.connection = connection;
    this.futile = new FutileLinks(connection);
  }

  /** The far side has answered the attempt under way. */
  void answered() {
    answeredNs = System.nanoTime();
    answered = true;
  }

  /**
   * Whether an attempt is under way that the far side has answered a moment ago. Between two tries,
   * while nobody answers, and when the answer was all that came, the other side may go first.
   */
  boolean goesFirst(long nowNs) {
    return attempting && answered && nowNs - answeredNs < GOES_FIRST_NS;
  }

  /**
   * Whether an attempt over another transport is under way that the far side has answered. It may
   * have accepted it: what begins over this one would be a second session.
   */
  boolean isAnsweredOverAnother(Transport transport) {
    return attempting && answered && over != transport;
  }

  /**
   * Whether the calling thread is the one that dials: what it establishes the far side has
   * accepted.
   */
  boolean isDiallingThread() {
    return dialling == Thread.currentThread();
  }

  /** Why the last try came to nothing; empty if none has since there was a link. */
  String lastFailure() {
    return lastFailure;
  }

  /** Why the dial under way, or else the last one, has brought no link. */
  String whyNotLinked() {
    Dial now = dial;
    return now != null && !now.hasTried ? "the first try to connect has not ended" : lastFailure;
  }

  /** The dial under way; null if there is none. */
  @Nullable Dial dial() {
    return dial;
  }

  /** Starts to dial unless that is going on already or no link is wanted. */
  void start() {
    if (connection.wantsLink() && running.compareAndSet(false, true)) {
      Errands.run("verbena-" + host.id() + "-dial-" + connection.peer(), this::run);
    }
  }

  private void run() {
    Outcome outcome = Outcome.LINKED;
    Dial now = new Dial();
    dial = now;
    try {
      outcome = dialUntilLinked(now);
    } finally {
      if (outcome == Outcome.LINKED) {
        letNextBegin();
      }
    }
    if (outcome == Outcome.LINKED) {
      connection.linkMade();
    } else {
      connection.dialFailed(
          connection.dialFailure(
              "no connection to node " + connection.peer() + ": " + outcome.why, outcome.isFinal()),
          now.sinceNs,
          this::letNextBegin);
    }
  }

  private void letNextBegin() {
    dial = null;
    running.set(false);
  }

  private Outcome dialUntilLinked(Dial now) {
    Outcome outcome = new Outcome("it is no peer, and none of the transports reaches it", false);
    long untilNs = connection.dialUntilNs();
    pause(futile.pauseNs(), untilNs);
    long pauseNs = FIRST_PAUSE_NS;
    while (!host.isClosed()) {
      if (!connection.wantsLink()) {
        lastFailure = "";
        return Outcome.LINKED; // the other side was faster, whatever becomes of its link
      }
      outcome = tryAll(untilNs);
      lastFailure = outcome == Outcome.LINKED ? "" : outcome.why;
      now.hasTried = true;
      untilNs = connection.prolonged(now.sinceNs, untilNs);
      if (outcome == Outcome.LINKED || outcome.isFinal() || System.nanoTime() - untilNs >= 0) {
        break;
      }
      pause(Math.max(pauseNs, futile.pauseNs()), untilNs);
      pauseNs = Math.min(pauseNs * 2, LAST_PAUSE_NS);
    }
    return outcome;
  }

  private static void pause(long ns, long untilNs) {
    LockSupport.parkNanos(Math.min(ns, untilNs - System.nanoTime()));
  }

  /** Tries each transport once: that of the session there is, and then the preferred first. */
  private Outcome tryAll(long untilNs) {
    String address = host.addressOf(connection.peer());
    List<Transport> transports = new ArrayList<>(host.transportsTo(connection.peer()));
    Transport carrier = connection.carrier();
    if (carrier != null && transports.remove(carrier)) {
      transports.addFirst(carrier);
    }
    StringBuilder why = new StringBuilder();
    boolean refused = false;
    int left = transports.size();
    for (Transport transport : transports) {
      long timeoutNs =
          (untilNs - System.nanoTime()) / left--; // a silent one leaves some to the rest
      try {
        answered = false;
        over = transport;
        attempting = true;
        dialling = Thread.currentThread();
        transport.connect(
            connection.peer(),
            address == null ? "" : address,
            Duration.ofNanos(Math.max(timeoutNs, LEAST_TIMEOUT_NS)));
        futile.linked();
        return Outcome.LINKED;
      } catch (RefusedException e) {
        refused |= isLasting(e.reason());
        add(why, transport, e);
      } catch (IOException e) {
        add(why, transport, e);
      } catch (RuntimeException e) {
        add(why, transport, e);
      } finally {
        attempting = false;
        dialling = null;
      }
    }
    if (transports.isEmpty()) {
      why.append(noTransport(address));
    }
    return new Outcome(why.toString(), refused);
  }

  private String noTransport(@Nullable String address) {
    if (address == null) {
      return "it is no peer of this node; add it with addPeer or the key 'peers'";
    }
    if (!address.isEmpty()) {
      return "no transport reaches address '"
          + address
          + "'; is the jar of one that does, such as verbena-transport-tcp, on the module or class"
          + " path?";
    }
    return "it has no address and is not found in shared memory; is it running on this host, as"
        + " this user, in this cluster, and is verbena-transport-shm on the module or class path?"
        + " To reach it over a network name its address in 'peers', "
        + connection.peer()
        + "=host:port";
  }

  private static boolean isLasting(RefusedException.Reason reason) {
    return switch (reason) {
      case CROSSED, CLOSING, PROTOCOL -> false;
      case IDENTITY, KEY, TYPES -> true;
    };
  }

  private static void add(StringBuilder why, Transport transport, Exception e) {
    why.append(why.isEmpty() ? "" : "; ").append(transport.name()).append(": ");
    why.append(e.getMessage() == null ? e.getClass().getName() : e.getMessage());
  }

  /** One dial, which ends with a link or is given up. */
  static final class Dial {
    /** When it began, by {@link System#nanoTime}. */
    final long sinceNs = System.nanoTime();

    private volatile boolean hasTried; // each transport once, in vain
  }

  /** How a round of tries ended. */
  private record Outcome(String why, boolean isFinal) {
    static final Outcome LINKED = new Outcome("a link is up", false);
  }
}
