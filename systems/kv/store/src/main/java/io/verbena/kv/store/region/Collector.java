// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import static java.lang.System.Logger.Level.WARNING;

import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.log.LogSegment;
import io.verbena.kv.store.log.Operation;
import io.verbena.kv.store.log.Record;
import io.verbena.kv.store.log.Recovery;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frees segments of the log most of which nobody needs: the values that keys still name are written
 * again, as moves. A move is a write that keeps the value's version; whether the key still names
 * the old place is looked at when nobody can write in between. The segment goes with the commit
 * that brings the moves into a tree.
 */
final class Collector {
  private static final int GROUP_BYTES = 256 << 10;

  private final RegionEngine region;
  private final Catalog catalog;
  private final Segments logFiles;
  private final int groupValues;

  Collector(RegionEngine region, Catalog catalog, Segments logFiles, int tablePairs) {
    this.region = region;
    this.catalog = catalog;
    this.logFiles = logFiles;
    this.groupValues = Math.min(1024, tablePairs / 2);
  }

  /** A value that its key named when it was looked at. */
  record Live(MemorySegment key, MemorySegment value, long version, long segment, int offset) {
    int bytes() {
      return Operation.bytes(Operation.MOVE, (int) key.byteSize(), (int) value.byteSize());
    }
  }

  /** Moves what is live in the segment that is due, if one is. */
  boolean collectNext() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment image = arena.allocate(Segments.BYTES, 8);
      LogSegment segment = readNext(image);
      if (segment == null) {
        return false;
      }
      move(segment, image);
      return true;
    }
  }

  private void move(LogSegment segment, MemorySegment image) throws IOException {
    Group group = new Group();
    try {
      Recovery.give(image, segment, group);
      group.finish();
    } catch (Damage e) { // where a key leads cannot be read
      leave(segment, e);
      return;
    }
    catalog.moved(segment.number(), region.appliedSequence());
  }

  /** Reads the next segment, which no commit removes meanwhile. */
  private @Nullable LogSegment readNext(MemorySegment image) throws IOException {
    View view = region.views().pin();
    try {
      LogSegment segment = region.nextToCollect();
      while (segment != null && !read(segment, image)) {
        segment = region.nextToCollect();
      }
      return segment;
    } finally {
      view.unpin();
    }
  }

  private boolean read(LogSegment segment, MemorySegment image) throws IOException {
    try {
      Recovery.readWhole(logFiles, region.number(), segment, image);
      return true;
    } catch (Damage e) {
      leave(segment, e);
      return false;
    }
  }

  private void leave(LogSegment segment, Damage why) {
    System.getLogger("io.verbena.kv.store").log(WARNING, "not freed: {0}", why.getMessage());
    catalog.leaveAlone(segment.number());
  }

  private final class Group implements Record.Operations {
    private final List<Live> values = new ArrayList<>();
    private int bytes;

    @Override
    public void operation(Operation operation) throws IOException {
      if (operation.kind() == Operation.DELETE) {
        return;
      }
      Live value =
          new Live(
              operation.memory().asSlice(operation.key(), operation.keyLength()),
              operation.memory().asSlice(operation.value(), operation.valueLength()),
              operation.version(),
              operation.segment(),
              operation.value());
      if (region.writer().isAt(value)) {
        values.add(value);
        bytes += value.bytes();
      }
      if (bytes > GROUP_BYTES || values.size() >= groupValues) {
        finish();
      }
    }

    void finish() throws IOException {
      if (!values.isEmpty()) {
        region.writer().move(values);
        values.clear();
        bytes = 0;
      }
    }
  }
}
