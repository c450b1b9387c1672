// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.verbena.kv.store.Durability;
import io.verbena.kv.store.Scan;
import io.verbena.kv.store.Store;
import io.verbena.kv.store.StoreException;
import io.verbena.kv.store.StoreOptions;
import io.verbena.kv.store.Versioned;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The store as YCSB calls it: an object for each of its threads, one store for all of them. A key
 * is the table's name, a byte 0 and YCSB's key. Updates are compare-and-set, so none is lost.
 *
 * <p>Properties: {@code verbena.kv.folder}, which is needed; {@code verbena.kv.durability} (memory,
 * interval, sync), {@code verbena.kv.cacheBytes}, {@code verbena.kv.inlineLimit}, {@code
 * verbena.kv.tableBytes} and {@code verbena.kv.tablePairs}, which are those of {@link
 * StoreOptions}.
 */
@SuppressWarnings("JdkObsolete") // YCSB wants a Vector
public final class StoreClient extends DB {
  private static final String PREFIX = "verbena.kv.";

  private static final Object SHARED = new Object();
  private static @Nullable Store shared; // guarded by SHARED
  private static int users; // guarded by SHARED

  private @Nullable Store own;

  @Override
  public void init() throws DBException {
    synchronized (SHARED) {
      try {
        if (shared == null) {
          shared = open(getProperties());
        }
        own = shared;
        users++;
      } catch (StoreException | IllegalArgumentException e) {
        throw new DBException(e.getMessage(), e);
      }
    }
  }

  private static Store open(Properties properties) throws DBException {
    String folder = properties.getProperty(PREFIX + "folder");
    if (folder == null) {
      throw new DBException(PREFIX + "folder is missing: say  -p " + PREFIX + "folder=FOLDER");
    }
    StoreOptions defaults = StoreOptions.defaults();
    return Store.open(
        Path.of(folder),
        defaults
            .withDurability(durability(properties, defaults.durability()))
            .withCacheBytes(number(properties, "cacheBytes", defaults.cacheBytes()))
            .withInlineLimit(small(properties, "inlineLimit", defaults.inlineLimit()))
            .withTables(
                small(properties, "tablePairs", defaults.tablePairs()),
                number(properties, "tableBytes", defaults.tableBytes())));
  }

  private static Durability durability(Properties properties, Durability otherwise) {
    String text = properties.getProperty(PREFIX + "durability", otherwise.name());
    for (Durability each : Durability.values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        PREFIX + "durability is '" + text + "'; it may be memory, interval or sync");
  }

  private static long number(Properties properties, String name, long otherwise) {
    String text = properties.getProperty(PREFIX + name);
    try {
      return text == null ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          PREFIX + name + " is '" + text + "'; say a number without a unit", e);
    }
  }

  /** What is beyond an int is beyond the option's limits as well. */
  private static int small(Properties properties, String name, int otherwise) {
    return Math.clamp(number(properties, name, otherwise), Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public void cleanup() throws DBException {
    synchronized (SHARED) {
      Store last = own != null && --users == 0 ? own : null;
      own = null;
      if (last != null) {
        shared = null;
        try {
          last.close();
        } catch (StoreException e) {
          throw new DBException(e.getMessage(), e);
        }
      }
    }
  }

  private interface Call {
    Status on(Store store);
  }

  private Status call(Call call) {
    Store store = own;
    if (store == null) {
      return Status.UNEXPECTED_STATE;
    }
    try {
      return call.on(store);
    } catch (StoreException e) {
      System.err.println(e.getMessage());
      return e.reason() == StoreException.Reason.BUSY ? Status.SERVICE_UNAVAILABLE : Status.ERROR;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return Status.BAD_REQUEST;
    }
  }

  private static byte[] keyOf(String table, String key) {
    return (table + '\0' + key).getBytes(UTF_8);
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return call(
        store -> {
          byte[] value = store.get(keyOf(table, key));
          if (value == null) {
            return Status.NOT_FOUND;
          }
          Fields.parse(value).copyTo(result, fields);
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return call(
        store -> {
          byte[] behindTable = (table + '\1').getBytes(UTF_8);
          try (Scan scan = store.scan(keyOf(table, startkey), behindTable)) {
            for (int i = 0; i < recordcount && scan.next(); i++) {
              HashMap<String, ByteIterator> record = new HashMap<>();
              Fields.parse(scan.value()).copyTo(record, fields);
              result.add(record);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    Fields changed = Fields.of(values);
    return call(
        store -> {
          byte[] name = keyOf(table, key);
          Versioned now = store.getVersioned(name);
          while (now != null) {
            byte[] next = Fields.parse(now.value()).with(changed).toBytes();
            if (store.compareAndSet(name, now.version(), next) != 0) {
              return Status.OK;
            }
            now = store.getVersioned(name); // somebody was faster
          }
          return Status.NOT_FOUND;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    byte[] value = Fields.of(values).toBytes();
    return call(
        store -> {
          store.put(keyOf(table, key), value);
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return call(
        store -> {
          store.delete(keyOf(table, key));
          return Status.OK;
        });
  }
}
