// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import io.verbena.ConfigException;
import io.verbena.NodeConfig;
import io.verbena.VerbenaException;
import io.verbena.internal.config.CoreKeys;
import io.verbena.internal.config.MergedJars;
import io.verbena.internal.loopback.LoopbackTransport;
import io.verbena.transport.Transport;
import io.verbena.transport.TransportContext;
import io.verbena.transport.TransportProvider;
import io.verbena.transport.UnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.BindException;
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

  /** How many ports are tried, if any will do, until no other process has one of the protocols'. */
  private static final int MOST_PORTS = 16;

  private final TransportContext context;
  private final NodeConfig config;
  private final Iterable<TransportProvider> providers;
  private final ListenAddress listen;
  private final List<Transport> open = new ArrayList<>(); // in order of preference; guarded by this
  private final List<Transport> forbidden = new ArrayList<>(); // as they do not encrypt
  private final LoopbackTransport loopback;
  private final boolean mustEncrypt;

  Transports(TransportContext context, NodeConfig config) {
    this(
        context,
        config,
        ServiceLoader.load(TransportProvider.class, Transports.class.getClassLoader()));
  }

  Transports(TransportContext context, NodeConfig config, Iterable<TransportProvider> providers) {
    this.context = context;
    this.config = config;
    this.providers = providers;
    this.listen = new ListenAddress(config.listen());
    this.loopback = new LoopbackTransport(context);
    this.mustEncrypt = config.setting(CoreKeys.ENCRYPTION).equals(CoreKeys.ENCRYPTION_REQUIRED);
  }

  /** Starts them. Who dials meanwhile waits until all there are can be chosen from. */
  void open() {
    for (int tries = 1; !hasOpened(tries == MOST_PORTS); tries++) {
      closeOpened();
      forget();
    }
  }

  /** False if the port that one of them was given is taken for another: a new one will do. */
  private synchronized boolean hasOpened(boolean isLastTry) {
    try {
      openWanted();
      return true;
    } catch (PortTakenException e) {
      if (isLastTry) {
        throw e.failure;
      }
      return false;
    }
  }

  private synchronized void forget() {
    open.clear();
    forbidden.clear();
    listen.forget();
  }

  private void openWanted() {
    String wanted = config.transport();
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
    List<TransportProvider> preferred = byPreference();
    List<TransportProvider> inTurn = new ArrayList<>(preferred);
    if (listen.isOfAnyPort()) { // of which the others take their names; stays sorted beside
      inTurn.sort(Comparator.comparing(TransportProvider::listens).reversed());
    }
    for (TransportProvider provider : inTurn) {
      if (provider.preference() > 0) {
        openUnlessLeftOut(provider, leftOut, failed);
      }
    }
    List<String> names = preferred.stream().map(TransportProvider::name).toList();
    open.sort(Comparator.comparingInt(transport -> names.indexOf(transport.name())));
    failed.forEach(this::warnOrFail);
    forbidden.forEach(transport -> leftOut.put(transport.name(), ((Forbidden) transport).why()));
    String fault = mergedJars();
    if (open.isEmpty()) {
      throw nothingToOpen(leftOut, fault);
    }
    if (!fault.isEmpty()) {
      LOG.log(Level.WARNING, "node {0}: {1}", String.valueOf(context.nodeId()), fault);
    }
  }

  private String mergedJars() {
    return MergedJars.fault(providers, Transports.class.getClassLoader());
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
        add(provider.open(context));
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
      VerbenaException failure = cannotStart(name, e);
      throw listen.isGiven() && e.getCause() instanceof BindException
          ? new PortTakenException(failure)
          : failure;
    }
  }

  /** Why a transport may not be used; empty if it may. */
  private String exposure(TransportProvider provider) {
    String why = mustEncrypt ? provider.unencryptedBecause(context) : "";
    return why.isEmpty() ? "" : "encryption=required forbids " + provider.name() + ": " + why;
  }

  private static VerbenaException nothingToOpen(Map<String, String> leftOut, String fault) {
    if (leftOut.isEmpty()) {
      return new ConfigException(
          "transport 'auto' found no transport; "
              + (fault.isEmpty()
                  ? "put the jar of one (verbena-transport-shm, -rdma, -tcp) on the module or class"
                      + " path"
                  : fault)
              + ", or set transport=loopback for nodes of one process");
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
          add(provider.open(context));
          return;
        } catch (IOException e) {
          throw cannotStart(name, e);
        }
      }
    }
    StringBuilder names = new StringBuilder();
    byPreference().forEach(provider -> names.append(", ").append(provider.name()));
    String fault = mergedJars();
    throw new ConfigException(
        "transport '"
            + name
            + "' is not there; found auto, loopback"
            + names
            + "; "
            + (fault.isEmpty() ? "is its jar on the module or class path?" : fault));
  }

  private static VerbenaException cannotStart(String name, IOException e) {
    return new VerbenaException("cannot start transport " + name + ": " + e.getMessage(), e);
  }

  private void add(Transport transport) {
    open.add(transport);
    listen.bound(transport.address());
  }

  private List<TransportProvider> byPreference() {
    List<TransportProvider> found = new ArrayList<>();
    providers.forEach(found::add);
    found.sort(Comparator.comparingInt(TransportProvider::preference).reversed());
    return found;
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

  /** Where a transport is to listen that opens now. */
  String listen() {
    return listen.now();
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
    closeOpened();
    loopback.close();
  }

  /** Without the lock: their threads may ask who reaches whom. */
  private void closeOpened() {
    opened().forEach(Transport::close);
  }

  private synchronized List<Transport> opened() {
    return List.copyOf(open);
  }

  /** A port that one transport was given cannot be another's. */
  private static final class PortTakenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final VerbenaException failure;

    PortTakenException(VerbenaException failure) {
      super(failure);
      this.failure = failure;
    }
  }
}
