// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The folder in which the nodes of a cluster on this host find each other. A node owns every file whose
 * name starts with its own name and a dot; a locked file says that it lives. What dead nodes left is
 * swept by the next one that comes.
 */
final class Rendezvous implements AutoCloseable {

  private static final int MAX_SOCKET_PATH_BYTES = 107;
  private static final String LOCK = ".lock";

  /** POSIX locks do not exclude the process itself, and vanish when any channel of the file closes. */
  private static final Set<Path> HELD_HERE = new HashSet<>(); // guarded by itself

  private final Path folder;
  private final String name;
  private final FileChannel lockChannel;

  private Rendezvous(Path folder, String name, FileChannel lockChannel) {
    this.folder = folder;
    this.name = name;
    this.lockChannel = lockChannel;
  }

  /** Takes a name in the cluster's folder. */
  static Rendezvous enter(Path root, String cluster, String name) throws IOException {
    privateFolder(root);
    Path folder = root.resolve(cluster);
    privateFolder(folder);
    if (socket(folder, name).toString().length() > MAX_SOCKET_PATH_BYTES) {
      throw new IOException(
          socket(folder, name) + " is longer than the " + MAX_SOCKET_PATH_BYTES
              + " bytes of a socket's name; choose a shorter shm.directory or cluster");
    }
    Rendezvous here = new Rendezvous(folder, name, lock(folder, name));
    sweep(folder);
    here.deleteOwn();
    return here;
  }

  private static void privateFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      try {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (java.nio.file.FileAlreadyExistsException e) {
        throw new IOException(folder + " is no folder", e);
      }
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    permissions.removeAll(PosixFilePermissions.fromString("rwx------"));
    if (!permissions.isEmpty()) {
      throw new IOException(
          folder + " is open to others; run 'chmod 700 " + folder + "'");
    }
    String owner = Files.getOwner(folder).getName();
    String user = Files.getOwner(Path.of("/proc/self")).getName();
    if (!owner.equals(user)) {
      throw new IOException(
          folder + " belongs to " + owner + ", this process to " + user
              + "; set shm.directory to a folder of its own");
    }
  }

  private static FileChannel lock(Path folder, String name) throws IOException {
    Path path = folder.resolve(name + LOCK);
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(path)) {
        throw new IOException("a node with this id is open in this process already: " + path);
      }
      FileChannel channel =
          FileChannel.open(
              path,
              Set.of(
                  StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      FileLock lock = tryLock(channel);
      if (lock == null) {
        String pid = Files.readString(path).strip();
        channel.close();
        throw new IOException("a node with this id runs already, process " + pid + ": " + path);
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8)));
      HELD_HERE.add(path);
      return channel;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Deletes the files of every name whose lock nobody holds. */
  private static void sweep(Path folder) throws IOException {
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(folder, "*" + LOCK)) {
      for (Path path : locks) {
        sweepIfDead(folder, path);
      }
    }
  }

  private static void sweepIfDead(Path folder, Path path) throws IOException {
    synchronized (HELD_HERE) {
      if (HELD_HERE.contains(path)) {
        return;
      }
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        if (tryLock(channel) != null) {
          String file = path.getFileName().toString();
          delete(folder, file.substring(0, file.length() - LOCK.length()), true);
        }
      } catch (java.nio.file.NoSuchFileException e) {
        // Somebody else swept it.
      }
    }
  }

  private void deleteOwn() throws IOException {
    delete(folder, name, false);
  }

  private static void delete(Path folder, String name, boolean lockToo) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + ".*")) {
      for (Path file : files) {
        if (lockToo || !file.toString().endsWith(LOCK)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static Path socket(Path folder, String name) {
    return folder.resolve(name + ".sock");
  }

  /** Where this node listens. */
  Path socket() {
    return socket(folder, name);
  }

  /** Where another node listens. */
  Path socketOf(String other) {
    return socket(folder, other);
  }

  /** A file of this node. */
  Path own(String rest) {
    return folder.resolve(name + '.' + rest);
  }

  /**
   * A file that a peer named.
   *
   * @throws IOException if it is not a plain name
   */
  Path peers(String file) throws IOException {
    if (!file.matches("[0-9]{1,5}(-[0-9]{1,5})?\\.[a-z0-9.]{1,40}")) {
      throw new IOException("the peer named a file that cannot be a lane");
    }
    return folder.resolve(file);
  }

  /** Deletes this node's files and gives the name up. */
  @Override
  public void close() {
    synchronized (HELD_HERE) {
      Path path = folder.resolve(name + LOCK);
      if (!HELD_HERE.remove(path)) {
        return;
      }
      try {
        delete(folder, name, true);
        lockChannel.close();
      } catch (IOException e) {
        // The next node that comes sweeps it.
      }
    }
  }
}
