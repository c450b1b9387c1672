// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.NodeConfig;
import java.util.UUID;

/** A transport under test that is cut by taking its links down; see {@link TappedProvider}. */
public class TappedTransport implements TransportUnderTest {

  private final String tapped;
  private final String cluster = "t-" + UUID.randomUUID().toString().substring(0, 18);

  /**
   * Makes one.
   *
   * @param tapped the name of the transport that is tapped
   */
  public TappedTransport(String tapped) {
    this.tapped = tapped;
  }

  @Override
  public String name() {
    return TappedProvider.PREFIX + tapped;
  }

  @Override
  public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
    return builder.transport(name()).cluster(cluster);
  }

  @Override
  public String address(int from, int to) {
    return "";
  }

  @Override
  public void cutLinks(int a, int b) {
    TappedContext.cut(cluster, a, b);
  }

  @Override
  public void isolate(int node, boolean cutOff) {
    TappedContext.isolate(cluster, node, cutOff);
  }

  @Override
  public void close() {
    TappedContext.forget(cluster);
  }
}
