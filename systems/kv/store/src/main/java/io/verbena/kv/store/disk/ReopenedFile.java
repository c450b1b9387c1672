// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A file whose channel is opened again when it was closed. An interrupt closes it: Java closes a channel in which a thread
 * is interrupted, for all threads. So does another file that is opened beyond the limit. Every operation names its position
 * and can be done twice, so it is done again; the thread keeps its interrupt.
 */
final class ReopenedFile implements DiskFile {
  /** Channels of this process, in the order in which they were opened; some are closed by now. */
  private static final Queue<FileChannel> OPENED = new ConcurrentLinkedQueue<>();

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int MAX_OPEN = 2048;

  private final Opener opener;
  private final int unit;
  private volatile FileChannel channel;
  private boolean closed;

  interface Opener {
    FileChannel open() throws IOException;
  }

  private interface Work {
    long on(FileChannel channel) throws IOException;
  }

  /**
   * @param unit positions of calls are multiples of it
   */
  ReopenedFile(Opener opener, int unit) throws IOException {
    this.opener = opener;
    this.unit = unit;
    this.channel = open(opener);
  }

  @Override
  public void write(long position, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    whole(
        c -> {
          buffer.rewind();
          while (buffer.hasRemaining()) {
            c.write(buffer, position + buffer.position());
          }
          return 0;
        });
  }

  @Override
  public int read(long position, MemorySegment into) throws IOException {
    ByteBuffer buffer = into.asByteBuffer();
    whole(
        c -> {
          buffer.rewind();
          while (buffer.hasRemaining()
              && c.read(buffer, position + buffer.position()) > 0
              && buffer.position() % unit
                  == 0) {} // it ends within a unit only at the end of the file
          return 0;
        });
    return buffer.position();
  }

  @Override
  public long size() throws IOException {
    return whole(FileChannel::size);
  }

  @Override
  public void truncate(long size) throws IOException {
    whole(
        c -> {
          c.truncate(size);
          return 0;
        });
  }

  @Override
  public void sync() throws IOException {
    whole(
        c -> {
          c.force(false);
          return 0;
        });
  }

  private long whole(Work work) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel used = channel;
        try {
          return work.on(used);
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
          reopen(used, e);
        } catch (IOException e) {
          throw DiskFullException.orSame(e);
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
      channel = open(opener);
    }
  }

  /** Opens the file, and lets another one rest if too many are open. */
  private static FileChannel open(Opener opener) throws IOException {
    FileChannel opened = opener.open();
    OPENED.add(opened);
    if (COUNT.incrementAndGet() > MAX_OPEN) {
      COUNT.decrementAndGet();
      OPENED.remove().close(); // whoever is at work in it opens it again
    }
    return opened;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    channel.close();
  }
}
