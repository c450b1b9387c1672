// SPDX-License-Identifier: Apache-2.0
package io.verbena.kv.store.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder of the file system. Files and folders that it makes are its user's alone. */
public final class Folder implements Disk {
  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> PRIVATE_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int DIRECT_UNIT = 4096;

  private final Path path;
  private volatile boolean direct = true;

  public Folder(Path path) throws IOException {
    this.path = path;
    if (!Files.isDirectory(path)) {
      Files.createDirectories(path, PRIVATE_FOLDER);
    }
  }

  @Override
  public List<String> list() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(Files::isRegularFile).map(p -> p.getFileName().toString()).toList();
    }
  }

  @Override
  public DiskFile create(String name, Access access) throws IOException {
    try {
      FileChannel.open(path.resolve(name), Set.of(CREATE_NEW, WRITE), PRIVATE_FILE).close();
    } catch (IOException e) {
      throw DiskFullException.orSame(e);
    }
    return open(name, access);
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    return new ReopenedFile(
        () -> open(path.resolve(name), access), access == Access.DIRECT ? DIRECT_UNIT : 1);
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
  public void syncNames() throws IOException {
    boolean interrupted = Thread.interrupted();
    try (FileChannel channel = FileChannel.open(path, READ)) {
      channel.force(true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Disk folder(String name) throws IOException {
    return new Folder(path.resolve(name));
  }

  @Override
  public @Nullable AutoCloseable lock(String name) throws IOException {
    FileChannel channel = FileChannel.open(path.resolve(name), Set.of(CREATE, WRITE), PRIVATE_FILE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // another part of this process has it
    }
    channel.close();
    return null;
  }

  @Override
  public String describe(String name) {
    return path.resolve(name).toString();
  }
}
