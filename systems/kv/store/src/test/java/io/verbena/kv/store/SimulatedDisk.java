// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store;

import io.verbena.kv.store.disk.Disk;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A disk in memory that does only what {@link Disk} promises. After a crash of the host each write
 * since a file's last sync is there, not there, or torn, whatever became of the others; likewise
 * each change of names since the last sync of names.
 */
final class SimulatedDisk implements Disk {
  private static final int SECTOR = 512;

  private final World world;
  private final String path;
  private final Map<String, SimulatedDisk> folders = new TreeMap<>();
  private Map<String, Content> durable = new TreeMap<>();
  private final Map<String, Content> names = new TreeMap<>();
  private final List<NameChange> changes = new ArrayList<>();
  private boolean locked;
  private boolean namesFail;

  /** What all folders share: calls that are counted, the one that fails, space. */
  static final class World {
    long calls;
    long failingCall = -1;
    long crashingCall = -1;
    boolean namesFail; // the next sync of some folder's names
    boolean full;
    boolean gone;
    long capacity = Long.MAX_VALUE;
    String unreadable = ""; // a file of which the disk gives nothing
    Consumer<String> onRead = file -> {};

    /**
     * Of which the failing call is one: a write that may be half done, a sync after which nobody
     * knows.
     */
    boolean fails() throws IOException {
      if (gone) {
        throw new IOException("this disk is no more");
      }
      calls++;
      gone = calls == crashingCall;
      return gone || calls == failingCall;
    }

    IOException failure() {
      return full
          ? new DiskFullException("No space left on device", null)
          : new IOException("Input/output error");
    }
  }

  private record NameChange(String from, String to, Content content) {}

  private record Write(long position, byte[] bytes, boolean truncates) {}

  /** Bytes that grow. */
  private static final class Image {
    private byte[] bytes;
    private int size;

    Image(byte[] bytes) {
      this.bytes = bytes;
      this.size = bytes.length;
    }

    void apply(Write write) {
      int end = (int) write.position + write.bytes.length;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
      }
      System.arraycopy(write.bytes, 0, bytes, (int) write.position, write.bytes.length);
      if (write.truncates) {
        Arrays.fill(bytes, end, Math.max(end, size), (byte) 0);
      }
      size = write.truncates ? end : Math.max(size, end);
    }

