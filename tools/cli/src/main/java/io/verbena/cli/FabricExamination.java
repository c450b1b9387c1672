// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What matters to one-sided memory and channels on a host. */
final class FabricExamination {

  private static final String MAPS = "proc/sys/vm/max_map_count";

  /** What Linux gives by default. Each region, ring and lane of a peer takes one. */
  private static final long MIN_MAPS = 65_530;

  private static final List<String> FOLDERS = List.of("memory", "fifo", "softnic");
  private static final List<String> MODULES = List.of("ib_uverbs", "rdma_cm", "rdma_rxe", "siw");
  private static final Set<PosixFilePermission> OWNERS_ALONE =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private final HostFiles host;

  FabricExamination(HostFiles host) {
    this.host = host;
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
    String what = "mapped memory";
    String user = host.userId().orElse("?");
    List<String> folders =
        FOLDERS.stream()
            .map(name -> "dev/shm/verbena-" + name + "-" + user)
            .filter(host::isThere)
            .toList();
    List<String> foreign = folders.stream().filter(path -> !isPrivate(path, user)).toList();
    if (foreign.isEmpty()) {
      return Finding.good(
          what,
          folders.isEmpty()
              ? "folders of user " + user + " in /dev/shm are made at first use"
              : folders.size() + " folders in /dev/shm, private to user " + user);
    }
    String path = "/" + foreign.getFirst();
    return Finding.broken(
        what,
        path + " is not a folder with mode 700 of user " + user,
        "memory of peers, channels and softnic need it: 'sudo rm -r "
            + path
            + "' while no process"
            + " uses it; it is made anew");
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
