// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** What the library counts, by the names it has among a node's metrics. */
final class Counted {

  private static final String REFUSED = "refused_";

  private Counted() {}

  /**
   * {@code links_made} is {@code rdma.links.made}. What the exchange refuses never comes to a
   * handshake, which would report it: a {@code refused_key} is a {@code links.rejected.KEY}, too.
   */
  static Map<String, Long> named(Map<String, Long> counted) {
    Map<String, Long> named = new HashMap<>();
    counted.forEach(
        (member, count) -> {
          named.put(RdmaProvider.NAME + '.' + member.replace('_', '.'), count);
          if (member.startsWith(REFUSED) && count > 0) {
            String reason = member.substring(REFUSED.length()).toUpperCase(Locale.ROOT);
            named.put("links.rejected." + reason, count);
          }
        });
    return Collections.unmodifiableMap(named);
  }
}
