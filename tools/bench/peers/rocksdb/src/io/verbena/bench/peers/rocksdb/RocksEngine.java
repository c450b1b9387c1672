// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers.rocksdb;

import io.verbena.bench.kv.Engine;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * RocksDB. The variant {@code direct} reads past the page cache, values that lie apart as well, so
 * that the block cache is all there is; {@code buffered} is its default, which has all of memory as
 * a second cache. Indexes and filters lie outside of the block cache, as its default is: in it,
 * whole filters push each other out.
 */
public final class RocksEngine implements Engine {
  private static final int BITS_PER_KEY = 10;

  static {
    RocksDB.loadLibrary();
  }

  private final Options options;
  private final WriteOptions writeOptions;
  private final RocksDB db;
  private final String variant;

  /** Opens it. */
  public RocksEngine(Settings settings) throws RocksDBException {
    variant = settings.variant();
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(new LRUCache(settings.cacheBytes()))
            .setFilterPolicy(new BloomFilter(BITS_PER_KEY, false));
    boolean isDirect = variant.equals("direct");
    options =
        new Options()
            .setCreateIfMissing(true)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setEnableBlobFiles(true)
            .setMinBlobSize(settings.inlineLimit() + 1L)
            .setEnableBlobGarbageCollection(true)
            .setWriteBufferSize(settings.tableBytes())
            .setMaxWriteBufferNumber(2)
            .setTableFormatConfig(table)
            .setMaxBackgroundJobs(4) // as many threads as the store has
            .setUseDirectReads(isDirect)
            .setUseDirectIoForFlushAndCompaction(isDirect);
    writeOptions = new WriteOptions().setSync(settings.sync());
    db = RocksDB.open(options, settings.folder().toString());
  }

  @Override
  public String describe() {
    return "RocksDB %s, %s, sync=%s"
        .formatted(RocksDB.rocksdbVersion(), variant, writeOptions.sync());
  }

  @Override
  public void put(byte[] key, byte[] value) throws RocksDBException {
    db.put(writeOptions, key, value);
  }

  @Override
  public byte[] get(byte[] key) throws RocksDBException {
    return db.get(key);
  }

  @Override
  public void scan(byte[] from, int count, Visitor visitor) throws RocksDBException {
    try (RocksIterator iterator = db.newIterator()) {
      int found = 0;
      for (iterator.seek(from); iterator.isValid() && found < count; iterator.next(), found++) {
        visitor.visit(iterator.key(), iterator.value());
      }
      iterator.status();
    }
  }

  @Override
  public void close() {
    db.close();
    writeOptions.close();
    options.close();
  }
}