    byte[] copy() {
      return Arrays.copyOf(bytes, size);
    }
  }

  private static final class Content {
    final Image durable;
    final Image now;
    final List<Write> writes = new ArrayList<>();

    Content(byte[] durable, byte[] now) {
      this.durable = new Image(durable);
      this.now = new Image(now);
    }

    Content copy() {
      Content copy = new Content(durable.copy(), now.copy());
      copy.writes.addAll(writes);
      return copy;
    }

    void sync() {
      writes.forEach(durable::apply);
      writes.clear();
    }
  }

  SimulatedDisk() {
    this(new World(), "disk");
  }

  private SimulatedDisk(World world, String path) {
    this.world = world;
    this.path = path;
  }

  World world() {
    return world;
  }

  /** What another process finds after this one was killed. */
  SimulatedDisk killed() {
    return copy(new World(), null);
  }

  /** What is found after the host has crashed. */
  SimulatedDisk crashed(Random random) {
    return copy(new World(), random);
  }

  private SimulatedDisk copy(World other, Random crash) {
    world.gone = true;
    SimulatedDisk copy = new SimulatedDisk(other, path);
    if (crash == null) {
      copyAll(copy);
    } else {
      namesAfter(crash)
          .forEach(
              (name, content) -> {
                byte[] now = bytesAfter(content, crash);
                copy.names.put(name, new Content(now, now));
              });
      copy.durable = new TreeMap<>(copy.names);
    }
    folders.forEach((name, folder) -> copy.folders.put(name, folder.copy(other, crash)));
    return copy;
  }

  private void copyAll(SimulatedDisk copy) {
    Map<Content, Content> copies = new IdentityHashMap<>();
    UnaryOperator<Content> once =
        content -> content == null ? null : copies.computeIfAbsent(content, Content::copy);
    names.forEach((name, content) -> copy.names.put(name, once.apply(content)));
    durable.forEach((name, content) -> copy.durable.put(name, once.apply(content)));
    changes.forEach(
        change ->
            copy.changes.add(new NameChange(change.from, change.to, once.apply(change.content))));
  }

  private Map<String, Content> namesAfter(Random random) {
    Map<String, Content> result = new TreeMap<>(durable);
    for (NameChange change : changes) {
      if (random.nextBoolean()) {
        result.remove(change.from);
        if (change.to != null) {
          result.put(change.to, change.content);
        }
      }
    }
    return result;
  }

  private static byte[] bytesAfter(Content content, Random random) {
    Image image = new Image(content.durable.copy());
    int mood = random.nextInt(3); // most are there, some, or few
    for (Write write : content.writes) {
      if (random.nextInt(4) <= mood) {
        image.apply(torn(write, random));
      }
    }
    return image.copy();
  }

  private static Write torn(Write write, Random random) {
    if (write.truncates || random.nextInt(3) > 0) {
      return write;
    }
    int length = random.nextInt(write.bytes.length + 1);
    if (random.nextBoolean()) {
      length = length / SECTOR * SECTOR;
    }
    return new Write(write.position, Arrays.copyOf(write.bytes, length), false);
  }

  long usedBytes() {
    long used = names.values().stream().mapToLong(content -> content.now.size).sum();
    return used + folders.values().stream().mapToLong(SimulatedDisk::usedBytes).sum();
  }

  /** The files of this folder and those in it, with their bytes, which may be changed. */
  Map<String, byte[]> contents() {
    Map<String, byte[]> all = new TreeMap<>();
    names.forEach((name, content) -> all.put(path + "/" + name, content.now.bytes));
    folders.values().forEach(folder -> all.putAll(folder.contents()));
    return all;
  }

  @Override
  public synchronized List<String> list() throws IOException {
    List<String> all = new ArrayList<>(names.keySet());
    all.addAll(folders.keySet());
    return all;
  }

  @Override
  public synchronized DiskFile create(String name, Access access) throws IOException {
    if (world.fails()) {
      throw world.failure();
    }
    if (names.containsKey(name)) {
      throw new FileAlreadyExistsException(describe(name));
    }
    Content content = new Content(new byte[0], new byte[0]);
    names.put(name, content);
    changes.add(new NameChange(name, name, content));
    return new File(name, content);
  }

  @Override
  public synchronized DiskFile open(String name, Access access) throws IOException {
    if (world.fails()) {
      throw world.failure();
    }
    Content content = names.get(name);
    if (content == null) {
      throw new NoSuchFileException(describe(name));
    }
    return new File(name, content);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    if (world.fails()) {
      throw world.failure();
    }
    Content content = names.remove(from);
    names.put(to, content);
    changes.add(new NameChange(from, to, content));
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    if (world.fails()) {
      throw world.failure();
    }
    if (names.remove(name) != null) {
      changes.add(new NameChange(name, null, null));
    }
  }

  @Override
  public synchronized void syncNames() throws IOException {
    namesFail |= world.fails() || world.namesFail;
    if (namesFail) {
      world.namesFail = false;
      throw new IOException("Input/output error"); // for whatever reason
    }
    durable = new TreeMap<>(names);
    changes.clear();
  }

  @Override
  public synchronized Disk folder(String name) {
    return folders.computeIfAbsent(name, n -> new SimulatedDisk(world, path + "/" + n));
  }

  @Override
  public synchronized AutoCloseable lock(String name) {
    if (locked) {
      return null;
    }
    locked = true;
    return () -> locked = false;
  }

  @Override
  public long usableBytes() {
    return world.capacity;
  }

  @Override
  public String describe(String name) {
    return path + "/" + name;
  }

  private final class File implements DiskFile {
    private final String name;
    private final Content content;
    private volatile boolean closed;

    File(String name, Content content) {
      this.name = name;
      this.content = content;
    }

    @Override
    public void write(long position, ByteBuffer bytes) throws IOException {
      checkOpen();
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      synchronized (SimulatedDisk.this) {
        boolean fails = world.fails();
        long grown = Math.max(0, position + copy.length - content.now.size);
        if (fails || grown > world.capacity) {
          enter(new Write(position, Arrays.copyOf(copy, copy.length / 2), false));
          throw fails ? world.failure() : new DiskFullException("No space left on device", null);
        }
        world.capacity -= grown;
        enter(new Write(position, copy, false));
      }
    }

    private void enter(Write write) {
      content.now.apply(write);
      content.writes.add(write);
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
      checkOpen();
      world.onRead.accept(name);
      synchronized (SimulatedDisk.this) {
        if (world.fails() || name.equals(world.unreadable)) {
          throw world.failure();
        }
        int length = (int) Math.max(0, Math.min(into.remaining(), content.now.size - position));
        into.put(content.now.bytes, (int) position, length);
        return length;
      }
    }

    @Override
    public long size() {
      return content.now.size;
    }

    @Override
    public void truncate(long size) throws IOException {
      synchronized (SimulatedDisk.this) {
        if (world.fails()) {
          throw world.failure();
        }
        enter(new Write(size, new byte[0], true));
      }
    }

    @Override
    public void sync() throws IOException {
      checkOpen();
      synchronized (SimulatedDisk.this) {
        if (world.fails()) {
          throw world.failure();
        }
        content.sync();
      }
    }

    @Override
    public void close() {
      closed = true;
    }

    private void checkOpen() throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
    }
  }
}
