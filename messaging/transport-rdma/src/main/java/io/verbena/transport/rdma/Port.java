// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.Struct;
import java.util.List;

/**
 * A port of a device: one end of a wire.
 *
 * @param device it belongs to
 * @param number counts from 1
 * @param state whether it carries data
 * @param linkLayer what lies below
 * @param lid its address within an InfiniBand subnet; 0 on RoCE
 * @param mtuBytes of the largest packet
 * @param gigabitsPerSecond its data rate; 0 if that is not known
 * @param gids its addresses in use
 * @param isChosen whether it is the one that would be used; true for one port at most
 * @param hindrance why it does not meet the wishes; empty if it does
 */
public record Port(
    Device device,
    int number,
    State state,
    LinkLayer linkLayer,
    int lid,
    int mtuBytes,
    double gigabitsPerSecond,
    List<Gid> gids,
    boolean isChosen,
    String hindrance) {

  /** Keeps a copy of the addresses. */
  public Port {
    gids = List.copyOf(gids);
  }

  /** Whether a port carries data. */
  public enum State {
    /** The device does not tell. */
    UNKNOWN,
    /** No cable, no driver, or switched off. */
    DOWN,
    /** Waits for a subnet manager. */
    INITIALIZING,
    /** Configured, does not carry data yet. */
    ARMED,
    /** Carries data. */
    ACTIVE;

    /** As verbs number them. */
    static State of(int code) {
      return switch (code) {
        case 1 -> DOWN;
        case 2 -> INITIALIZING;
        case 3 -> ARMED;
        case 4 -> ACTIVE;
        default -> UNKNOWN;
      };
    }
  }

  /** What lies below the packets. */
  public enum LinkLayer {
    /** The device does not tell. */
    UNSPECIFIED,
    /** An InfiniBand fabric. */
    INFINIBAND,
    /** Ethernet: RoCE. */
    ETHERNET;

    /** As verbs number them. */
    static LinkLayer of(int code) {
      return switch (code) {
        case 1 -> INFINIBAND;
        case 2 -> ETHERNET;
        default -> UNSPECIFIED;
      };
    }
  }

  /** Whether it meets the wishes. */
  public boolean isUsable() {
    return hindrance.isEmpty();
  }

  static Port of(Struct port, List<Gid> gids, String hindrance) {
    return new Port(
        Device.of(port),
        port.getInt("port"),
        State.of(port.getInt("state")),
        LinkLayer.of(port.getInt("link_layer")),
        port.getInt("lid"),
        port.getInt("mtu_bytes"),
        port.getDouble("gigabits_per_second"),
        gids,
        port.getFlag("chosen"),
        hindrance);
  }
}
