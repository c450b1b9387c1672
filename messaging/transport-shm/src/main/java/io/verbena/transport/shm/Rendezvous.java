// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folder in which the nodes of a cluster on this host find each other. A node owns every file
 * whose name starts with its own name and a dot; a locked file says that it lives. What dead nodes
 * left, of whatever cluster, is swept by the next one that comes; the last one of a cluster takes
 * its folder along. Coming, going and sweeping exclude each other by a {@link DescriptorLock} on
 * the root.
 */
final class Rendezvous implements AutoCloseable {

  private static final int MAX_SOCKET_PATH_BYTES = 107;
  private static final String LOCK = ".lock";
  private static final String SOCKET = ".sock";
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(OWNER_ONLY);
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final String OWN_PID = Long.toString(ProcessHandle.current().pid());

  /** What nodes make; a folder given as shm.directory may hold other people's things, too. */
  private static final Pattern NODE_FILE =
      Pattern.compile("[0-9]{1,5}(-[0-9]{1,5})?\\.(lock|sock|bell|[0-9]+\\.lane)");

  private final Path root;
  private final Path folder;
  private final String name;
  private final DescriptorLock lock;
  private boolean left; // guarded by this

  private Rendezvous(Path root, Path folder, String name, DescriptorLock lock) {
    this.root = root;
    this.folder = folder;
    this.name = name;
    this.lock = lock;
  }

  /**
   * Takes a name in the cluster's folder, and sweeps what dead nodes of any cluster left.
   *
   * @throws NameTakenException if a node that lives has it
   * @throws IOException if the folder cannot be used
   */
  static Rendezvous enter(Path root, String cluster, String name) throws IOException {
    privateFolder(root);
    Path realRoot = root.toRealPath();
    Path folder = realRoot.resolve(cluster);
    checkLength(socket(folder, name));
    try (DescriptorLock unused = DescriptorLock.onFolder(realRoot)) {
      privateFolder(folder);
      Rendezvous here = new Rendezvous(realRoot, folder, name, lock(folder, name));
      try {
        delete(folder, name, false);
      } catch (IOException e) {
        here.leave();
        throw e;
      }
      sweepAll(realRoot);
      return here;
    }
  }

  private static void checkLength(Path socket) throws IOException {
    if (socket.toString().getBytes(StandardCharsets.UTF_8).length > MAX_SOCKET_PATH_BYTES) {
      throw new IOException(
          socket
              + " is longer than the "
              + MAX_SOCKET_PATH_BYTES
              + " bytes of a socket's name; choose a shorter shm.directory or cluster");
    }
  }

