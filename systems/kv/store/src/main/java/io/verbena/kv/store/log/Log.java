// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.log;

import io.verbena.kv.store.base.Checksum;
import io.verbena.kv.store.base.Health;
import io.verbena.kv.store.base.Health.BrokenException;
import io.verbena.kv.store.base.Planted;
import io.verbena.kv.store.base.Spin;
import io.verbena.kv.store.disk.DiskFile;
import io.verbena.kv.store.disk.DiskFullException;
import io.verbena.kv.store.disk.Segments;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The end of a region's log, where it is written. A write goes through three locks, each for a
 * short time:
 *
 * <ul>
 *   <li><b>append</b>: its record is laid out in the image of the current segment, and gets its
 *       sequence number.
 *   <li><b>write</b>: the first thread that comes writes all that was appended since, its own and
 *       others' records.
 *   <li><b>apply</b>: that thread applies them, while the next one writes; it takes this lock
 *       before it gives that one back, so records are applied in their order. Others find theirs
 *       done.
 * </ul>
 *
 * They are taken in this order. Where writes wait for the disk, one thread syncs for all that were
 * applied by then; the others wait until it is done. A write that fails takes all records with it
 * that were appended and not written. They are cut off the file before anybody hears of it, so none
 * of them comes back.
 */
public final class Log implements AutoCloseable {
  /** The longest list of operations that a record may have. */
  public static final int MAX_OPERATIONS_BYTES = Segments.BYTES - LogHeader.BYTES - Record.HEAD - 8;

  private final Segments segments;
  private final int region;
  private final Health health;
  private final Listener listener;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment image = arena.allocate(Segments.BYTES, 4096);
  private final ByteBuffer laidOut = image.asByteBuffer(); // under append, as the next
  private final Checksum checksum = new Checksum();
  private final ByteBuffer writing = image.asByteBuffer(); // under write
  private final Operation operation = new Operation(image); // under apply
  private final ReentrantLock append = new ReentrantLock();
  private final ReentrantLock write = new ReentrantLock();
  private final ReentrantLock apply = new ReentrantLock();
  private final ReentrantLock sync = new ReentrantLock();
  private final Condition synced = sync.newCondition();

  // changed under append; when a segment begins, also under write and apply
  private long nextSequence;
  private long number;
  private volatile int end;
  private volatile Turn turn = new Turn();
  private volatile long appended;

  // changed under write
  private @Nullable DiskFile file;
  private int written;
  private volatile long bytesWritten;

  // changed under apply
  private int appliedTo;
  private volatile long applied;

  private boolean isSyncing; // guarded by sync, as the next one
  private @Nullable BrokenException syncFailure; // another sync would not tell

  // changed by the thread that syncs
  private final Deque<Unsynced> unsynced = new ArrayDeque<>(); // guarded by itself, as durable
  private boolean newNames; // guarded by unsynced
  private volatile long durable;

  /** What the log asks of its region, and tells it. */
  public interface Listener extends Record.Operations {
    /** A number for a segment that is to be begun; the high bits are the region's epoch. */
    long newNumber() throws IOException;

    /** A segment was begun behind another one, which is complete. */
    void begun(long number, long previous, int previousUsed, long previousLastSequence);
  }

  /**
   * A file that may have what is not durable; the last one is the current segment's.
   *
   * @param after the last operation of the segments before
   */
  private record Unsynced(DiskFile file, long after) {}

  /** Records that are written or lost together: those between two failed writes. */
  private static final class Turn {
    private volatile @Nullable IOException failure;
    private volatile long lastGood;

    void fail(IOException failure, long lastGood) {
      this.lastGood = lastGood;
      this.failure = failure;
    }

    void check(long sequence) throws IOException {
      IOException failed = failure;
      if (failed != null && sequence > lastGood) {
        throw switch (failed) { // each thread its own
          case DiskFullException full -> new DiskFullException(full.getMessage(), full);
          case BrokenException broken -> new BrokenException(broken);
          default -> new IOException(failed.getMessage(), failed);
        };
      }
    }
  }

