// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.faulty;

import io.verbena.transport.ConfigKey;
import io.verbena.transport.ConfigKey.Kind;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;

/** TCP that drops, repeats, corrupts or mixes up one message of so many that a node receives. */
public final class FaultyProvider implements TransportProvider {

  /** Its name; the first word lets the nodes share a process. */
  public static final String NAME = "loopback-faulty";

  /** What happens to the message. */
  public static final ConfigKey FAULT =
      new ConfigKey(NAME + ".fault", Kind.CHOICE, "drop", "drop|repeat|corrupt|swap", "The fault.");

  /** One message of so many. */
  public static final ConfigKey EVERY =
      new ConfigKey(NAME + ".every", Kind.NUMBER, "1000000", "1..1000000000", "How seldom.");

  /** The node that receives badly. */
  public static final ConfigKey NODE =
      new ConfigKey(NAME + ".node", Kind.NUMBER, "2", "0..65535", "The node.");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<ConfigKey> keys() {
    return List.of(FAULT, EVERY, NODE);
  }

  @Override
  public String unusableBecause() {
    return "it is for tests that ask for it by name";
  }

  @Override
  public Transport open(TransportContext context) throws IOException {
    boolean isFaulty = context.nodeId() == context.number(NODE);
    Fault fault = Fault.valueOf(context.setting(FAULT).toUpperCase(Locale.ROOT));
    long every = isFaulty ? context.number(EVERY) : Long.MAX_VALUE;
    return tcp().open(new FaultyContext(context, new FaultSource(fault, every)));
  }

  private static TransportProvider tcp() {
    return ServiceLoader.load(TransportProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals("tcp"))
        .findFirst()
        .orElseThrow();
  }
}
