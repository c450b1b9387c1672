// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import io.verbena.transport.UnavailableException;
import java.io.IOException;
import java.util.List;

/** Provides transport {@code rdma}: InfiniBand and RoCE verbs, and softnic. */
public final class RdmaProvider implements TransportProvider {

  /** The transport's name. */
  static final String NAME = "rdma";

  /** What devices of the kernel are not. */
  private static final String SOFTNIC = "softnic";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int preference() {
    return 50;
  }

  @Override
  public List<ConfigKey> keys() {
    return RdmaSettings.KEYS;
  }

  @Override
  public String unusableBecause() {
    String why = Devices.unusableBecause();
    if (!why.isEmpty()) {
      return why;
    }
    Devices found = Devices.survey(Wishes.NONE);
    if (found.ports().stream().anyMatch(port -> !port.device().provider().equals(SOFTNIC))) {
      return ""; // usable or not: opening it tells why not
    }
    return "there is no verbs device of the kernel ("
        + String.join("; ", found.troubles())
        + "); softnic is used by transport=rdma alone";
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
