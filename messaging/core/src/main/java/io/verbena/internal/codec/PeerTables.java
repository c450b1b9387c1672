// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.internal.codec.PeerShapes.ConflictException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tables of peers that differ from this side's. The ones used last are kept, so that a peer
 * that comes again, or a second peer of the same version, needs no new codecs. A table that is no
 * longer kept lives until no session uses it.
 */
final class PeerTables {

  private static final int MAX_TABLES = 16;

  private final TypeTable mine;
  private final Map<ByteBuffer, PeerTypes> byDigest = new LinkedHashMap<>(16, 0.75f, true);

  PeerTables(TypeTable mine) {
    this.mine = mine;
  }

  /** The table with this description; compared with this side's unless it is kept. */
  PeerTypes get(String description) throws ConflictException {
    ByteBuffer digest = ByteBuffer.wrap(TypeDescription.digest(description));
    synchronized (this) {
      PeerTypes known = byDigest.get(digest);
      if (known != null) {
        return known;
      }
    }
    PeerTypes compared = PeerTypes.of(mine, description); // unlocked: may take long
    synchronized (this) {
      PeerTypes known = byDigest.putIfAbsent(digest, compared);
      if (byDigest.size() > MAX_TABLES) {
        byDigest.remove(byDigest.keySet().iterator().next());
      }
      return known == null ? compared : known;
    }
  }
}
