// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.util.List;

/**
 * A transport whose links a test can take down: opens another provider's transport and remembers
 * every link it makes. Chosen by the name {@code tapped-NAME}.
 *
 * <p>A transport's tests subclass it with a constructor without parameters and name that class in
 * {@code META-INF/services/io.verbena.transport.TransportProvider}.
 */
public abstract class TappedProvider implements TransportProvider {

  /** What the names of tapped transports start with. */
  public static final String PREFIX = "tapped-";

  private final TransportProvider tapped;

  /** Taps a provider. */
  protected TappedProvider(TransportProvider tapped) {
    this.tapped = tapped;
  }

  @Override
  public final String name() {
    return PREFIX + tapped.name();
  }

  /** None: the tapped provider has declared them. */
  @Override
  public final List<ConfigKey> keys() {
    return List.of();
  }

  @Override
  public final String unusableBecause() {
    return "it is for tests that ask for it by name";
  }

  @Override
  public final String unencryptedBecause(TransportContext context) {
    return tapped.unencryptedBecause(context);
  }

  @Override
  public final Transport open(TransportContext context) throws IOException {
    return tapped.open(new TappedContext(context));
  }
}
