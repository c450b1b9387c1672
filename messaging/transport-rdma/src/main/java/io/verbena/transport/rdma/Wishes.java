// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import java.lang.foreign.Arena;

/**
 * What a user asks of a device; everything else is chosen. A number may be {@link #ANY}.
 *
 * @param device its name, or its provider's ({@code softnic}); empty for any
 * @param port counts from 1
 * @param gidIndex the row in the port's table of addresses
 * @param family of the address
 * @param pkey the partition, with or without the membership bit
 * @param serviceLevel the quality of service
 * @param trafficClass of the header that carries the address: over RoCE v2 the DSCP times 4, and
 *     ECN
 * @param mtuBytes 256, 512, 1024, 2048 or 4096
 * @param listen where softnic is reached by ports of other hosts, {@code ADDRESS[:PORT[-LAST]]};
 *     empty for nowhere, or where the environment says
 */
public record Wishes(
    String device,
    int port,
    int gidIndex,
    AddressFamily family,
    int pkey,
    int serviceLevel,
    int trafficClass,
    int mtuBytes,
    String listen) {

  /** No wish. */
  public static final int ANY = -1;

  /** No wishes at all. */
  public static final Wishes NONE = builder().build();

  /** Of the address a port is reached by. */
  public enum AddressFamily {
    /** No wish: IPv4 before IPv6. */
    ANY(0),
    /** An IPv4 address, mapped into IPv6 as RoCE has it. */
    IPV4(4),
    /** An IPv6 address. */
    IPV6(6);

    private final int code;

    AddressFamily(int code) {
      this.code = code;
    }
  }

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the wish, its value and its range
   */
  public Wishes {
    check("port", port, 1, 255);
    check("GID index", gidIndex, 0, 255);
    check("P_Key", pkey, 0, 0xffff);
    check("service level", serviceLevel, 0, 15);
    check("traffic class", trafficClass, 0, 255);
    check("MTU", mtuBytes, 256, 4096);
    if (mtuBytes != ANY && Integer.bitCount(mtuBytes) != 1) {
      throw new IllegalArgumentException(
          "MTU " + mtuBytes + ": expected 256, 512, 1024, 2048 or 4096");
    }
  }

  private static void check(String what, int value, int least, int most) {
    if (value != ANY && (value < least || value > most)) {
      throw new IllegalArgumentException(
          what + " " + value + ": expected " + least + " to " + most);
    }
  }

  /** Starts without wishes. */
  public static Builder builder() {
    return new Builder();
  }

  /** The struct of these wishes, which lives as long as the arena. */
  Struct toStruct(Arena arena) {
    Struct struct = Struct.allocate(Structs.WISHES, arena);
    struct.setAddress("device", arena.allocateFrom(device));
    struct.setInt("port", orZero(port));
    struct.setInt("gid_index", gidIndex);
    struct.setInt("family", family.code);
    struct.setInt("pkey", pkey);
    struct.setInt("service_level", serviceLevel);
    struct.setInt("traffic_class", orZero(trafficClass));
    struct.setInt("mtu_bytes", orZero(mtuBytes));
    struct.setAddress("listen", arena.allocateFrom(listen));
    return struct;
  }

  private static int orZero(int value) {
    return value == ANY ? 0 : value;
  }

  /** Collects wishes. */
  public static final class Builder {
    private String device = "";
    private int port = ANY;
    private int gidIndex = ANY;
    private AddressFamily family = AddressFamily.ANY;
    private int pkey = ANY;
    private int serviceLevel = ANY;
    private int trafficClass = ANY;
    private int mtuBytes = ANY;
    private String listen = "";

    private Builder() {}

    /** A device's name or its provider's. */
    public Builder device(String value) {
      device = value;
      return this;
    }

    /** The number of a port, from 1. */
    public Builder port(int value) {
      port = value;
      return this;
    }

    /** The index of an address. */
    public Builder gidIndex(int value) {
      gidIndex = value;
      return this;
    }

    /** The family of the address. */
    public Builder family(AddressFamily value) {
      family = value;
      return this;
    }

    /** The partition key. */
    public Builder pkey(int value) {
      pkey = value;
      return this;
    }

    /** The service level. */
    public Builder serviceLevel(int value) {
      serviceLevel = value;
      return this;
    }

    /** The traffic class. */
    public Builder trafficClass(int value) {
      trafficClass = value;
      return this;
    }

    /** The largest packet. */
    public Builder mtuBytes(int value) {
      mtuBytes = value;
      return this;
    }

    /** Where softnic listens for ports of other hosts. */
    public Builder listen(String value) {
      listen = value;
      return this;
    }

    /**
     * The wishes.
     *
     * @throws IllegalArgumentException naming the wish that is out of its range
     */
    public Wishes build() {
      return new Wishes(
          device, port, gidIndex, family, pkey, serviceLevel, trafficClass, mtuBytes, listen);
    }
  }
}
