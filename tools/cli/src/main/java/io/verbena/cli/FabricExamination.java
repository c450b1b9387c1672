// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What matters to one-sided memory and channels on a host. */
final class FabricExamination {

  private static final String MAPS = "proc/sys/vm/max_map_count";

  /** What Linux gives by default. Each region, ring and lane of a peer takes one. */
  private static final long MIN_MAPS = 65_530;

  private static final List<String> MODULES = List.of("ib_uverbs", "rdma_cm", "rdma_rxe", "siw");
  private static final Set<PosixFilePermission> OWNERS_ALONE =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private static final String MAPPED = "mapped memory";

  /**
   * Where processes of one user find each other's memory.
   *
   * @param path from the host's root
   * @param variable of the environment that names it; empty for the one in {@code /dev/shm}
   */
  private record Folder(String path, String variable) {

    boolean isNamed() {
      return !variable.isEmpty();
    }
  }

  private final HostFiles host;
  private final Map<String, String> environment;

  FabricExamination(HostFiles host, Map<String, String> environment) {
    this.host = host;
    this.environment = environment;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(mappedMemory());
    memoryMaps().ifPresent(findings::add);
    findings.add(kernelModules());
    return findings;
  }

  /**
   * Whether processes of this user can map each other's memory: the library takes no folder that
   * others may enter, and makes those that are not there.
   */
  Finding mappedMemory() {
    String user = host.userId().orElse("?");
    List<Folder> folders =
        List.of(
            folder("memory", "VERBENA_MEMORY_DIR", user),
            new Folder(inSharedMemory("fifo", user), ""),
            folder("softnic", "VERBENA_SOFTNIC_DIR", user));
    return folders.stream()
        .flatMap(folder -> trouble(folder, user).stream())
        .findFirst()
        .orElseGet(() -> allPrivate(folders, user));
  }

  private Folder folder(String name, String variable, String user) {
    String named = environment.getOrDefault(variable, "");
    return named.isEmpty()
        ? new Folder(inSharedMemory(name, user), "")
        : new Folder(Path.of(named).toAbsolutePath().toString().substring(1), variable);
  }

  private static String inSharedMemory(String name, String user) {
    return "dev/shm/verbena-" + name + "-" + user;
  }

  private Finding allPrivate(List<Folder> folders, String user) {
    String named =
        folders.stream()
            .filter(Folder::isNamed)
            .map(folder -> " and where " + folder.variable() + " says")
            .collect(Collectors.joining());
    long made = folders.stream().filter(folder -> host.isThere(folder.path())).count();
    return Finding.good(
        MAPPED,
        made == 0
            ? "folders of user " + user + " in /dev/shm" + named + " are made at first use"
            : made + " folders in /dev/shm" + named + ", private to user " + user);
  }

  private Optional<Finding> trouble(Folder folder, String user) {
    if (host.isThere(folder.path())) {
      return isPrivate(folder.path(), user) ? Optional.empty() : Optional.of(open(folder, user));
    }
    return folder.isNamed() ? notMade(folder) : Optional.empty();
  }

  private static Finding open(Folder folder, String user) {
    String path = "/" + folder.path();
    String advice =
        folder.isNamed()
            ? "have " + folder.variable() + " name one that is, or none, which is made"
            : "'sudo rm -r " + path + "' while no process uses it; it is made anew";
    return Finding.broken(
        MAPPED,
        path + " is not a folder with mode 700 of user " + user,
        "memory of peers, channels and softnic need it: " + advice);
  }

  /** The library makes the folder itself alone. */
  private Optional<Finding> notMade(Folder folder) {
    String path = "/" + folder.path();
    String above = path.substring(0, Math.max(1, path.lastIndexOf('/')));
    return host.isFolder(above.substring(1))
        ? Optional.empty()
        : Optional.of(
            Finding.broken(
                MAPPED,
                path + " cannot be made: " + above + " is no folder",
                folder.variable() + " names it: make the folder above it, or name another one"));
  }

  private boolean isPrivate(String path, String user) {
    return host.isFolder(path)
        && host.ownerId(path).equals(Optional.of(user))
        && OWNERS_ALONE.containsAll(host.permissions(path));
  }

  Optional<Finding> memoryMaps() {
    return host.text(MAPS).map(FabricExamination::memoryMaps);
  }

  private static Finding memoryMaps(String limit) {
    String found = "limit " + limit + ", " + MIN_MAPS + " wanted";
    return Examination.isAtLeast(limit, MIN_MAPS)
        ? Finding.good("memory maps", found)
        : Finding.poor(
            "memory maps",
            found,
            "each region and ring of a peer takes one: 'sudo sysctl vm.max_map_count="
                + MIN_MAPS
                + "'");
  }

  /** Of those that devices of the kernel need; rxe is a device in software. */
  Finding kernelModules() {
    List<String> loaded =
        MODULES.stream().filter(name -> host.isThere("sys/module/" + name)).toList();
    return Finding.good(
        "kernel modules",
        loaded.isEmpty() ? "none for verbs; softnic works without" : String.join(", ", loaded));
  }
}
