// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import io.verbena.kv.store.base.Damage;
import io.verbena.kv.store.disk.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table from segment to place: segments of one kind of a region, each a file of its own that is
 * named by its number. Files are opened on first use. Looking one up takes no lock and no memory.
 */
public final class Segments implements AutoCloseable {
  public static final int BYTES = 2 << 20;

  /**
   * A number is the epoch of the life that made the segment, and behind it a counter of so many
   * bits.
   */
  public static final int COUNTER_BITS = 40;

  private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");
  private static final AtomicInteger INSTANCES = new AtomicInteger();

  private final Disk disk;
  private final String suffix;
  private final Access access;
  private final int id = INSTANCES.incrementAndGet();
  private volatile Open open = new Open(new long[0], new DiskFile[0]);

  private record Open(long[] numbers, DiskFile[] files) {}

  public Segments(Disk disk, String suffix, Access access) {
    this.disk = disk;
    this.suffix = suffix;
    this.access = access;
  }

  /** Tells the segments of one region from those of another one of the process. */
  public int id() {
    return id;
  }

  public String name(long number) {
    return String.format("%016x%s", number, suffix);
  }

  public String describe(long number) {
    return disk.describe(name(number));
  }

  /** The numbers of the segments that have a file, in their order. */
  public long[] list() throws IOException {
    return disk.list().stream()
        .filter(
            name ->
                name.endsWith(suffix)
                    && NUMBER.matcher(name).lookingAt()
                    && name.length() == 16 + suffix.length())
        .mapToLong(name -> Long.parseUnsignedLong(name.substring(0, 16), 16))
        .sorted()
        .toArray();
  }

  public synchronized DiskFile create(long number) throws IOException {
    DiskFile file = disk.create(name(number), access);
    enter(number, file);
    return file;
  }

  public DiskFile get(long number) throws IOException {
    Open now = open;
    int at = Arrays.binarySearch(now.numbers, number);
    return at >= 0 ? now.files[at] : openNow(number);
  }

  /**
   * Fills what remains of the buffer, and says with how many bytes: fewer only at the end of the
   * segment. Bytes that the disk does not give are damage, as bytes that it has changed are.
   */
  public int read(long number, long position, ByteBuffer into) throws IOException {
    DiskFile file = get(number);
    try {
      return file.read(position, into);
    } catch (IOException e) {
      throw Damage.ofRead(describe(number), position, e);
    }
  }

  private synchronized DiskFile openNow(long number) throws IOException {
    int at = Arrays.binarySearch(open.numbers, number);
    if (at >= 0) {
      return open.files[at];
    }
    DiskFile file;
    try {
      file = disk.open(name(number), access);
    } catch (NoSuchFileException e) {
      throw new Damage(describe(number), 0, "the file is missing, and all that was in it");
    }
    enter(number, file);
    return file;
  }

  private void enter(long number, DiskFile file) {
    int at = -Arrays.binarySearch(open.numbers, number) - 1;
    int count = open.numbers.length;
    long[] numbers = Arrays.copyOf(open.numbers, count + 1);
    DiskFile[] files = Arrays.copyOf(open.files, count + 1);
    System.arraycopy(numbers, at, numbers, at + 1, count - at);
    System.arraycopy(files, at, files, at + 1, count - at);
    numbers[at] = number;
    files[at] = file;
    open = new Open(numbers, files);
  }

  /** Removes a segment that nobody uses any more. Takes long; others go on meanwhile. */
  public void delete(long number) throws IOException {
    DiskFile file = leave(number);
    if (file != null) {
      file.close();
    }
    disk.delete(name(number));
  }

  private synchronized @Nullable DiskFile leave(long number) {
    int at = Arrays.binarySearch(open.numbers, number);
    if (at < 0) {
      return null;
    }
    DiskFile file = open.files[at];
    int behind = open.numbers.length - at - 1;
    long[] numbers = Arrays.copyOf(open.numbers, open.numbers.length - 1);
    DiskFile[] files = Arrays.copyOf(open.files, numbers.length);
    System.arraycopy(open.numbers, at + 1, numbers, at, behind);
    System.arraycopy(open.files, at + 1, files, at, behind);
    open = new Open(numbers, files);
    return file;
  }

  /** Makes it durable which segments there are. */
  public void syncNames() throws IOException {
    disk.syncNames();
  }

  @Override
  public synchronized void close() throws IOException {
    for (DiskFile file : open.files) {
      file.close();
    }
    open = new Open(new long[0], new DiskFile[0]);
  }
}
