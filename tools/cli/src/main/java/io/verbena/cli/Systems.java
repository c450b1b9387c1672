// SPDX-License-Identifier: Apache-2.0
package io.verbena.cli;

import io.verbena.bench.LeftOut;
import io.verbena.bench.plan.SystemUnderTest;
import io.verbena.transport.rdma.Devices;
import io.verbena.transport.rdma.Port;
import io.verbena.transport.rdma.Wishes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What can be measured on this machine, and what cannot.
 *
 * @param usable one after the other
 * @param leftOut with reasons
 */
record Systems(List<SystemUnderTest> usable, List<LeftOut> leftOut) {

  private static final String RDMA = "rdma";
  private static final String SOFTNIC = "softnic";
  private static final String KERNEL = "libibverbs"; // reaches its devices

  Systems {
    usable = List.copyOf(usable);
    leftOut = List.copyOf(leftOut);
  }

  /** One that was asked for by name: whether it is usable shows when it is measured. */
  static Systems of(SystemUnderTest system) {
    return new Systems(List.of(system), List.of());
  }

  /** The verbs device that a node takes that names none; empty where verbs cannot be used. */
  static Optional<String> chosenDevice() {
    if (!SystemUnderTest.of(RDMA).unusableBecause().isEmpty()) {
      return Optional.empty();
    }
    return Devices.survey(Wishes.NONE).chosen().map(Systems::deviceName);
  }

  /** As users say it: softnic is one, devices of the kernel have names. */
  private static String deviceName(Port port) {
    return port.device().provider().equals(SOFTNIC) ? SOFTNIC : port.device().name();
  }

  /**
   * Shared memory, sockets, softnic, a device of the kernel, and loopback.
   *
   * @param base how nodes are set up; its transport does not count
   */
  static Systems all(SystemUnderTest base) {
    Search search = new Search(base);
    search.addTransport("shm");
    search.addTransport("tcp");
    search.addDevice(SOFTNIC, "rdma softnic");
    search.addDevice(KERNEL, "rdma on a device of the kernel");
    search.add(SystemUnderTest.LOOPBACK);
    return new Systems(search.usable, search.leftOut);
  }

  /** Looks at one after the other. */
  private static final class Search {
    private final SystemUnderTest base;
    private final List<SystemUnderTest> usable = new ArrayList<>();
    private final List<LeftOut> leftOut = new ArrayList<>();

    Search(SystemUnderTest base) {
      this.base = base;
    }

    SystemUnderTest over(String transport) {
      return new SystemUnderTest(transport, base.settings(), base.jvmOptions(), base.hosts());
    }

    void add(String transport) {
      usable.add(over(transport));
    }

    void addTransport(String name) {
      String reason = over(name).unusableBecause();
      if (reason.isEmpty()) {
        add(name);
      } else {
        leftOut.add(new LeftOut(name, reason));
      }
    }

    void addDevice(String provider, String name) {
      String reason = over(RDMA).unusableBecause();
      if (!reason.isEmpty()) {
        leftOut.add(new LeftOut(name, reason));
        return;
      }
      Devices found = Devices.survey(Wishes.builder().device(provider).build());
      found
          .chosen()
          .ifPresentOrElse(
              port -> usable.add(over(RDMA).onDevice(deviceName(port))),
              () -> leftOut.add(new LeftOut(name, String.join(" ", found.reasons()))));
    }
  }
}
