// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.codec;

import io.verbena.internal.codec.PeerShapes.ConflictException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tables of peers that differ from the own one, those used last: a peer that comes again, or a
 * second one of the same version, costs no codecs. What falls out goes when no session needs it.
 */
final class PeerTables {

  private static final int MAX_TABLES = 16;

  private final TypeTable mine;
  private final Map<ByteBuffer, PeerTypes> byDigest = new LinkedHashMap<>(16, 0.75f, true);

  PeerTables(TypeTable mine) {
    this.mine = mine;
  }

  /** The table with this description; compared with the own one if it was not lately. */
  PeerTypes get(String description) throws ConflictException {
    ByteBuffer digest = ByteBuffer.wrap(TypeDescription.digest(description));
    synchronized (this) {
      PeerTypes known = byDigest.get(digest);
      if (known != null) {
        return known;
      }
    }
    PeerTypes compared = PeerTypes.of(mine, description); // may take long: without the lock
    synchronized (this) {
      PeerTypes known = byDigest.putIfAbsent(digest, compared);
      if (byDigest.size() > MAX_TABLES) {
        byDigest.remove(byDigest.keySet().iterator().next());
      }
      return known == null ? compared : known;
    }
  }
}
