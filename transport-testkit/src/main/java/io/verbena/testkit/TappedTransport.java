// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import io.verbena.NodeConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A transport under test that is cut by taking its links down; see {@link TappedProvider}. */
public class TappedTransport implements TransportUnderTest {

  private final String tapped;
  private final String cluster = "t-" + UUID.randomUUID().toString().substring(0, 18);
  private final String directoryKey;
  private final @Nullable Path directory;

  /**
   * Makes one.
   *
   * @param tapped the name of the transport that is tapped
   */
  public TappedTransport(String tapped) {
    this(tapped, "", null);
  }

  private TappedTransport(String tapped, String directoryKey, @Nullable Path directory) {
    this.tapped = tapped;
    this.directoryKey = directoryKey;
    this.directory = directory;
  }

  /** Makes one whose files lie in a directory of their own, where none may be left. */
  public static TappedTransport inDirectory(String tapped, String directoryKey) {
    try {
      Path memory = Path.of("/dev/shm");
      Path directory =
          Files.isDirectory(memory)
              ? Files.createTempDirectory(memory, "verbena-test-")
              : Files.createTempDirectory("verbena-test-");
      return new TappedTransport(tapped, directoryKey, directory);
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for " + tapped, e);
    }
  }

  @Override
  public String name() {
    return TappedProvider.PREFIX + tapped;
  }

  @Override
  public NodeConfig.Builder configure(NodeConfig.Builder builder, int nodeId) {
    if (directory != null) {
      builder.set(directoryKey, directory.toString());
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

  @Override
  public List<String> leftovers() {
    if (directory == null || !Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> !Files.isDirectory(file)).map(Path::toString).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    TappedContext.forget(cluster);
    if (directory != null && Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException("files left in " + directory, e);
      }
    }
  }
}
