// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.Host;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The connections by peer id: two levels of 256, so that looking one up takes two loads and an empty
 * table next to nothing. A connection, once made, stays.
 */
final class Connections {

  private final Host host;
  private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Connection>> pages =
      new AtomicReferenceArray<>(256);
  private final Collection<Connection> all = new CopyOnWriteArrayList<>();

  Connections(Host host) {
    this.host = host;
  }

  /** The connection to a peer, null if none was made or the id is out of range. */
  @Nullable Connection existing(int peer) {
    if ((peer & ~0xFFFF) != 0) {
      return null;
    }
    AtomicReferenceArray<@Nullable Connection> page = pages.get(peer >>> 8);
    return page == null ? null : page.get(peer & 0xFF);
  }

  /** The connection to a peer, made if there is none. */
  Connection get(int peer) {
    Connection connection = existing(peer);
    return connection != null ? connection : make(peer);
  }

  private synchronized Connection make(int peer) {
    AtomicReferenceArray<@Nullable Connection> page = pages.get(peer >>> 8);
    if (page == null) {
      page = new AtomicReferenceArray<>(256);
      pages.set(peer >>> 8, page);
    }
    Connection connection = page.get(peer & 0xFF);
    if (connection == null) {
      connection = new Connection(host, peer);
      all.add(connection);
      page.set(peer & 0xFF, connection);
    }
    return connection;
  }

  /** Every connection made so far. */
  Collection<Connection> all() {
    return all;
  }
}
