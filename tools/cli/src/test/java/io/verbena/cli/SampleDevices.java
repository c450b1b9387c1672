// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.transport.rdma.Device;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Gid;
import io.verbena.transport.rdma.Port;
import io.verbena.transport.rdma.Port.LinkLayer;
import io.verbena.transport.rdma.Port.State;
import java.util.List;

/** Devices made up. */
final class SampleDevices {

  private static final Device MLX =
      new Device(
          "mlx5_0",
          "libibverbs",
          0x0002c903_00fedcbaL,
          new Device.Limits(262144, 32768, 30, 4194303, 32767, Long.MAX_VALUE));

  private static final Device SOFTNIC =
      new Device(
          "softnic0", "softnic", 1, new Device.Limits(4080, 16384, 32, 1048576, 16384, 1L << 30));

  /** An InfiniBand port that is down, and softnic, which is chosen. */
  static final Devices TWO =
      new Devices(
          List.of(
              new Port(
                  MLX,
                  2,
                  State.DOWN,
                  LinkLayer.INFINIBAND,
                  17,
                  4096,
                  0,
                  List.of(),
                  false,
                  "the port is down"),
              new Port(
                  SOFTNIC,
                  1,
                  State.ACTIVE,
                  LinkLayer.ETHERNET,
                  0,
                  1024,
                  200,
                  List.of(
                      new Gid(0, "fe80::1", "RoCE v2", false),
                      new Gid(1, "10.0.0.1", "RoCE v2", true)),
                  true,
                  "")),
          List.of("softnic0 port 1: the only usable port"),
          List.of());

  private SampleDevices() {}
}
