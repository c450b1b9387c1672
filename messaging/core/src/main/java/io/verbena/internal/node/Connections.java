// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.internal.connection.Connection;
import io.verbena.internal.connection.Host;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The connections by peer id: two levels of 256, so that looking one up takes two loads and an
 * empty table next to nothing. A connection, once made, stays.
 */
final class Connections {

  private static final int PAGE_BITS = 8;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final VarHandle PAGE = MethodHandles.arrayElementVarHandle(Connection[][].class);
  private static final VarHandle CONNECTION =
      MethodHandles.arrayElementVarHandle(Connection[].class);

  private final Host host;
  private final @Nullable Connection[] @Nullable [] pages = new Connection[PAGE_SIZE][];
  private final Collection<Connection> all = new CopyOnWriteArrayList<>();

  Connections(Host host) {
    this.host = host;
  }

  /** The connection to a peer, null if none was made or the id is out of range. */
  @Nullable Connection existing(int peer) {
    if ((peer & ~0xFFFF) != 0) {
      return null;
    }
    // The acquires pair with the releases in make: who sees a page or connection sees it whole.
    @Nullable Connection @Nullable [] page =
        (Connection[]) PAGE.getAcquire(pages, peer >>> PAGE_BITS);
    return page == null ? null : (Connection) CONNECTION.getAcquire(page, peer & PAGE_SIZE - 1);
  }

  /** The connection to a peer, made if there is none. */
  Connection get(int peer) {
    Connection connection = existing(peer);
    return connection != null ? connection : make(peer);
  }

  private synchronized Connection make(int peer) {
    @Nullable Connection @Nullable [] page = pages[peer >>> PAGE_BITS];
    if (page == null) {
      page = new Connection[PAGE_SIZE];
      PAGE.setRelease(pages, peer >>> PAGE_BITS, page);
    }
    Connection connection = page[peer & PAGE_SIZE - 1];
    if (connection == null) {
      connection = new Connection(host, peer);
      all.add(connection);
      CONNECTION.setRelease(page, peer & PAGE_SIZE - 1, connection);
    }
    return connection;
  }

  /** Every connection made so far. */
  Collection<Connection> all() {
    return all;
  }
}
