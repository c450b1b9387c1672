// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file whose channel is opened again when it was closed. An interrupt closes it: Java closes a
 * channel in which a thread is interrupted, for all threads. So does another file that is opened
 * beyond the limit. Every operation names its position and can be done twice, so it is done again;
 * the thread keeps its interrupt.
 */
final class ReopenedFile implements DiskFile {
  /** Channels of this process, in the order in which they were opened; some are closed by now. */
  private static final Queue<FileChannel> OPENED = new ConcurrentLinkedQueue<>();

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int MAX_OPEN = 2048;
  private static final int DIRECT_UNIT = 4096;
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final Place place;
  private final boolean direct;
  private volatile FileChannel channel;
  private boolean closed;

  /** Opens something of the operating system. */
  interface Opening<T> {
    T open() throws IOException;
  }

  /** Where a file lies. */
  interface Place extends Opening<FileChannel> {
    /**
     * Makes the file durable, not by a channel that an interrupt may close: Java says that in place
     * of what the disk has said, and a second sync would say nothing any more.
     */
    void sync() throws IOException;

    /** The failure of a change, as {@link DiskFullException} if it is one. */
    default IOException told(IOException failure) {
      return failure;
    }
  }

  /** Keeps nothing, so that none is made for a call. */
  private interface Work {
    long on(FileChannel channel, ByteBuffer bytes, long position) throws IOException;
  }

  /**
   * @param direct whether it is read past the page cache
   */
  ReopenedFile(Place place, boolean direct) throws IOException {
    this.place = place;
    this.direct = direct;
    this.channel = open(place);
  }

  @Override
  public void write(long position, ByteBuffer bytes) throws IOException {
    try {
      whole(ReopenedFile::writeAll, bytes, position);
    } catch (IOException e) {
      throw place.told(e);
    }
  }

  private static long writeAll(FileChannel channel, ByteBuffer bytes, long position)
      throws IOException {
    int start = bytes.position();
    while (bytes.hasRemaining()) {
      channel.write(bytes, position + bytes.position() - start);
    }
    return 0;
  }

  @Override
  public int read(long position, ByteBuffer into) throws IOException {
    return (int) whole(direct ? ReopenedFile::readUnits : ReopenedFile::readAll, into, position);
  }

  private static long readAll(FileChannel channel, ByteBuffer into, long position)
      throws IOException {
    int start = into.position();
    while (into.hasRemaining() && channel.read(into, position + into.position() - start) > 0) {}
    return into.position() - start;
  }

  /**
   * As the other one, for a file that must not be read from a place within a unit: that is at its
   * end.
   */
  private static long readUnits(FileChannel channel, ByteBuffer into, long position)
      throws IOException {
    int start = into.position();
    while (into.hasRemaining()
        && channel.read(into, position + into.position() - start) > 0
        && (into.position() - start) % DIRECT_UNIT == 0) {}
    return into.position() - start;
  }

  @Override
  public long size() throws IOException {
    return whole((channel, none, at) -> channel.size(), NONE, 0);
  }

  @Override
  public void truncate(long size) throws IOException {
    whole(
        (channel, none, to) -> {
          channel.truncate(to);
          return 0;
        },
        NONE,
        size);
  }

  @Override
  public void sync() throws IOException {
    try {
      place.sync();
    } catch (IOException e) {
      throw place.told(e);
    }
  }

  private long whole(Work work, ByteBuffer bytes, long position) throws IOException {
    int start = bytes.position();
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel used = channel;
        try {
          bytes.position(start);
          return work.on(used, bytes, position);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(used, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel failed, ClosedChannelException cause)
      throws IOException {
    if (closed) {
      throw cause;
    }
    if (channel == failed) {
      channel = open(place);
    }
  }

  /** Opens the file, and lets another one rest if too many are open. */
  private static FileChannel open(Place place) throws IOException {
    FileChannel opened = opened(place);
    OPENED.add(opened);
    if (COUNT.incrementAndGet() > MAX_OPEN) {
      letOneRest();
    }
    return opened;
  }

  /** Where the process may have no more files, one that rests makes room. */
  static <T> T opened(Opening<T> opening) throws IOException {
    try {
      return opening.open();
    } catch (NoSuchFileException | FileAlreadyExistsException | AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      if (!letOneRest()) {
        throw e;
      }
      return opening.open();
    }
  }

  /** A thread that is at work in it opens it again. */
  private static boolean letOneRest() throws IOException {
    FileChannel oldest = OPENED.poll();
    if (oldest == null) {
      return false;
    }
    COUNT.decrementAndGet();
    oldest.close();
    return true;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (OPENED.remove(channel)) {
      COUNT.decrementAndGet();
    }
    channel.close();
  }
}
