// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.region;

import io.verbena.kv.store.base.Bytes;
import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.Disk.Access;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.disk.Segments;
import io.verbena.kv.store.index.TreeInfo;
import io.verbena.kv.store.log.LogSegment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a region consists of. There is one, in a file that is replaced as a whole; what it does not
 * name, does not count.
 *
 * @param epoch the life of the region that wrote it; the high bits of the numbers of segments that
 *     it has made
 * @param replayed trees have the log up to this sequence number
 * @param lastLog the number of the last segment of the log that was begun
 * @param trees newest first
 * @param logs in their order
 */
record Manifest(
    int region,
    byte[] from,
    byte[] to,
    int epoch,
    long replayed,
    long lastLog,
    List<TreeInfo> trees,
    List<LogSegment> logs) {
  static final String NAME = "manifest";
  static final String NEW_NAME = "manifest.new";
  private static final int MAGIC = 0x4e414d56; // "VMAN"
  private static final int FORMAT = 1;
  private static final int HEAD = 16; // magic, format, length of what follows, its checksum
  private static final int MAX_BYTES = 1 << 30;
  private static final int MAX_HEIGHT = 32; // no tree is as high

  /**
   * Writes it in place of the last one. When this returns, it counts after any crash. When the disk
   * is full, the last one still counts; after any other failure nobody knows which one does.
   */
  void write(Disk disk) throws IOException {
    byte[] body = encode();
    byte[] bytes = new byte[HEAD + body.length];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    memory.set(Bytes.INT, 0, MAGIC);
    memory.set(Bytes.INT, 4, FORMAT);
    memory.set(Bytes.INT, 8, body.length);
    memory.set(Bytes.INT, 12, Bytes.checksum(0, body.length, MemorySegment.ofArray(body)));
    System.arraycopy(body, 0, bytes, HEAD, body.length);
    disk.delete(NEW_NAME);
    try (DiskFile file = disk.create(NEW_NAME, Access.CACHED)) {
      file.write(0, ByteBuffer.wrap(bytes));
      file.sync();
    }
    try {
      disk.rename(NEW_NAME, NAME);
      disk.syncNames();
    } catch (DiskFullException e) {
      throw new IOException(e);
    }
  }

  static Manifest read(Disk disk) throws IOException {
    String file = disk.describe(NAME);
    byte[] bytes;
    try {
      bytes = disk.readAll(NAME, MAX_BYTES);
    } catch (NoSuchFileException e) {
      throw new Damage(file, 0, "the file is missing; the whole region is lost");
    }
    MemorySegment memory = MemorySegment.ofArray(bytes);
    if (bytes.length < HEAD || memory.get(Bytes.INT, 0) != MAGIC) {
      throw new Damage(file, 0, "this is no manifest of a region; the whole region is lost");
    }
    if (memory.get(Bytes.INT, 4) != FORMAT) {
      throw new FormatException(file, memory.get(Bytes.INT, 4), FORMAT);
    }
    MemorySegment body = memory.asSlice(HEAD);
    if (memory.get(Bytes.INT, 8) != body.byteSize()
        || memory.get(Bytes.INT, 12) != Bytes.checksum(0, (int) body.byteSize(), body)) {
      throw new Damage(
          file, HEAD, "the manifest's checksum is not that of its bytes; the whole region is lost");
    }
    try {
      return decode(
          new DataInputStream(new ByteArrayInputStream(bytes, HEAD, bytes.length - HEAD)));
    } catch (IOException | IllegalArgumentException e) {
      throw new Damage(file, HEAD, "the manifest makes no sense; the whole region is lost");
    }
  }

  private byte[] encode() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(region);
    writeBytes(out, from);
    writeBytes(out, to);
    out.writeInt(epoch);
    out.writeLong(replayed);
    out.writeLong(lastLog);
    out.writeInt(trees.size());
    for (TreeInfo tree : trees) {
      out.writeInt(tree.level());
      out.writeInt(tree.height());
      out.writeInt(tree.blocks());
      out.writeInt(tree.filterBlocks());
      out.writeLong(tree.entries());
      out.writeLong(tree.tombstones());
      out.writeInt(tree.segments().length);
      for (long segment : tree.segments()) {
        out.writeLong(segment);
      }
    }
    out.writeInt(logs.size());
    for (LogSegment log : logs) {
      out.writeLong(log.number());
      out.writeInt(log.used());
      out.writeLong(log.after());
      out.writeLong(log.lastSequence());
      out.writeLong(log.live());
    }
    return bytes.toByteArray();
  }

  private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  private static Manifest decode(DataInputStream in) throws IOException {
    int region = in.readInt();
    byte[] from = readBytes(in);
    byte[] to = readBytes(in);
    int epoch = in.readInt();
    check(epoch >= 0 && epoch <= Catalog.MAX_EPOCH, "an epoch of ", epoch);
    long replayed = in.readLong();
    long lastLog = in.readLong();
    List<TreeInfo> trees = new ArrayList<>();
    for (int i = count(in, 44); i > 0; i--) {
      trees.add(decodeTree(in));
    }
    List<LogSegment> logs = new ArrayList<>();
    for (int i = count(in, 36); i > 0; i--) {
      logs.add(decodeLog(in));
    }
    return new Manifest(region, from, to, epoch, replayed, lastLog, trees, logs);
  }

  private static LogSegment decodeLog(DataInputStream in) throws IOException {
    LogSegment log =
        new LogSegment(in.readLong(), in.readInt(), in.readLong(), in.readLong(), in.readLong());
    check(log.used() >= 0 && log.used() <= Segments.BYTES, "a length of ", log.used());
    return log;
  }

  private static TreeInfo decodeTree(DataInputStream in) throws IOException {
    int level = in.readInt();
    int height = in.readInt();
    int blocks = in.readInt();
    int filterBlocks = in.readInt();
    long entries = in.readLong();
    long tombstones = in.readLong();
    long[] segments = new long[count(in, 8)];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = in.readLong();
    }
    check(height > 0 && height <= MAX_HEIGHT, "a height of ", height);
    check(filterBlocks > 0 && filterBlocks < blocks, "blocks of a filter: ", filterBlocks);
    check(TreeInfo.segmentsFor(blocks) == segments.length, "segments: ", segments.length);
    return new TreeInfo(level, height, blocks, filterBlocks, entries, tombstones, segments);
  }

  /** The count of things of so many bytes each, of which there are no more than bytes for them. */
  private static int count(DataInputStream in, int bytes) throws IOException {
    int count = in.readInt();
    check(count >= 0 && count <= in.available() / bytes, "a count of ", count);
    return count;
  }

  private static void check(boolean makesSense, String what, int value) {
    if (!makesSense) {
      throw new IllegalArgumentException(what + value);
    }
  }

  private static byte[] readBytes(DataInputStream in) throws IOException {
    byte[] bytes = new byte[Math.min(in.readUnsignedShort(), in.available())];
    in.readFully(bytes);
    return bytes;
  }
}
