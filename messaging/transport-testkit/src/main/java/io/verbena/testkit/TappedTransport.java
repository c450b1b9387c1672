// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.NodeConfig;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A transport under test that is cut by taking its links down; see {@link TappedProvider}. */
public class TappedTransport implements TransportUnderTest {

  private final String tapped;
  private final String cluster = "t-" + UUID.randomUUID().toString().substring(0, 18);
  private final String directoryKey;
  private final @Nullable SharedMemoryDirectory directory;

  /**
   * Makes one.
   *
   * @param tapped the name of the transport that is tapped
   */
  public TappedTransport(String tapped) {
    this(tapped, "", null);
  }

  private TappedTransport(
      String tapped, String directoryKey, @Nullable SharedMemoryDirectory directory) {
    this.tapped = tapped;
    this.directoryKey = directoryKey;
    this.directory = directory;
  }

  /** Makes one whose files lie in a directory of their own, where none may be left. */
  public static TappedTransport inDirectory(String tapped, String directoryKey) {
    return new TappedTransport(tapped, directoryKey, SharedMemoryDirectory.create());
  }

  @Override
  public String name() {
    return TappedProvider.PREFIX + tapped;
  }

  @Override
  public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
    if (directory != null) {
      builder.set(directoryKey, directory.path().toString());
    }
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

  /** So many times node {@code to} has no memory for a lane of node {@code from}. */
  public final void lackMemory(int from, int to, int times) {
    TappedContext.lackMemory(cluster, from, to, times);
  }

  /** How often that is still to come. */
  public final int lacksLeft(int from, int to) {
    return TappedContext.lacksLeft(cluster, from, to);
  }

  @Override
  public List<String> leftovers() {
    return directory == null ? List.of() : directory.files();
  }

  @Override
  public void close() {
    TappedContext.forget(cluster);
    if (directory != null) {
      directory.close();
    }
  }
}
