// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.SyncFailedException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of the file system. Files and folders that it makes are its user's alone. */
public final class Folder implements Disk {
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** What this process has locked. The operating system's locks are the whole process's. */
  private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

  private static final int DIRECT_UNIT = 4096;

  private final Path path;
  private volatile boolean direct;
  private @Nullable IOException namesFailure; // guarded by this

  public Folder(Path path) throws IOException {
    this.path = path;
    makeDurably(path.toAbsolutePath());
    this.direct = DIRECT_UNIT % Files.getFileStore(path).getBlockSize() == 0;
  }

  private static void makeDurably(Path folder) throws IOException {
    Path parent = folder.getParent();
    if (Files.isDirectory(folder) || parent == null) {
      return;
    }
    makeDurably(parent);
    try {
      Files.createDirectory(folder, PRIVATE_FOLDER);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
    syncByChannel(parent);
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Override
  public DiskFile create(String name, Access access) throws IOException {
    Path file = path.resolve(name);
    try {
      ReopenedFile.opened(() -> FileChannel.open(file, Set.of(CREATE_NEW, WRITE), PRIVATE_FILE))
          .close();
    } catch (IOException e) {
      throw told(e);
    }
    return open(name, access);
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    Path file = path.resolve(name);
    return new ReopenedFile(
        new ReopenedFile.Place() {
          @Override
          public FileChannel open() throws IOException {
            return Folder.this.open(file, access);
          }

          @Override
          public void sync() throws IOException {
            if (access == Access.LOG) {
              syncWithoutReason(file);
            } else {
              syncByChannel(file);
            }
          }

          @Override
          public IOException told(IOException failure) {
            return Folder.this.told(failure);
          }
        },
        access == Access.DIRECT);
  }

  /** Not by a channel, which an interrupt closes, nor on another thread, which takes long. */
  private static void syncWithoutReason(Path file) throws IOException {
    try (RandomAccessFile own =
        ReopenedFile.opened(() -> new RandomAccessFile(file.toFile(), "r"))) {
      own.getFD().sync();
    } catch (SyncFailedException e) { // this is all that Java says
      throw new IOException(file + ": sync failed; the kernel's log may tell why", e);
    }
  }

  private static void syncByChannel(Path path) throws IOException {
    Uninterrupted.run(
        () -> {
          try (FileChannel own = ReopenedFile.opened(() -> FileChannel.open(path, READ))) {
            own.force(false);
          }
        });
  }

  private IOException told(IOException failure) {
    long usable = Long.MAX_VALUE;
    try {
      usable = usableBytes();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return DiskFullException.orSame(failure, usable);
  }

  private FileChannel open(Path file, Access access) throws IOException {
    if (access == Access.DIRECT && direct) {
      try {
        return FileChannel.open(file, READ, WRITE, ExtendedOpenOption.DIRECT);
      } catch (IOException | UnsupportedOperationException e) {
        FileChannel channel = FileChannel.open(file, READ, WRITE); // tells what else is wrong
        direct = false;
        return channel;
      }
    }
    return FileChannel.open(file, READ, WRITE);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void delete(String name) throws IOException {
    Files.deleteIfExists(path.resolve(name));
  }

  @Override
  public synchronized void syncNames() throws IOException {
    if (namesFailure != null) {
      throw new IOException(namesFailure.getMessage(), namesFailure);
    }
    try {
      syncByChannel(path);
    } catch (IOException e) {
      namesFailure = e;
      throw e;
    }
  }

  @Override
  public Disk folder(String name) throws IOException {
    return new Folder(path.resolve(name));
  }

  @Override
  public @Nullable AutoCloseable lock(String name) throws IOException {
    Path file = path.toRealPath().resolve(name);
    if (!LOCKED.add(file)) { // a second channel to it, once closed, would let others in
      return null;
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, Set.of(CREATE, WRITE), PRIVATE_FILE);
      if (channel.tryLock() != null) {
        FileChannel held = channel;
        channel = null;
        return () -> unlock(file, held);
      }
      return null;
    } finally {
      if (channel != null) {
        unlock(file, channel);
      }
    }
  }

  private static void unlock(Path file, FileChannel channel) throws IOException {
    try {
      channel.close();
    } finally {
      LOCKED.remove(file);
    }
  }

  @Override
  public long usableBytes() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  @Override
  public String describe(String name) {
    return path.resolve(name).toString();
  }
}
