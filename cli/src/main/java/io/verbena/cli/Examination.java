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
  private static final long MIN_SHM_BYTES = 64L << 20;
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
    findings.add(sharedMemory());
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      findings.add(transport(provider.name(), provider.unusableBecause()));
    }
    timerSlack().ifPresent(findings::add);
    openFiles().ifPresent(findings::add);
    lockedMemory().ifPresent(findings::add);
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
            Integer.toString(cores),
            "sender and receiver take turns: round trips cost two context switches");
  }

  Optional<Finding> governor() {
    return host.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
        .map(
            name ->
                name.equals("performance")
                    ? Finding.good("frequency governor", name)
                    : Finding.poor(
                        "frequency governor",
                        name,
                        "figures vary while the clock ramps up; to measure, 'cpupower"
                            + " frequency-set -g performance'"));
  }

  Finding sharedMemory() {
    if (!host.isWritableFolder(SHM)) {
      return Finding.broken(
          "/dev/shm",
          "not a writable folder",
          "transport shm needs it: mount -t tmpfs tmpfs /dev/shm; in a container run with"
              + " --shm-size=1g");
    }
    long free = host.freeBytes(SHM);
    String found = Figures.bytes(free) + " free";
    return free >= MIN_SHM_BYTES
        ? Finding.good("/dev/shm", found)
        : Finding.poor(
            "/dev/shm",
            found,
            "a connection takes two lanes of lane.bytes (1 MiB each by default): enlarge it with"
                + " 'mount -o remount,size=1g /dev/shm', in a container --shm-size=1g");
  }

  static Finding transport(String name, String unusableBecause) {
    return unusableBecause.isEmpty()
        ? Finding.good("transport " + name, "usable")
        : Finding.poor("transport " + name, "not usable", unusableBecause);
  }

  Optional<Finding> timerSlack() {
    return host.text("proc/self/timerslack_ns")
        .map(Long::parseLong)
        .map(
            ns ->
                ns <= DEFAULT_TIMER_SLACK_NS
                    ? Finding.good("timer slack", Figures.nanos(ns))
                    : Finding.poor(
                        "timer slack",
                        Figures.nanos(ns),
                        "sleeping threads wake late; the usual value is 50 µs"));
  }

  Optional<Finding> openFiles() {
    return host.limit("Max open files")
        .map(
            limit ->
                isAtLeast(limit, MIN_OPEN_FILES)
                    ? Finding.good("open files", "limit " + limit)
                    : Finding.poor(
                        "open files",
                        "limit " + limit,
                        "each TCP connection takes one; raise it with 'ulimit -n 65536'"));
  }

  /** Nothing needs it now, but registered memory of network devices will. */
  Optional<Finding> lockedMemory() {
    return host.limit("Max locked memory")
        .map(
            limit -> Finding.good("locked memory", "limit " + limit + ", not used by shm and tcp"));
  }

  private static boolean isAtLeast(String limit, long minimum) {
    return limit.equals("unlimited") || Long.parseLong(limit) >= minimum;
  }
}