  /**
   * @param lastNumber the last segment that was there before, or 0
   * @param lastUsed how many of its bytes count
   * @param lastSequence of the last operation that was there before; it is durable
   */
  public Log(
      Segments segments,
      int region,
      Health health,
      Listener listener,
      long lastNumber,
      int lastUsed,
      long lastSequence,
      long nextSequence) {
    this.segments = segments;
    this.region = region;
    this.health = health;
    this.listener = listener;
    this.number = lastNumber;
    this.end = lastUsed;
    this.written = lastUsed;
    this.appliedTo = lastUsed;
    this.nextSequence = nextSequence;
    this.appended = lastSequence;
    this.applied = lastSequence;
    this.durable = lastSequence;
  }

  /** Held while a record is appended, and by those that want no record to be appended meanwhile. */
  public ReentrantLock appendLock() {
    return append;
  }

  public long applied() {
    return applied;
  }

  public long durable() {
    return durable;
  }

  /** Since the region was opened. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** How much of the current segment is used. */
  public int used() {
    return end;
  }

  /** The image of the current segment, where operations are laid out from {@link #begin} on. */
  public MemorySegment image() {
    return image;
  }

  /**
   * Finds room for a record with operations of this length. Says where these begin. Under the
   * append lock.
   */
  public long begin(int operationsBytes) throws IOException {
    health.check();
    if (turn.failure != null) {
      forgetFailed();
    }
    if (file == null || end + Record.bytes(operationsBytes) > Segments.BYTES) {
      drain();
      beginSegment();
    }
    return end + Record.HEAD;
  }

  /**
   * Completes the record. Says the sequence number of its last operation. Under the append lock.
   */
  public long end(int operationsBytes, int count) {
    long first = nextSequence;
    nextSequence += count;
    Record.writeHead(image, laidOut, checksum, number, end, operationsBytes, first, durable, count);
    appended = first + count - 1;
    end = end + Record.bytes(operationsBytes);
    return appended;
  }

  private void forgetFailed() {
    write.lock();
    apply.lock();
    try {
      end = written;
      appended = applied;
      turn = new Turn();
    } finally {
      apply.unlock();
      write.unlock();
    }
  }

  /** Nothing is appended that is not applied. */
  private void beginSegment() throws IOException {
    write.lock();
    apply.lock();
    try {
      long previous = number;
      int previousUsed = end;
      long next = listener.newNumber();
      DiskFile created = create(next, previous, previousUsed);
      listener.begun(next, previous, previousUsed, applied);
      synchronized (unsynced) {
        if (durable >= applied) {
          unsynced.clear(); // they may be removed from here on
        }
        unsynced.addLast(new Unsynced(created, applied));
        newNames = true;
      }
      file = created;
      number = next;
      written = LogHeader.BYTES;
      end = LogHeader.BYTES;
      appliedTo = LogHeader.BYTES;
    } finally {
      apply.unlock();
      write.unlock();
    }
  }

  private DiskFile create(long next, long previous, int previousUsed) throws IOException {
    DiskFile created = segments.create(next);
    LogHeader.write(image, region, next, previous, previousUsed);
    try {
      created.write(0, writing.limit(LogHeader.BYTES).position(0));
    } catch (IOException e) {
      segments.delete(next);
      throw e;
    }
    return created;
  }

  /** Returns when nothing is appended that is not applied, or lost. Under the append lock. */
  public void drain() throws IOException {
    Turn current = turn;
    while (applied < appended && current.failure == null) {
      writeOutOnce(appended, current);
    }
    if (current.failure != null) {
      forgetFailed(); // its writers hear of it
    }
  }

  /** What a thread that has appended keeps, to wait for its record. Under the append lock. */
  public Object turn() {
    return turn;
  }

  /**
   * Returns when the operation with this number was written and applied. The append lock need not
   * be held.
   */
  public void awaitApplied(long sequence, Object turn) throws IOException {
    Turn own = (Turn) turn;
    while (applied < sequence && own.failure == null) {
      writeOutOnce(sequence, own);
    }
    own.check(sequence);
  }

  private void writeOutOnce(long sequence, Turn own) throws IOException {
    int limit;
    Spin.lock(write);
    try {
      if (applied < sequence && own.failure == null && written < end) {
        writeOut(own);
      }
      limit = written;
      Spin.lock(apply); // before others write, whose records come behind
    } finally {
      write.unlock();
    }
    try {
      applyUpTo(limit, own);
    } finally {
      apply.unlock();
    }
  }

