// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.internal.codec.MessageCodec;
import io.verbena.internal.codec.MessageSink;
import io.verbena.internal.codec.PeerTypes;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which sink takes messages of which type. Read for every message, written seldom. Peers with
 * another version of the program have a table of their own, whose sinks feed the same handlers.
 */
public class SinkTable {

  private static final int MAX_KEPT = 16;

  private volatile @Nullable MessageSink[] sinks = new @Nullable MessageSink[0];

  // Guarded by this.
  private final List<WeakReference<OfPeers>> inUse = new ArrayList<>();
  private final Map<PeerTypes, OfPeers> kept = // those used last: whoever comes again costs nothing
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PeerTypes, OfPeers> eldest) {
          return size() > MAX_KEPT;
        }
      };

  /** The table as it is now, indexed by type; shorter than the largest id if none is registered. */
  public final @Nullable MessageSink[] current() {
    return sinks;
  }

  /** The sink of a type, which {@link #current} may lack; null if there is no handler. */
  public @Nullable MessageSink find(int typeId) {
    @Nullable MessageSink[] now = sinks;
    return typeId < now.length ? now[typeId] : null;
  }

  /** Registers a sink in place of the former one; null if there is none any more. */
  public final synchronized void put(int typeId, @Nullable MessageSink sink) {
    store(typeId, sink);
    for (WeakReference<OfPeers> reference : inUse) {
      OfPeers table = reference.get();
      if (table != null) {
        table.forget(typeId);
      }
    }
  }

  /** Under the lock of the node's table. */
  final void store(int typeId, @Nullable MessageSink sink) {
    @Nullable MessageSink[] next = Arrays.copyOf(sinks, Math.max(sinks.length, typeId + 1));
    next[typeId] = sink;
    sinks = next;
  }

  /** The table for what peers with these types write. */
  public final synchronized SinkTable of(PeerTypes types) {
    if (types.isSame()) {
      return this;
    }
    return kept.computeIfAbsent(types, this::inUseOf);
  }

  private OfPeers inUseOf(PeerTypes types) {
    inUse.removeIf(reference -> reference.get() == null);
    return inUse.stream()
        .map(WeakReference::get)
        .filter(Objects::nonNull)
        .filter(table -> table.types == types)
        .findFirst()
        .orElseGet(() -> newOf(types));
  }

  private OfPeers newOf(PeerTypes types) {
    OfPeers made = new OfPeers(this, types);
    inUse.add(new WeakReference<>(made));
    return made;
  }

  /** Makes a sink when the first message of its type arrives. */
  private static final class OfPeers extends SinkTable {
    private final SinkTable own;
    private final PeerTypes types;

    OfPeers(SinkTable own, PeerTypes types) {
      this.own = own;
      this.types = types;
    }

    @Override
    public @Nullable MessageSink find(int typeId) {
      MessageSink known = super.find(typeId);
      return known == null ? make(typeId) : known;
    }

    /** Under the lock of the node's table: it is made again when it is needed. */
    void forget(int typeId) {
      if (typeId < current().length) {
        store(typeId, null);
      }
    }

    private @Nullable MessageSink make(int typeId) {
      synchronized (own) { // no handler is registered meanwhile
        MessageSink mine = own.find(typeId);
        if (mine != null) {
          store(typeId, read(mine, typeId));
        }
        return super.find(typeId);
      }
    }

    private MessageSink read(MessageSink mine, int typeId) {
      MessageCodec codec = types.codec(typeId);
      return codec == null || !types.differs(typeId) ? mine : mine.readBy(codec);
    }
  }
}
