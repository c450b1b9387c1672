// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import io.verbena.Node;
import io.verbena.NodeListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The other ranks: what goes to each of them, and what becomes of that when one ends. */
final class Peers implements NodeListener {

  private static final String ENDED = "it has ended";

  private final Node node;
  private final IntFunction<String> hosts;
  private final DeviceOptions options;
  private final int share;
  private final Supplier<@Nullable DirectWay> directWay;
  private final AtomicReferenceArray<@Nullable Outbox> outboxes;
  private final Delivery delivery;
  private final AtomicBoolean hasLeft = new AtomicBoolean();

  /**
   * @param share of the bytes for unexpected messages, for each rank
   */
  Peers(
      Node node,
      int size,
      IntFunction<String> hosts,
      DeviceOptions options,
      int share,
      Supplier<@Nullable DirectWay> directWay) {
    this.node = node;
    this.hosts = hosts;
    this.options = options;
    this.share = share;
    this.directWay = directWay;
    this.outboxes = new AtomicReferenceArray<>(size);
    this.delivery =
        new Delivery(
            node.id(), this::outbox, node::wakeReceivers, options.eagerBytesOver(null), share);
  }

  /** Where their messages meet the receives of this rank. */
  Delivery delivery() {
    return delivery;
  }

  /** How many ranks there are, with this one. */
  int size() {
    return outboxes.length();
  }

  /** What goes to a rank; made when it is first asked for. */
  Outbox outbox(int rank) {
    Outbox known = outboxes.get(rank);
    return known != null ? known : makeOutbox(rank);
  }

  private Outbox makeOutbox(int rank) {
    Outbox made = new Outbox(rank, node, options, share, directWay, this::lose);
    Outbox before = outboxes.compareAndExchange(rank, null, made);
    return before != null ? before : made;
  }

  // ---------------------------------------------------------------- their ends

  @Override
  public void lost(int nodeId, String reason) {
    lose(nodeId, reason);
  }

  @Override
  public void restarted(int nodeId) {
    lose(nodeId, "it was started again, and knows nothing of before");
  }

  /** As {@link Device#lose}. */
  void lose(int rank, String reason) {
    lose(rank, reason, false);
  }

  /**
   * @param isWorse whether receives fail for it that went on when it was lost
   */
  private void lose(int rank, String reason, boolean isWorse) {
    if (isNone(rank)) {
      return;
    }
    String message = "rank %d on %s is lost: %s".formatted(rank, hosts.apply(rank), reason);
    RankLostException why = new RankLostException(rank, message, null);
    boolean isNews = outbox(rank).fail(why);
    DirectWay way = directWay.get();
    if (isNews && way != null) {
      way.lost(rank, reason);
    }
    if (isNews || isWorse) {
      delivery.lost(why);
      node.wakeReceivers();
    }
  }

  /** As {@link Device#ended}. */
  void ended(int rank, int status) {
    if (isNone(rank)) {
      return;
    }
    if (status != 0) {
      delivery.endsBadly(rank);
      lose(rank, "it has ended with " + status, true);
      return;
    }
    delivery.endsWell(rank);
    Outbox known = outboxes.get(rank);
    // One that was never reached says no goodbye.
    if (known == null || known.isLastNews(Outbox.ENDED) || !isConnected(rank)) {
      lose(rank, ENDED);
    }
  }

  private boolean isConnected(int rank) {
    return node.connections().stream().anyMatch(it -> it.nodeId() == rank);
  }

  /** A rank will send nothing more. */
  void goodbye(Outbox peer) {
    delivery.endsWell(peer.rank());
    if (peer.isLastNews(Outbox.GOODBYE)) {
      lose(peer.rank(), ENDED);
    }
  }

  private boolean isNone(int rank) {
    return rank == node.id() || rank >= size();
  }

  // ---------------------------------------------------------------- the end of this rank

  /**
   * Says goodbye to some, behind all that is to be sent, if nobody has yet.
   *
   * @param patience how long is waited until what was to be sent has gone, and as long for the
   *     goodbye
   */
  void leave(Predicate<Outbox> whom, Duration patience) {
    if (!hasLeft.compareAndSet(false, true)) {
      return;
    }
    List<Outbox> left =
        IntStream.range(0, size())
            .mapToObj(outboxes::get)
            .filter(Objects::nonNull)
            .filter(whom)
            .toList();
    drain(left, patience);
    left.forEach(outbox -> outbox.answer(new Answer.Word(Wire.BYE)));
    drain(left, patience);
  }

  private void drain(List<Outbox> outboxes, Duration patience) {
    try {
      boolean unused =
          node.receiveUntil(() -> outboxes.stream().allMatch(Outbox::isDrained), patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
