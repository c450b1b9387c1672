// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who gets which message: receives that wait for theirs, and messages that nobody has asked for
 * yet, in the order that MPI demands (MPI 4.1, section 3.5): of the messages of a source that a
 * receive accepts it takes the first, of the receives that accept a message the first takes it.
 *
 * <p>Receives that name their source, and messages, are listed by source, so the search looks at
 * what may match by source; those with a wildcard have a list of their own, and a number says which
 * of two was the first. Guarded by the device's lock for matching.
 */
final class Matching {

  /** What one context has from one source. */
  private static final class BySource {
    final Chain<ReceiveRequest> receives = new Chain<>();
    final Chain<Arrival> arrivals = new Chain<>();
  }

  /** What one context has. */
  private static final class InContext {
    private static final BySource[] NONE = {};

    final int id;
    final Chain<ReceiveRequest> anySource = new Chain<>();
    final Chain<Arrival> arrivals = new Chain<>(); // of all sources, as they came
    private @Nullable BySource[] sources = NONE;

    InContext(int id) {
      this.id = id;
    }

    @Nullable BySource existing(int source) {
      return source < sources.length ? sources[source] : null;
    }

    BySource of(int source) {
      BySource known = existing(source);
      return known != null ? known : make(source);
    }

    boolean isEmpty() {
      return anySource.isEmpty()
          && arrivals.isEmpty()
          && Arrays.stream(sources).allMatch(it -> it == null || it.receives.isEmpty());
    }

    private BySource make(int source) {
      if (source >= sources.length) {
        sources = Arrays.copyOf(sources, Math.max(source + 1, 2 * sources.length));
      }
      BySource made = new BySource();
      sources[source] = made;
      return made;
    }
  }

  /** So few are kept, empty or not. */
  private static final int LEAST_CONTEXTS = 64;

  private final Map<Integer, InContext> contexts = new HashMap<>();
  private int mostContexts = LEAST_CONTEXTS; // before empty ones go
  private InContext latest = new InContext(0);
  private long posts; // numbers receives
  private int waiting; // receives that are posted
  private int probes; // of these, those that take nothing
  private long unexpected; // messages that are here

  Matching() {
    contexts.put(latest.id, latest);
  }

  // ---------------------------------------------------------------- receives

  /**
   * Finds the first message that a receive accepts, and takes it out unless the receive is a probe;
   * if there is none the receive waits here for one.
   */
  @Nullable Arrival post(ReceiveRequest receive) {
    InContext in = context(receive.contextId());
    Arrival found = find(in, receive.wantedSource(), receive.wantedTag());
    if (found == null) {
      await(in, receive);
    } else if (receive.takes()) {
      remove(found);
    }
    return found;
  }

  private void await(InContext in, ReceiveRequest receive) {
    int source = receive.wantedSource();
    receive.number = ++posts;
    waiting++;
    probes += receive.takes() ? 0 : 1;
    (source == Device.ANY_SOURCE ? in.anySource : in.of(source).receives).add(receive.place);
  }

  /** The first message that a receive with this envelope would take; it stays. */
  @Nullable Arrival find(int contextId, int source, int tag) {
    return find(context(contextId), source, tag);
  }

  private static @Nullable Arrival find(InContext in, int source, int tag) {
    if (source == Device.ANY_SOURCE) {
      return first(in.arrivals.first(), tag);
    }
    BySource from = in.existing(source);
    return from == null ? null : first(from.arrivals.first(), tag);
  }

  private static @Nullable Arrival first(Chain.@Nullable Place<Arrival> from, int tag) {
    for (Chain.Place<Arrival> at = from; at != null; at = at.next()) {
      if (accepts(tag, at.member.tag())) {
        return at.member;
      }
    }
    return null;
  }

  /** Takes a receive back; false if it waits no more. */
  boolean withdraw(ReceiveRequest receive) {
    boolean waits = receive.place.isLinked();
    if (waits) {
      Chain.remove(receive.place);
      waiting--;
      probes -= receive.takes() ? 0 : 1;
    }
    return waits;
  }

  /** Takes back all receives of which this is true. */
  List<ReceiveRequest> withdraw(Predicate<ReceiveRequest> which) {
    List<ReceiveRequest> taken = waiting();
    taken.removeIf(which.negate());
    taken.forEach(this::withdraw);
    return taken;
  }

