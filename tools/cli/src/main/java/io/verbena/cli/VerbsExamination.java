// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Figures;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Port;
import io.verbena.transport.rdma.Wishes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What matters to verbs devices on a host. */
final class VerbsExamination {

  private static final String FILES = "dev/infiniband";

  /** Enough for the queues and buffers of a few connections; the native library warns below it. */
  private static final long MIN_LOCKED_BYTES = 64 << 20;

  private final HostFiles host;

  VerbsExamination(HostFiles host) {
    this.host = host;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(kernelDevices());
    lockedMemory().ifPresent(findings::add);
    String unusable = Devices.unusableBecause();
    findings.add(
        unusable.isEmpty() ? choice(Devices.survey(Wishes.NONE)) : withoutLibrary(unusable));
    return findings;
  }

  private List<String> devices() {
    return host.names("sys/class/infiniband");
  }

  /** Whether the devices the kernel has can be opened. */
  Finding kernelDevices() {
    List<String> files =
        host.names(FILES).stream().filter(name -> name.startsWith("uverbs")).toList();
    List<String> denied =
        files.stream().filter(name -> !host.isWritable(FILES + "/" + name)).toList();
    return kernelDevices(devices(), files, denied);
  }

  static Finding kernelDevices(List<String> devices, List<String> files, List<String> denied) {
    String what = "kernel verbs devices";
    String names = String.join(", ", devices);
    if (devices.isEmpty()) {
      return Finding.good(what, "none; softnic works without");
    }
    if (files.isEmpty()) {
      return Finding.poor(
          what,
          names + ", but no /dev/infiniband/uverbs*",
          "programs cannot reach them: 'sudo modprobe ib_uverbs'; in a container"
              + " --device=/dev/infiniband");
    }
    return denied.isEmpty()
        ? Finding.good(what, names)
        : Finding.poor(
            what,
            names + ", but no access to /dev/infiniband/" + String.join(", ", denied),
            "'sudo chmod a+rw /dev/infiniband/uverbs*'; for good, the udev rules of rdma-core");
  }

  /** Devices of the kernel lock the memory they reach; softnic, shm and tcp do not. */
  Optional<Finding> lockedMemory() {
    return host.limit("Max locked memory").map(limit -> lockedMemory(limit, !devices().isEmpty()));
  }

  private static Finding lockedMemory(String limit, boolean isNeeded) {
    String what = "locked memory";
    if (!isNeeded) {
      return Finding.good(what, inBytes(limit) + ", matters to kernel verbs devices alone");
    }
    String found = inBytes(limit) + ", " + MIN_LOCKED_BYTES + " wanted";
    return Examination.isAtLeast(limit, MIN_LOCKED_BYTES)
        ? Finding.good(what, found)
        : Finding.poor(
            what,
            found,
            "devices register no more than "
                + Figures.bytes(Long.parseLong(limit))
                + " unless the process has CAP_IPC_LOCK: 'ulimit -l unlimited', in a container"
                + " --ulimit memlock=-1 (docs/tuning.md#memlock)");
  }

  private static String inBytes(String limit) {
    return "limit " + limit + (limit.equals("unlimited") ? "" : " bytes");
  }

  static Finding choice(Devices found) {
    return found
        .chosen()
        .map(port -> Finding.good("verbs device", use(port) + "; see 'verbena devices'"))
        .orElseGet(
            () -> Finding.poor("verbs device", "none usable", String.join(". ", found.reasons())));
  }

  private static String use(Port port) {
    String name = port.device().name() + " port " + port.number();
    return port.device().provider().equals("softnic")
        ? name
            + ", for transport rdma without hardware; transport auto takes it where rdma.device names it"
        : name;
  }

  private static Finding withoutLibrary(String reason) {
    return Finding.poor("verbs device", "no native library", reason);
  }
}
