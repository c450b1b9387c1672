// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.kv.store.Durability;
import io.verbena.kv.store.Scan;
import io.verbena.kv.store.Store;
import io.verbena.kv.store.StoreOptions;
import org.jspecify.annotations.Nullable;

/** Verbena's store. */
public final class StoreEngine implements Engine {
  private final Durability durability;
  private final Store store;

  /** Opens it. */
  public StoreEngine(Settings settings) {
    durability = settings.sync() ? Durability.SYNC : Durability.MEMORY;
    store =
        Store.open(
            settings.folder(),
            StoreOptions.defaults()
                .withDurability(durability)
                .withCacheBytes(settings.cacheBytes())
                .withTables(settings.tablePairs(), settings.tableBytes())
                .withInlineLimit(settings.inlineLimit()));
  }

  @Override
  public String describe() {
    return "Verbena's store, " + durability;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    store.put(key, value);
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return store.get(key);
  }

  @Override
  public void scan(byte[] from, int count, Visitor visitor) {
    try (Scan scan = store.scan(from, null)) {
      for (int i = 0; i < count && scan.next(); i++) {
        visitor.visit(scan.key(), scan.value());
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
