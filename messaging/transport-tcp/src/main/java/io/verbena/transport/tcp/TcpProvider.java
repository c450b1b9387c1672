// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.util.List;

/** Provides transport {@code tcp}. */
public final class TcpProvider implements TransportProvider {

  /** The transport's name. */
  static final String NAME = "tcp";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int preference() {
    return 10;
  }

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public List<ConfigKey> keys() {
    return TcpSettings.KEYS;
  }

  @Override
  public String unusableBecause() {
    return "";
  }

  @Override
  public String unencryptedBecause(TransportContext context) {
    return Tls.isConfigured(context)
        ? ""
        : "it encrypts only once tls.certificate, tls.key and tls.ca are set";
  }

  @Override
  public Transport open(TransportContext context) throws IOException {
    return new TcpTransport(context);
  }
}
