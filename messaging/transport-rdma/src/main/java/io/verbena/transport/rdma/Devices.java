// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.DeviceList;
import io.verbena.natives.NativeAccess;
import io.verbena.natives.NativeLibrary;
import io.verbena.natives.Struct;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The verbs devices of this host at one moment, and which of them would be used.
 *
 * @param ports of all devices
 * @param reasons why the chosen port was chosen, or why none could be; whole sentences
 * @param troubles what hinders this process apart from single ports: no libibverbs, no permission,
 *     a low limit of locked memory
 */
public record Devices(List<Port> ports, List<String> reasons, List<String> troubles) {

  /** Keeps copies. */
  public Devices {
    ports = List.copyOf(ports);
    reasons = List.copyOf(reasons);
    troubles = List.copyOf(troubles);
  }

  /**
   * Whether the native library can be used here.
   *
   * @return empty if it can, else a sentence that says what is missing and what to do
   */
  public static String unusableBecause() {
    String denied =
        NativeAccess.deniedBecause(Devices.class, () -> MemorySegment.NULL.reinterpret(0));
    return denied.isEmpty() ? NativeLibrary.unusableBecause() : denied;
  }

  /**
   * Looks at all devices and chooses as the wishes say. That there are none is no failure: the
   * reasons tell. Takes milliseconds for each device; devices change afterwards.
   *
   * @throws IllegalStateException if the library cannot be used, with what {@link #unusableBecause}
   *     says, or if it cannot look
   */
  public static Devices survey(Wishes wishes) {
    NativeLibrary library = NativeLibrary.get();
    try (Arena arena = Arena.ofConfined();
        DeviceList found = DeviceList.survey(library, wishes.toStruct(arena))) {
      List<Port> ports =
          IntStream.range(0, found.portCount()).mapToObj(row -> port(found, row, arena)).toList();
      return new Devices(ports, found.reasons(), found.troubles());
    }
  }

  private static Port port(DeviceList found, int row, Arena arena) {
    Struct port = found.port(row, arena);
    List<Gid> gids =
        IntStream.range(0, port.getInt("gid_count"))
            .mapToObj(number -> Gid.of(found.gid(row, number, arena)))
            .toList();
    return Port.of(port, gids, found.hindrance(row));
  }

  /** The port that would be used; empty if none meets the wishes. */
  public Optional<Port> chosen() {
    return ports.stream().filter(Port::isChosen).findFirst();
  }
}
