// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.fabric.Access;
import io.verbena.fabric.Fabric;
import io.verbena.fabric.FabricException;
import io.verbena.fabric.Link;
import io.verbena.fabric.Region;
import io.verbena.fabric.RegionKey;
import io.verbena.fabric.Remote;
import io.verbena.nodefabric.NodeFabric;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a long message goes from memory outside the heap to such memory of another rank over verbs:
 * the receiver opens a window in which the sender may write, and the sender puts the bytes there.
 * No lane is on the way, and no copy between. It is a wish: where either side cannot, the message
 * goes by pieces, as all others do.
 *
 * <p>Nothing here waits. A window is registered for one message alone: the program may free its
 * memory as soon as the request is done, and nobody tells of that.
 */
final class DirectWay {

  private final NodeFabric node;
  private final long leastBytes;
  private final Map<Integer, Optional<Link>> links = new ConcurrentHashMap<>(); // empty: being made

  /**
   * @param leastBytes shorter messages go faster by pieces than memory is registered
   */
  DirectWay(NodeFabric node, long leastBytes) {
    this.node = node;
    this.leastBytes = leastBytes;
  }

  /** Memory of a receive that a peer may write to, until it is closed. */
  record Window(Region region, RegionKey key) implements AutoCloseable {
    @Override
    public void close() {
      region.close();
    }
  }

  /** Opens the memory of a receive, as far as it is wanted; null if it had better not be. */
  @Nullable Window open(Layout into, long bytes) {
    MemorySegment memory = memory(into, bytes);
    Fabric fabric = node.current().orElse(null);
    if (memory == null || fabric == null) {
      return null;
    }
    Region region = register(fabric, memory);
    try {
      return region == null ? null : new Window(region, region.share(0, bytes, Access.PUT));
    } catch (FabricException e) {
      region.close();
      return null;
    }
  }

  /** The message's first bytes, if it lies in one piece outside of the heap. */
  private @Nullable MemorySegment memory(Layout layout, long bytes) {
    return bytes >= leastBytes
            && bytes <= layout.bytes()
            && layout instanceof Contiguous(MemorySegment memory)
            && memory.isNative()
            && !memory.isReadOnly()
        ? memory.asSlice(0, bytes)
        : null;
  }

  private static @Nullable Region register(Fabric fabric, MemorySegment memory) {
    try {
      return fabric.register(memory);
    } catch (FabricException | IllegalStateException | WrongThreadException e) {
      return null; // who copies meets what is wrong with it
    }
  }

  /**
   * Puts the first bytes of a message into a window of a peer.
   *
   * @param then is told whether they are there; by any thread, which must not wait
   * @return false if it cannot be done, now or at all; nobody is told then
   */
  boolean put(int peer, Layout from, RegionKey window, Consumer<Boolean> then) {
    MemorySegment memory = memory(from, window.length());
    Fabric fabric = node.current().orElse(null);
    if (memory == null || fabric == null) {
      return false;
    }
    Link link = link(fabric, peer);
    if (link == null) {
      return false;
    }
    Region region = register(fabric, memory);
    if (region == null) {
      return false;
    }
    put(link, region, window).whenComplete((nothing, failure) -> then.accept(failure == null));
    return true;
  }

  private static CompletableFuture<Void> put(Link link, Region region, RegionKey window) {
    List<CompletableFuture<Void>> steps = new ArrayList<>(2);
    Remote remote;
    try {
      remote = Remote.of(window);
    } catch (RuntimeException e) {
      region.close();
      return CompletableFuture.failedFuture(e);
    }
    try {
      link.batch(
          all -> {
            steps.add(all.put(region, 0, remote, 0, window.length()));
            steps.add(all.flush()); // the receiver is to see them
          });
    } catch (RuntimeException e) {
      steps.add(CompletableFuture.failedFuture(e));
    }
    return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new))
        .whenComplete(
            (nothing, failure) -> {
              remote.close();
              region.close();
            });
  }

  /** The link with a peer if it is up; else it is being made when this returns. */
  private @Nullable Link link(Fabric fabric, int peer) {
    Optional<Link> known = links.get(peer);
    if (known != null && known.isPresent() && !known.get().isUp()) {
      links.remove(peer, known);
      known = null;
    }
    if (known != null) {
      return known.orElse(null);
    }
    if (links.putIfAbsent(peer, Optional.empty()) == null) {
      Thread.ofVirtual().name("verbena-mpi-link-" + peer).start(() -> make(fabric, peer));
    }
    return null;
  }

  private void make(Fabric fabric, int peer) {
    try {
      links.put(peer, Optional.of(fabric.link(peer)));
    } catch (RuntimeException e) {
      links.remove(peer); // the next message tries it again
    }
  }

  /** Long messages may come to be sent to a peer: the way is to be there when they do. */
  void prepare(int peer, Layout from) {
    if (memory(from, from.bytes()) != null) {
      node.current().ifPresent(fabric -> link(fabric, peer));
    }
  }

  /** A rank is gone: what is on its way there ends. */
  void lost(int peer, String reason) {
    links.remove(peer);
    try {
      node.current().ifPresent(fabric -> fabric.giveUp(peer, reason));
    } catch (FabricException e) {
      // closed meanwhile, and its links with it
    }
  }
}
