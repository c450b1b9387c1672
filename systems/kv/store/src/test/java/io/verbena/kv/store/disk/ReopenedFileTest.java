// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.verbena.kv.store.disk.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a file when the operating system refuses something. */
class ReopenedFileTest {
  @TempDir private Path folder;

  /** A channel of which the first sync fails, as those of the JDK do, and no other one. */
  private final class Failing extends FileChannel {
    @Override
    public void force(boolean metaData) throws IOException {
      if (syncs.incrementAndGet() > 1) {
        return;
      }
      try {
        begin();
        syncBegins.countDown();
        await(syncFails);
        throw new IOException("Input/output error");
      } finally {
        end(false);
      }
    }

    @Override
    public int write(ByteBuffer bytes, long position) throws IOException {
      throw new IOException("something in another language");
    }

    @Override
    protected void implCloseChannel() {}

    @Override
    public int read(ByteBuffer into) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer bytes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] bytes, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer into, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }
  }

  private final CountDownLatch syncBegins = new CountDownLatch(1);
  private final CountDownLatch syncFails = new CountDownLatch(1);
  private final AtomicInteger syncs = new AtomicInteger();

  private static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A second sync would say that all is well. */
  @Test
  void theFailureOfASyncIsToldThoughItsThreadIsInterrupted() throws Exception {
    AtomicReference<Throwable> told = new AtomicReference<>();
    try (ReopenedFile file = new ReopenedFile(Failing::new, false)) {
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      file.sync();
                    } catch (IOException e) {
                      told.set(e);
                    }
                  });
      syncBegins.await();
      thread.interrupt();
      syncFails.countDown();
      thread.join();
      assertThat(told.get()).hasMessage("Input/output error");
      assertThat(syncs).hasValue(1);
    }
  }

  /** The operating system speaks the user's language; the free space is the same in all. */
  @Test
  void aFullDiskIsKnownByItsFreeSpace() {
    assertThat(DiskFullException.orSame(new IOException("Aucun espace"), 4096))
        .isInstanceOf(DiskFullException.class);
    assertThat(DiskFullException.orSame(new IOException("Aucun espace"), 1 << 30))
        .isNotInstanceOf(DiskFullException.class);
    assertThat(DiskFullException.orSame(new IOException("No space left on device"), 1 << 30))
        .isInstanceOf(DiskFullException.class);
  }

  @Test
  void aFileRestsWhereAnotherOneCannotBeOpenedForWantOfDescriptors() throws IOException {
    Folder disk = new Folder(folder);
    AtomicInteger tries = new AtomicInteger();
    try (DiskFile first = disk.create("first", Access.CACHED)) {
      FileChannel opened =
          ReopenedFile.opened(
              () -> {
                if (tries.incrementAndGet() == 1) {
                  throw new FileSystemException("second", null, "Too many open files");
                }
                return new Failing();
              });
      opened.close();
      assertThat(tries).hasValue(2);
      first.write(0, ByteBuffer.allocate(10));
      assertThat(first.size()).isEqualTo(10);
    }
  }

  @Test
  void aFileThatIsNotThereIsNotTriedTwice() throws IOException {
    Folder disk = new Folder(folder);
    try (DiskFile first = disk.create("first", Access.CACHED)) {
      assertThatIOException().isThrownBy(() -> disk.open("second", Access.CACHED));
      assertThatIOException().isThrownBy(() -> disk.create("first", Access.CACHED));
      assertThat(first.size()).isZero();
    }
  }
}
