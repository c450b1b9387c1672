// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.internal.loopback.LoopbackTransport;
import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.util.List;

/** The loopback transport, which is no service by itself, with links a test can take down. */
public final class TappedLoopback extends TappedProvider {

  /** By the service loader. */
  public TappedLoopback() {
    super(new Loopback());
  }

  private static final class Loopback implements TransportProvider {
    @Override
    public String name() {
      return LoopbackTransport.NAME;
    }

    @Override
    public List<ConfigKey> keys() {
      return List.of();
    }

    @Override
    public String unusableBecause() {
      return "";
    }

    @Override
    public Transport open(TransportContext context) {
      LoopbackTransport transport = new LoopbackTransport(context);
      transport.register();
      return transport;
    }
  }
}
