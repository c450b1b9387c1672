// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.NativeLibrary;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import io.verbena.transport.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Provides transport {@code rdma}: InfiniBand and RoCE verbs, and softnic. */
public final class RdmaProvider implements TransportProvider {

  /** The transport's name. */
  static final String NAME = "rdma";

  /** What devices of the kernel are not. */
  private static final String SOFTNIC = "softnic";

  private static final Path KERNEL_DEVICES = Path.of("/sys/class/infiniband");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int preference() {
    return 50;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public List<ConfigKey> keys() {
    return RdmaSettings.KEYS;
  }

  /** With the library there is always softnic. */
  @Override
  public String unusableBecause() {
    return Devices.unusableBecause();
  }

  /**
   * A device that is there, or that the user names, should work: whether it does is found out by
   * opening it.
   */
  @Override
  public String leftOutBecause(TransportContext context) {
    if (new RdmaSettings(context).namesDevice() || kernelHasDevices()) {
      return "";
    }
    String why = Devices.unusableBecause();
    if (!why.isEmpty()) {
      return NativeLibrary.isNamed() ? "" : why;
    }
    Devices found = Devices.survey(Wishes.NONE);
    if (found.ports().stream().anyMatch(port -> !port.device().provider().equals(SOFTNIC))) {
      return "";
    }
    return "there is no verbs device of the kernel ("
        + String.join("; ", found.troubles())
        + "); set rdma.device=softnic or transport=rdma to use softnic";
  }

  /** Also those that cannot be opened by this user or without libibverbs. */
  private static boolean kernelHasDevices() {
    String[] names = KERNEL_DEVICES.toFile().list();
    return names != null && names.length > 0;
  }

  @Override
  public Transport open(TransportContext context) throws IOException {
    String why = Devices.unusableBecause();
    if (!why.isEmpty()) {
      throw new UnavailableException(why, null);
    }
    return new RdmaTransport(context);
  }
}
