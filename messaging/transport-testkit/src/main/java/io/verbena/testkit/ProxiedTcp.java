// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.NodeConfig;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Transport {@code tcp} with a {@link CuttingProxy} between each two nodes, one for each way. */
public class ProxiedTcp implements TransportUnderTest {

  private record Way(int from, int to) {}

  private final String cluster = "t-" + UUID.randomUUID().toString().substring(0, 18);
  private final Map<Integer, Integer> ports = new ConcurrentHashMap<>();
  private final Map<Way, CuttingProxy> proxies = new ConcurrentHashMap<>();
  private final Set<Integer> isolated = ConcurrentHashMap.newKeySet();

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
    return builder.transport(name()).cluster(cluster).listen("127.0.0.1:" + port(nodeId));
  }

  /** The cluster that all its nodes belong to. */
  protected final String cluster() {
    return cluster;
  }

  /** The port a node listens on, the same in each of its lives. */
  public int port(int node) {
    return ports.computeIfAbsent(node, id -> Ports.free());
  }

  @Override
  public String address(int from, int to) {
    return "127.0.0.1:" + proxy(from, to).port();
  }

  /** The proxy {@code from} dials to reach {@code to}. */
  public CuttingProxy proxy(int from, int to) {
    return proxies.computeIfAbsent(new Way(from, to), way -> new CuttingProxy(port(way.to)));
  }

  @Override
  public void cutLinks(int a, int b) {
    proxy(a, b).cut();
    proxy(b, a).cut();
  }

  @Override
  public void isolate(int node, boolean cutOff) {
    if (cutOff ? isolated.add(node) : isolated.remove(node)) {
      proxies.forEach((way, proxy) -> refuseOrNot(way, proxy));
    }
  }

  private void refuseOrNot(Way way, CuttingProxy proxy) {
    boolean refuse = isolated.contains(way.from) || isolated.contains(way.to);
    proxy.refuse(refuse);
    if (refuse) {
      proxy.cut();
    }
  }

  @Override
  public void cutSoon(int a, int b, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    proxy(a, b).cutWithin(random, 200_000);
    proxy(b, a).cutWithin(random, 200_000);
  }

  @Override
  public void close() {
    proxies.values().forEach(CuttingProxy::close);
  }
}
