// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Figures;
import io.verbena.transport.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** What matters on a host, and how it is there. */
final class Examination {

  private static final String SHM = "dev/shm";
  private static final long MIN_SHM_BYTES = 64_000_000;
  private static final long DEFAULT_TIMER_SLACK_NS = 50_000;
  private static final long MIN_OPEN_FILES = 4096;

  private final HostFiles host;

  Examination(HostFiles host) {
    this.host = host;
  }

  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    findings.add(jdk());
    findings.add(nativeAccess());
    findings.add(cores(Runtime.getRuntime().availableProcessors()));
    governor().ifPresent(findings::add);
    timerSlack().ifPresent(findings::add);
    findings.add(sharedMemory());
    findings.add(new HugePages(host).finding());
    openFiles().ifPresent(findings::add);
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      findings.add(transport(provider.name(), provider.unusableBecause()));
    }
    findings.addAll(new VerbsExamination(host).findings());
    findings.addAll(new FabricExamination(host, System.getenv()).findings());
    return findings;
  }

  private static Finding jdk() {
    return Finding.good("JDK", System.getProperty("java.vendor") + " " + Runtime.version());
  }

  private static Finding nativeAccess() {
    boolean isEnabled =
        Examination.class.getModule().isNamed()
            || Examination.class.getModule().isNativeAccessEnabled();
    return isEnabled
        ? Finding.good("native access", "enabled")
        : Finding.poor(
            "native access",
            "not enabled",
            "start the JVM with --enable-native-access=ALL-UNNAMED, else it warns, and later"
                + " versions refuse shared memory's wake-ups");
  }

  static Finding cores(int cores) {
    return cores >= 2
        ? Finding.good("processor cores", Integer.toString(cores))
        : Finding.poor(
            "processor cores",
            cores + ", 2 wanted",
            "sender and receiver take turns: round trips cost two context switches; in a container"
                + " --cpus=2");
  }

  /** Of all cores; a virtual machine has none. */
  Optional<Finding> governor() {
    List<String> governors =
        host.names("sys/devices/system/cpu").stream()
            .flatMap(core -> governor(core).stream())
            .toList();
    List<String> saving = governors.stream().filter(name -> !name.equals("performance")).toList();
    if (governors.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        saving.isEmpty()
            ? Finding.good("frequency governor", "performance")
            : Finding.poor(
                "frequency governor",
                String.format(
                    "%s on %d of %d cores, performance wanted",
                    saving.getFirst(), saving.size(), governors.size()),
                "figures vary while the clock ramps up; to measure, 'echo performance |"
                    + " sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor'"));
  }

  private Optional<String> governor(String core) {
    return host.text("sys/devices/system/cpu/" + core + "/cpufreq/scaling_governor");
  }

  Optional<Finding> timerSlack() {
    return host.text("proc/self/timerslack_ns").map(Long::parseLong).map(Examination::timerSlack);
  }

  private static Finding timerSlack(long ns) {
    String found =
        Figures.nanos(ns) + ", at most " + Figures.nanos(DEFAULT_TIMER_SLACK_NS) + " wanted";
    return ns <= DEFAULT_TIMER_SLACK_NS
        ? Finding.good("timer slack", found)
        : Finding.poor(
            "timer slack",
            found,
            "sleeping threads wake late; in the shell that starts the JVM, 'echo "
                + DEFAULT_TIMER_SLACK_NS
                + " > /proc/$$/timerslack_ns'");
  }

  Finding sharedMemory() {
    if (!host.isFolder(SHM)) {
      return Finding.broken(
          "/dev/shm",
          "not there",
          "transport shm needs it: 'mount -t tmpfs tmpfs /dev/shm'; in a container --shm-size=1g");
    }
    return host.isWritable(SHM) ? roomInSharedMemory(host.freeBytes(SHM)) : sharedMemoryOfOthers();
  }

  static Finding sharedMemoryOfOthers() {
    return Finding.broken(
        "/dev/shm", "not writable", "transport shm needs it: 'sudo chmod 1777 /dev/shm'");
  }

  static Finding roomInSharedMemory(long freeBytes) {
    String found = Figures.bytes(freeBytes) + " free, " + Figures.bytes(MIN_SHM_BYTES) + " wanted";
    return freeBytes >= MIN_SHM_BYTES
        ? Finding.good("/dev/shm", found)
        : Finding.poor(
            "/dev/shm",
            found,
            "a connection takes two lanes of lane.bytes (1 MiB each by default): enlarge it with"
                + " 'sudo mount -o remount,size=1g /dev/shm', in a container --shm-size=1g");
  }

  Optional<Finding> openFiles() {
    return host.limit("Max open files").map(Examination::openFiles);
  }

  private static Finding openFiles(String limit) {
    String found = "limit " + limit + ", " + MIN_OPEN_FILES + " wanted";
    return isAtLeast(limit, MIN_OPEN_FILES)
        ? Finding.good("open files", found)
        : Finding.poor(
            "open files", found, "each TCP connection takes one; raise it with 'ulimit -n 65536'");
  }

  static Finding transport(String name, String unusableBecause) {
    return unusableBecause.isEmpty()
        ? Finding.good("transport " + name, "usable")
        : Finding.poor("transport " + name, "not usable", unusableBecause);
  }

  /** Whether a limit of the kernel leaves so much. */
  static boolean isAtLeast(String limit, long minimum) {
    return limit.equals("unlimited") || Long.parseLong(limit) >= minimum;
  }
}
