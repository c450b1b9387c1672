// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.region.FormatException;
import io.verbena.kv.store.region.RegionEngine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The file that says that a folder is a store, and where its regions begin: magic and format (4
 * bytes each), checksum of the rest (4), count of regions (4), and of each the length (2) and the
 * bytes of its first key. It comes last when a store is made, so one that is there is complete.
 */
final class Contents {
  private static final String NAME = "store";
  private static final String NEW_NAME = "store.new";
  private static final int MAGIC = 0x564b4256; // "VBKV"
  private static final int FORMAT = 1;
  private static final int HEAD = 12;

  private static final Set<String> OWN = Set.of("lock", NEW_NAME);

  private Contents() {}

  private static boolean isFolderOfRegion(String name) {
    return name.matches("region-\\d+");
  }

  static String folderOf(int region) {
    return "region-" + region;
  }

  /** Refuses a folder that holds no store, but files of somebody else. Changes nothing. */
  static void check(Disk disk) throws IOException {
    List<String> files = disk.list();
    if (!files.contains(NAME)
        && !files.stream().allMatch(file -> OWN.contains(file) || isFolderOfRegion(file))) {
      throw new IOException(
          disk.describe("") + " holds other files and no store: use an empty folder");
    }
  }

  /** The first key of each region. */
  static byte[][] readOrMake(Disk disk, List<byte[]> splits) throws IOException {
    List<String> files = disk.list();
    if (files.contains(NAME)) {
      disk.syncNames(); // of one that was killed when it had just made the store
      return read(disk);
    }
    for (String file : files) {
      if (isFolderOfRegion(file) && !RegionEngine.isNew(disk.folder(file))) {
        throw new Damage(
            disk.describe(NAME), 0, "the file is missing; where regions begin is lost");
      }
    }
    byte[][] starts = new byte[splits.size() + 1][];
    starts[0] = new byte[0];
    for (int i = 0; i < splits.size(); i++) {
      starts[i + 1] = splits.get(i).clone();
    }
    make(disk, starts);
    return starts;
  }

  private static void make(Disk disk, byte[][] starts) throws IOException {
    for (int i = 0; i < starts.length; i++) {
      byte[] to = i + 1 < starts.length ? starts[i + 1] : new byte[0];
      RegionEngine.create(disk.folder(folderOf(i)), i, starts[i], to);
    }
    byte[] bytes = encode(starts);
    disk.delete(NEW_NAME);
    try (DiskFile file = disk.create(NEW_NAME, Access.CACHED)) {
      file.write(0, ByteBuffer.wrap(bytes));
      file.sync();
    }
    disk.rename(NEW_NAME, NAME);
    disk.syncNames();
  }

  private static byte[] encode(byte[][] starts) {
    ByteArrayOutputStream keys = new ByteArrayOutputStream();
    for (byte[] start : starts) {
      keys.write(start.length);
      keys.write(start.length >>> 8);
      keys.writeBytes(start);
    }
    byte[] bytes = new byte[HEAD + 4 + keys.size()];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    memory.set(Bytes.INT, 0, MAGIC);
    memory.set(Bytes.INT, 4, FORMAT);
    memory.set(Bytes.INT, HEAD, starts.length);
    System.arraycopy(keys.toByteArray(), 0, bytes, HEAD + 4, keys.size());
    memory.set(Bytes.INT, 8, Bytes.checksum(0, 0, memory.asSlice(HEAD)));
    return bytes;
  }

  private static byte[][] read(Disk disk) throws IOException {
    String name = disk.describe(NAME);
    byte[] bytes = disk.readAll(NAME, 64 << 20);
    MemorySegment memory = MemorySegment.ofArray(bytes);
    if (bytes.length < HEAD + 4 || memory.get(Bytes.INT, 0) != MAGIC) {
      throw new Damage(name, 0, "this is not the file of a store; where its regions begin is lost");
    }
    if (memory.get(Bytes.INT, 4) != FORMAT) {
      throw new FormatException(name, memory.get(Bytes.INT, 4), FORMAT);
    }
    if (memory.get(Bytes.INT, 8) != Bytes.checksum(0, 0, memory.asSlice(HEAD))) {
      throw new Damage(
          name, HEAD, "its checksum is not that of its bytes; where regions begin is lost");
    }
    try {
      return decode(memory);
    } catch (IndexOutOfBoundsException e) {
      throw new Damage(name, HEAD, "it makes no sense; where regions begin is lost");
    }
  }

  private static byte[][] decode(MemorySegment memory) {
    int most = (int) (memory.byteSize() - HEAD - 4) / 2; // each has a length
    byte[][] starts = new byte[1 + Objects.checkIndex(memory.get(Bytes.INT, HEAD) - 1, most)][];
    long at = HEAD + 4;
    for (int i = 0; i < starts.length; i++) {
      int length = Bytes.unsignedShort(memory, at);
      starts[i] = memory.asSlice(at + 2, length).toArray(JAVA_BYTE);
      at += 2 + length;
    }
    return starts;
  }
}
