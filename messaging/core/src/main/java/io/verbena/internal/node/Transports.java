// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConfigException;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.internal.config.CoreKeys;
import io.verbena.internal.loopback.LoopbackTransport;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import io.verbena.transport.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** The transports a node runs: the one that was asked for, or under {@code auto} all that work. */
final class Transports {

  private static final Logger LOG = System.getLogger("io.verbena");
  private static final String AUTO = "auto";

  private final TransportContext context;
  private final List<Transport> open = new ArrayList<>(); // in order of preference; guarded by this
  private final List<Transport> forbidden = new ArrayList<>(); // as they do not encrypt
  private final LoopbackTransport loopback;
  private boolean mustEncrypt;

  Transports(TransportContext context) {
    this.context = context;
    this.loopback = new LoopbackTransport(context);
  }

  /** Starts them. Who dials meanwhile waits until all there are can be chosen from. */
  synchronized void open(NodeConfig config) {
    String wanted = config.transport();
    mustEncrypt = config.setting(CoreKeys.ENCRYPTION).equals(CoreKeys.ENCRYPTION_REQUIRED);
    if (wanted.equals(LoopbackTransport.NAME)) {
      loopback.register();
    } else if (wanted.equals(AUTO)) {
      openAllUsable();
    } else {
      openOne(wanted);
    }
  }

  private void openAllUsable() {
    Map<String, String> leftOut = new LinkedHashMap<>();
    Map<String, UnavailableException> failed = new LinkedHashMap<>();
    for (TransportProvider provider : byPreference()) {
      if (provider.preference() > 0) {
        openUnlessLeftOut(provider, leftOut, failed);
      }
    }
    failed.forEach(this::warnOrFail);
    forbidden.forEach(transport -> leftOut.put(transport.name(), ((Forbidden) transport).why()));
    if (open.isEmpty()) {
      throw nothingToOpen(leftOut);
    }
  }

  private void openUnlessLeftOut(
      TransportProvider provider,
      Map<String, String> leftOut,
      Map<String, UnavailableException> failed) {
    String name = provider.name();
    try {
      String why = provider.leftOutBecause(context);
      String exposure = exposure(provider);
      if (why.isEmpty() && !exposure.isEmpty()) {
        forbidden.add(new Forbidden(name, exposure));
      } else if (why.isEmpty()) {
        open.add(provider.open(context));
      } else {
        String node = String.valueOf(context.nodeId());
        LOG.log(Level.DEBUG, "node {0}: auto leaves {1} out: {2}", node, name, why);
        leftOut.put(name, why);
      }
    } catch (UnavailableException e) {
      failed.put(name, e);
    } catch (IllegalStateException e) { // it cannot even find out
      failed.put(name, new UnavailableException(String.valueOf(e.getMessage()), e));
    } catch (IOException e) {
      throw cannotStart(name, e);
    }
  }

  /** Why a transport may not be used; empty if it may. */
  private String exposure(TransportProvider provider) {
    String why = mustEncrypt ? provider.unencryptedBecause(context) : "";
    return why.isEmpty() ? "" : "encryption=required forbids " + provider.name() + ": " + why;
  }

  private static VerbenaException nothingToOpen(Map<String, String> leftOut) {
    if (leftOut.isEmpty()) {
      return new ConfigException(
          "transport 'auto' found no transport; put the jar of one (verbena-transport-shm, -rdma,"
              + " -tcp) on the module or class path, or set transport=loopback for nodes of one"
              + " process");
    }
    StringBuilder reasons = new StringBuilder();
    leftOut.forEach((name, why) -> reasons.append("; ").append(name).append(": ").append(why));
    return new VerbenaException(
        "transport 'auto' found no transport that works here" + reasons, null);
  }

  private void warnOrFail(String name, UnavailableException e) {
    if (open.isEmpty()) {
      throw cannotStart(name, e);
    }
    LOG.log(
        Level.WARNING,
        "node {0}: auto leaves {1} out and goes on with {2}: {3}",
        String.valueOf(context.nodeId()),
        name,
        names(),
        e.getMessage());
  }

  private void openOne(String name) {
    for (TransportProvider provider : byPreference()) {
      if (provider.name().equals(name)) {
        String exposure = exposure(provider);
        if (!exposure.isEmpty()) {
          throw new ConfigException(exposure);
        }
        try {
          open.add(provider.open(context));
          return;
        } catch (IOException e) {
          throw cannotStart(name, e);
        }
      }
    }
    StringBuilder names = new StringBuilder();
    byPreference().forEach(provider -> names.append(", ").append(provider.name()));
    throw new ConfigException(
        "transport '"
            + name
            + "' is not there; found auto, loopback"
            + names
            + "; is its jar on the module or class path?");
  }

  private static VerbenaException cannotStart(String name, IOException e) {
    return new VerbenaException("cannot start transport " + name + ": " + e.getMessage(), e);
  }

  private static List<TransportProvider> byPreference() {
    List<TransportProvider> providers = new ArrayList<>();
    ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader())
        .forEach(providers::add);
    providers.sort(Comparator.comparingInt(TransportProvider::preference).reversed());
    return providers;
  }

  /** Those to try for a peer, the preferred first. */
  synchronized List<Transport> reaching(int peer, String address) {
    if (peer == context.nodeId() || loopback.isRegistered()) {
      return List.of(loopback);
    }
    if (open.size() == 1 && forbidden.isEmpty()) {
      return List.copyOf(open); // no choice: its own error says best why it cannot
    }
    List<Transport> reaching = new ArrayList<>();
    for (Transport transport : open) {
      if (transport.canReach(peer, address)) {
        reaching.add(transport);
      }
    }
    if (reaching.isEmpty() && !address.isEmpty()) {
      return forbidden; // the errors of those that could say why they may not
    }
    return reaching;
  }

  synchronized List<String> names() {
    return open.stream().map(Transport::name).toList();
  }

  /** Where the node is reached over a network; empty if nowhere. */
  synchronized String address() {
    return open.stream()
        .map(Transport::address)
        .filter(address -> !address.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** What they count themselves. */
  Map<String, Long> counters() {
    Map<String, Long> all = new HashMap<>();
    opened()
        .forEach(
            transport ->
                transport.counters().forEach((name, count) -> all.merge(name, count, Long::sum)));
    return all;
  }

  void close() {
    for (Transport transport :
        opened()) { // without the lock: their threads may ask who reaches whom
      transport.close();
    }
    loopback.close();
  }

  private synchronized List<Transport> opened() {
    return List.copyOf(open);
  }
}