  private void writeOut(Turn current) throws IOException {
    int limit = end;
    DiskFile to = file;
    if (to == null) {
      throw new IllegalStateException("nothing was appended");
    }
    try {
      health.check();
    } catch (BrokenException e) {
      lose(current, e);
      return;
    }
    try {
      to.write(written, writing.limit(limit).position(written));
    } catch (IOException e) {
      cutOff(to, current, e);
      return;
    }
    bytesWritten = bytesWritten + limit - written;
    written = limit;
  }

  private void applyUpTo(int limit, Turn current) {
    if (current.failure != null) {
      return;
    }
    try {
      long last = applied;
      for (int at = appliedTo; at < limit; ) {
        last = Record.sequence(image, at) + Record.count(image, at) - 1;
        at += Record.read(operation, number, at, listener);
      }
      appliedTo = limit;
      applied = last;
    } catch (IOException | RuntimeException | Error e) {
      IOException failure = new IOException("a write could not be applied", e);
      current.fail(health.breakDown(failure), applied); // a part of it may be in the table
    }
  }

  private void cutOff(DiskFile to, Turn current, IOException failure) {
    IOException told = failure;
    boolean isCut = false;
    beginSync(); // the kernel tells a failure once, and not to another sync of the file
    try {
      to.truncate(written);
      isCut = true;
      to.sync();
    } catch (IOException e) {
      failure.addSuppressed(e);
      told = isCut ? endSyncing(failure) : health.breakDown(failure); // whole ones may come back
    } finally {
      endSync();
    }
    lose(current, told);
  }

  private void lose(Turn current, IOException failure) {
    apply.lock(); // what was written before is being applied
    try {
      current.fail(failure, applied);
    } finally {
      apply.unlock();
    }
  }

  /**
   * Returns when all up to this operation, which was applied, is durable. That something else has
   * ended writing does not keep what was written from becoming so.
   */
  public void awaitDurable(long sequence) throws IOException {
    if (durable >= sequence) {
      return;
    }
    sync.lock();
    try {
      while (durable < sequence && isSyncing) {
        synced.awaitUninterruptibly();
      }
      if (durable >= sequence) {
        return;
      }
      if (syncFailure != null) {
        throw new BrokenException(syncFailure);
      }
      isSyncing = true;
    } finally {
      sync.unlock();
    }
    try {
      syncAll();
    } finally {
      endSync();
    }
  }

  private void beginSync() {
    sync.lock();
    while (isSyncing) {
      synced.awaitUninterruptibly();
    }
    isSyncing = true;
    sync.unlock();
  }

  private void endSync() {
    sync.lock();
    isSyncing = false;
    synced.signalAll(); // at once: the next one syncs for those who come by then
    sync.unlock();
  }

  private void syncAll() throws IOException {
    long target = applied;
    List<Unsynced> files;
    boolean names;
    synchronized (unsynced) {
      files = List.copyOf(unsynced);
      names = newNames;
      newNames = false;
    }
    try {
      if (names) {
        segments.syncNames();
      }
      for (Unsynced each : Planted.NO_SYNC.here() ? List.<Unsynced>of() : files) {
        each.file.sync();
      }
    } catch (IOException | RuntimeException | Error e) {
      throw endSyncing(e instanceof IOException io ? io : new IOException("a sync failed", e));
    }
    synchronized (unsynced) {
      int synced = files.size();
      while (synced-- > 0 && unsynced.size() > 1 && afterFirst() <= target) {
        unsynced.removeFirst(); // it may be removed from here on
      }
      durable = target;
    }
  }

  private BrokenException endSyncing(IOException failure) {
    BrokenException told = health.breakDown(failure);
    sync.lock();
    syncFailure = told;
    sync.unlock();
    return told;
  }

  /** The last operation of the first unsynced file, which another one follows. */
  private long afterFirst() {
    Iterator<Unsynced> two = unsynced.iterator();
    two.next();
    return two.next().after;
  }

  /** Frees the memory. Nobody may append any more. */
  @Override
  public void close() {
    write.lock(); // somebody may be at it still
    apply.lock();
    try {
      arena.close();
    } finally {
      apply.unlock();
      write.unlock();
    }
  }
}
