// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.util.List;

/** Offers shared memory to nodes. */
public final class ShmTransportProvider implements TransportProvider {

  /** For the service loader. */
  public ShmTransportProvider() {}

  @Override
  public String name() {
    return ShmTransport.NAME;
  }

  @Override
  public int preference() {
    return 100;
  }

  @Override
  public List<ConfigKey> keys() {
    return ShmKeys.ALL;
  }

  @Override
  public String unusableBecause() {
    return Linux.unusableBecause();
  }

  /** What other users of the host cannot open does not leave it either. */
  @Override
  public String unencryptedBecause(TransportContext context) {
    return "";
  }

  @Override
  public Transport open(TransportContext context) throws IOException {
    return ShmTransport.open(context);
  }
}
