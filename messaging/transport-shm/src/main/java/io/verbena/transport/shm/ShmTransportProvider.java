// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.NativeAccess;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import io.verbena.transport.UnavailableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
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
    String denied = deniedBecause();
    return denied.isEmpty() ? Linux.unusableBecause() : denied;
  }

  /** Where only the JVM's options are in the way, a node that goes on without says so. */
  @Override
  public String leftOutBecause(TransportContext context) {
    return deniedBecause().isEmpty() ? Linux.unusableBecause() : "";
  }

  private static String deniedBecause() {
    return NativeAccess.deniedBecause(
        ShmTransportProvider.class, () -> MemorySegment.NULL.reinterpret(0));
  }

  /** What other users of the host cannot open does not leave it either. */
  @Override
  public String unencryptedBecause(TransportContext context) {
    return "";
  }

  @Override
  public Transport open(TransportContext context) throws IOException {
    String why = unusableBecause();
    if (!why.isEmpty()) {
      throw new UnavailableException(why, null);
    }
    return ShmTransport.open(context);
  }
}