  /** The receives that wait. */
  List<ReceiveRequest> waiting() {
    List<ReceiveRequest> all = new ArrayList<>();
    for (InContext in : contexts.values()) {
      addMembers(in.anySource, all);
      for (BySource from : in.sources) {
        if (from != null) {
          addMembers(from.receives, all);
        }
      }
    }
    return all;
  }

  private static <T> void addMembers(Chain<T> chain, List<T> to) {
    for (Chain.Place<T> at = chain.first(); at != null; at = at.next()) {
      to.add(at.member);
    }
  }

  /** Whether a receive waits that a message from there might be for. */
  boolean isWaitedFor(int source) {
    if (waiting == 0) {
      return false;
    }
    for (InContext in : contexts.values()) {
      BySource from = in.existing(source);
      if (!in.anySource.isEmpty() || (from != null && !from.receives.isEmpty())) {
        return true;
      }
    }
    return false;
  }

  // ---------------------------------------------------------------- messages

  /**
   * The first receive or probe that waits for a message with this envelope; it waits no more. A
   * probe lets the message pass: the caller asks again.
   */
  @Nullable ReceiveRequest arrive(int contextId, int source, int tag) {
    if (waiting == 0) {
      return null;
    }
    InContext in = context(contextId);
    ReceiveRequest any = firstAccepting(in.anySource.first(), tag);
    BySource from = in.existing(source);
    ReceiveRequest named = from == null ? null : firstAccepting(from.receives.first(), tag);
    ReceiveRequest first = earlier(named, any);
    if (first != null) {
      withdraw(first);
    }
    return first;
  }

  /** Whether a message with this envelope would be seen by probes alone. */
  boolean isOnlyProbed(int contextId, int source, int tag) {
    if (probes == 0) {
      return false;
    }
    InContext in = context(contextId);
    BySource from = in.existing(source);
    return !isTaken(in.anySource.first(), tag)
        && (from == null || !isTaken(from.receives.first(), tag));
  }

  private static boolean isTaken(Chain.@Nullable Place<ReceiveRequest> from, int tag) {
    for (Chain.Place<ReceiveRequest> at = from; at != null; at = at.next()) {
      if (at.member.takes() && accepts(at.member.wantedTag(), tag)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable ReceiveRequest firstAccepting(
      Chain.@Nullable Place<ReceiveRequest> from, int tag) {
    for (Chain.Place<ReceiveRequest> at = from; at != null; at = at.next()) {
      if (accepts(at.member.wantedTag(), tag)) {
        return at.member;
      }
    }
    return null;
  }

  private static @Nullable ReceiveRequest earlier(
      @Nullable ReceiveRequest one, @Nullable ReceiveRequest other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.number < other.number ? one : other;
  }

  /** A message for which {@link #arrive} found no receive: the next one that accepts it gets it. */
  void add(Arrival arrival) {
    InContext in = context(arrival.contextId());
    in.of(arrival.source()).arrivals.add(arrival.placeOfSource);
    in.arrivals.add(arrival.placeOfContext);
    unexpected++;
  }

  /** How many messages wait for their receives. */
  long unexpected() {
    return unexpected;
  }

  /** A message has found its receive. */
  void remove(Arrival arrival) {
    Chain.remove(arrival.placeOfSource);
    Chain.remove(arrival.placeOfContext);
    unexpected--;
  }

  private static boolean accepts(int wantedTag, int tag) {
    return wantedTag == tag || wantedTag == Device.ANY_TAG;
  }

  private InContext context(int id) {
    InContext last = latest;
    return last.id == id ? last : otherContext(id);
  }

  private InContext otherContext(int id) {
    InContext known = contexts.get(id);
    latest = known != null ? known : newContext(id);
    return latest;
  }

  /** Nobody says that a context is not used any more: those that are empty go now and then. */
  private InContext newContext(int id) {
    if (contexts.size() >= mostContexts) {
      contexts.values().removeIf(InContext::isEmpty);
      mostContexts = Math.max(LEAST_CONTEXTS, 2 * contexts.size());
    }
    InContext made = new InContext(id);
    contexts.put(id, made);
    return made;
  }

  /** How many contexts are known: those that have anything, and some others. */
  int contexts() {
    return contexts.size();
  }
}
