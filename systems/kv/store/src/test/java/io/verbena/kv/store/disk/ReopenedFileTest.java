// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.verbena.kv.store.disk.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is told of a file when the operating system refuses something. */
class ReopenedFileTest {
  @TempDir private Path folder;

  /** A second sync would say that all is well. */
  @Test
  void theFailureOfASyncIsToldThoughItsThreadIsInterrupted() throws Exception {
    try (DiskFile device = new Folder(Path.of("/dev")).open("null", Access.LOG)) {
      Thread.currentThread().interrupt();
      assertThatIOException()
          .isThrownBy(device::sync)
          .withMessage("/dev/null: sync failed; the kernel's log may tell why");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Access.class)
  void aThreadThatIsInterruptedSyncs(Access access) throws Exception {
    try (DiskFile file = new Folder(folder).create("file", access)) {
      file.write(0, ByteBuffer.allocateDirect(8192).alignedSlice(4096).limit(4096));
      Thread.currentThread().interrupt();
      file.sync();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(file.size()).isEqualTo(4096);
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
                return FileChannel.open(folder.resolve("first"));
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