  /** Makes the folder if it is not there; refuses one that somebody else may have prepared. */
  private static void privateFolder(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      make(folder);
    }
    PosixFileAttributes attributes =
        Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isDirectory()) {
      throw new IOException(
          folder
              + " is no folder"
              + (attributes.isSymbolicLink()
                  ? " but a link; set shm.directory to its target"
                  : ""));
    }
    String owner = attributes.owner().getName();
    String user = Files.getOwner(Path.of("/proc/self")).getName();
    if (!owner.equals(user)) {
      throw new IOException(
          folder
              + " belongs to "
              + owner
              + ", this process to "
              + user
              + "; set shm.directory to a folder of its own");
    }
    Set<PosixFilePermission> permissions = new HashSet<>(attributes.permissions());
    permissions.removeAll(OWNER_ONLY);
    if (!permissions.isEmpty()) {
      throw new IOException(
          folder
              + " is open to others; set shm.directory to a folder of your own, or, if this one is,"
              + " run 'chmod 700 "
              + folder
              + "'");
    }
  }

  private static void make(Path folder) throws IOException {
    try {
      Files.createDirectories(folder, PRIVATE);
    } catch (IOException e) {
      throw new IOException(
          folder
              + " cannot be made ("
              + e
              + "); set shm.directory to a folder on tmpfs that this user may write to",
          e);
    }
  }

  private static DescriptorLock lock(Path folder, String name) throws IOException {
    Path path = folder.resolve(name + LOCK);
    makeIfMissing(path);
    DescriptorLock lock = DescriptorLock.tryOnFile(path);
    if (lock == null) {
      String pid = Files.readString(path).strip();
      throw new NameTakenException(
          "node "
              + name
              + (pid.equals(OWN_PID)
                  ? " is open in this process already (" + path + "); close that node"
                  : " runs already, in process " + pid + " (" + path + "); stop that node")
              + ", or choose another id");
    }
    try {
      Files.writeString(path, OWN_PID + '\n'); // says whose it is
    } catch (IOException e) {
      lock.close();
      throw unwritable(path, e);
    }
    return lock;
  }

  private static void makeIfMissing(Path path) throws IOException {
    try {
      Files.createFile(path, PRIVATE_FILE);
    } catch (FileAlreadyExistsException e) {
      // A dead node left it, or a living one holds it.
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  private static IOException unwritable(Path path, IOException e) {
    return new IOException(
        path
            + " cannot be written ("
            + e
            + "); "
            + (SharedFile.isLimited(e)
                ? SharedFile.OF_THE_LIMIT
                : "may this user write there, and is there room?"),
        e);
  }

  /** Sweeps every cluster's folder. What cannot be swept is left to the next one that comes. */
  private static void sweepAll(Path root) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
      for (Path folder : folders) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          sweep(folder);
        }
      }
    }
  }

  /** Deletes the files of every name whose lock nobody holds, and the folder if that was all. */
  private static void sweep(Path folder) {
    boolean swept = false;
    try (DirectoryStream<Path> locks = Files.newDirectoryStream(folder, "*" + LOCK)) {
      for (Path path : locks) {
        if (NODE_FILE.matcher(path.getFileName().toString()).matches()) {
          swept |= sweepIfDead(folder, path);
        }
      }
      if (swept) { // an empty folder without a trace of a node may be anybody's
        deleteIfEmpty(folder);
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It may be another cluster's and need not keep this node from opening.
    }
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // Others are in it.
    }
  }

  private static boolean sweepIfDead(Path folder, Path path) throws IOException {
    try (DescriptorLock lock = DescriptorLock.tryOnFile(path)) {
      if (lock == null) {
        return false;
      }
      String file = path.getFileName().toString();
      delete(folder, file.substring(0, file.length() - LOCK.length()), true);
      return true;
    }
  }

  /** Deletes a name's files, its lock last: as long as there are others it says whose they are. */
  private static void delete(Path folder, String name, boolean lockToo) throws IOException {
    Path lock = folder.resolve(name + LOCK);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + ".*")) {
      for (Path file : files) {
        if (!file.equals(lock) && NODE_FILE.matcher(file.getFileName().toString()).matches()) {
          Files.deleteIfExists(file);
        }
      }
    }
    if (lockToo) {
      Files.deleteIfExists(lock);
    }
  }

  private static Path socket(Path folder, String name) {
    return folder.resolve(name + SOCKET);
  }

  /** Where this node listens. */
  Path socket() {
    return socket(folder, name);
  }

  /** Where another node listens. */
  Path socketOf(String other) {
    return socket(folder, other);
  }

  /** The names of all nodes with this id that listen here, ordered. */
  List<String> namesOf(int id) {
    List<String> names = new ArrayList<>();
    String pattern = "{" + id + "," + id + "-*}" + SOCKET;
    try (DirectoryStream<Path> sockets = Files.newDirectoryStream(folder, pattern)) {
      for (Path path : sockets) {
        String file = path.getFileName().toString();
        names.add(file.substring(0, file.length() - SOCKET.length()));
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of(); // nobody can be found where nobody can look
    }
    names.sort(null);
    return names;
  }

  /** A file of this node. */
  Path own(String rest) {
    return folder.resolve(name + '.' + rest);
  }

  /**
   * Deletes a file of this node. Once the name is given up it does nothing: the file is gone, and
   * one of that name is the next node's.
   */
  synchronized void delete(Path own) { // either it is over when the name is given up, or sees that
    if (!left) {
      deleteOwn(own);
    }
  }

  private static void deleteOwn(Path own) {
    try {
      Files.deleteIfExists(own);
    } catch (IOException e) {
      // It lies in a private folder and goes with the node's other files.
    }
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

  /** Deletes this node's files and gives the name up; the last one to go takes the folder along. */
  @Override
  public void close() {
    try (DescriptorLock unused = DescriptorLock.onFolder(root)) {
      if (leave()) {
        deleteIfEmpty(folder);
      }
    } catch (IOException e) {
      leave(); // the root is gone: nobody is there to be excluded
    }
  }

  /** Whether it had not been left before. */
  private synchronized boolean leave() {
    if (left) {
      return false;
    }
    left = true;
    try {
      delete(folder, name, true);
    } catch (IOException e) {
      // The next node that comes sweeps it.
    } finally {
      lock.close();
    }
    return true;
  }
}
