// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.Figures;

/**
 * Huge pages of a host. Verbena takes none: those that are reserved for nobody are lost memory, and
 * those a heap gets unasked are seldom an advantage.
 */
final class HugePages {

  private static final String WHAT = "huge pages";
  private static final String MODE_FILE = "sys/kernel/mm/transparent_hugepage/enabled";

  /** One part of so many of the memory, reserved and idle, is worth a word. */
  private static final long NOTEWORTHY_PART = 16;

  private final HostFiles host;

  HugePages(HostFiles host) {
    this.host = host;
  }

  Finding finding() {
    long idleBytes = host.memoryInfo("HugePages_Free") * host.memoryInfo("Hugepagesize") * 1024;
    long allBytes = host.memoryInfo("MemTotal") * 1024;
    String found =
        "transparent: %s, reserved and idle: %s".formatted(mode(), Figures.bytes(idleBytes));
    if (idleBytes > allBytes / NOTEWORTHY_PART) {
      return Finding.poor(WHAT, found, "Verbena takes none; give them back: " + releaseCommand());
    }
    return mode().equals("always")
        ? Finding.poor(
            WHAT,
            found,
            "heaps get them unasked, which can cost rate (docs/tuning.md): 'echo madvise |"
                + " sudo tee /"
                + MODE_FILE
                + "'")
        : Finding.good(WHAT, found);
  }

  /** Keeps those in use. */
  private String releaseCommand() {
    long used = host.memoryInfo("HugePages_Total") - host.memoryInfo("HugePages_Free");
    return "'sudo sysctl vm.nr_hugepages=" + used + "'";
  }

  /** The word in brackets of {@code always [madvise] never}. */
  private String mode() {
    return host.text(MODE_FILE)
        .map(words -> words.replaceAll(".*\\[|\\].*", ""))
        .orElse("not supported");
  }
}
