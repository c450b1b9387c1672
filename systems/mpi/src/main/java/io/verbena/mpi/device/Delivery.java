// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where messages and receives meet. One lock is held while is looked who belongs to whom; bytes are
 * copied without it, but those of messages to oneself that nobody has asked for.
 *
 * <p>Any thread, handlers too: nothing here waits but for that lock.
 */
final class Delivery {

  private static final int[] NOBODY = {};

  private final int self;
  private final IntFunction<Outbox> outboxes;
  private final Runnable wakeReceivers;
  private final int eagerBytes;
  private final Allowance ownAllowance = new Allowance(); // its turn is the lock
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Matching matching = new Matching();
  private final BitSet stalled = new BitSet(); // ranks with heads that they may not send yet
  private final List<RankLostException> lost = new ArrayList<>();
  private final BitSet ended = new BitSet(); // ranks that said goodbye

  /**
   * @param wakeReceivers called when what another thread may wait for was done without receiving
   * @param ownBytes what messages of this rank to itself may take before they are received
   */
  Delivery(
      int self,
      IntFunction<Outbox> outboxes,
      Runnable wakeReceivers,
      int eagerBytes,
      int ownBytes) {
    this.self = self;
    this.outboxes = outboxes;
    this.wakeReceivers = wakeReceivers;
    this.eagerBytes = eagerBytes;
    ownAllowance.bytesCameBack(ownBytes);
  }

  // ---------------------------------------------------------------- receives

  /** Finds the receive's message, or has it wait for one. */
  void post(ReceiveRequest receive) {
    Arrival found;
    DeviceException why = null;
    int[] hungryFor = NOBODY;
    lock.lock();
    try {
      found = matching.post(receive);
      if (found == null) {
        why = whyNeverMatched(receive.wantedSource(), receive.context());
        if (why != null) {
          matching.withdraw(receive);
        } else {
          hungryFor = takeStalled(receive.wantedSource());
        }
      }
    } finally {
      lock.unlock();
    }
    if (found != null) {
      give(found, receive);
    } else if (why != null) {
      receive.fail(why);
    }
    grantHeads(hungryFor);
  }

  /**
   * Looks for a message that a receive with this envelope would get.
   *
   * @throws RankLostException if there is none, and will be none
   */
  @Nullable Head peek(Context context, int source, int tag) {
    Arrival found;
    int[] hungryFor = NOBODY;
    lock.lock();
    try {
      found = matching.find(context.id(), source, tag);
      if (found == null) {
        hungryFor = lookFurther(context, source);
      }
    } finally {
      lock.unlock();
    }
    grantHeads(hungryFor);
    return found == null ? null : found.head();
  }

  /** As {@link #peek}, but takes the message. */
  @Nullable Arrival take(Context context, int source, int tag) {
    Arrival found;
    int[] hungryFor = NOBODY;
    lock.lock();
    try {
      found = matching.find(context.id(), source, tag);
      if (found == null) {
        hungryFor = lookFurther(context, source);
      } else {
        matching.remove(found);
      }
    } finally {
      lock.unlock();
    }
    grantHeads(hungryFor);
    return found;
  }

  private int[] lookFurther(Context context, int source) {
    DeviceException why = whyNeverMatched(source, context);
    if (why != null) {
      throw why.again();
    }
    return takeStalled(source);
  }

  /** Takes a receive back; false if it waits no more. */
  boolean cancel(ReceiveRequest receive) {
    lock.lock();
    try {
      if (!matching.withdraw(receive)) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    receive.cancelled();
    return true;
  }

  /** How many messages wait for their receives. */
  long unexpected() {
    lock.lock();
    try {
      return matching.unexpected();
    } finally {
      lock.unlock();
    }
  }

  /** Hands a message to its receive, which waits no more. */
  void give(Arrival arrival, ReceiveRequest receive) {
    receive.found(arrival);
    if (receive.kind() != ReceiveRequest.Kind.RECEIVE) {
      receive.finish(null);
      return;
    }
    SendRequest own = arrival.own();
    MemorySegment body = arrival.body();
    Head head = arrival.head();
    if (own != null) {
      copyOwn(own, receive);
    } else if (body == null) {
      askFor(head.source(), head.id(), receive);
    } else {
      scatter(receive, body, 0);
      giveBack(head);
    }
  }

  private void giveBack(Head head) {
    int charge = (int) head.bytes() + Wire.CHARGE_BYTES;
    if (head.source() == self) {
      ownAllowance.bytesCameBack(charge);
      return;
    }
    Outbox peer = outboxes.apply(head.source());
    if (head.id() != Slots.NONE) {
      peer.answer(Answer.Go.nothing(head.id()));
    }
    peer.consumed(charge);
  }

  private static void scatter(ReceiveRequest receive, MemorySegment from, long at) {
    try {
      receive.into().scatter(0, receive.wanted(), from, at);
    } catch (RuntimeException e) {
      receive.fail(unwritable(e));
      return;
    }
    receive.received();
  }

  private static DeviceException unwritable(RuntimeException e) {
    return new DeviceException("the memory of a message that is received cannot be written", e);
  }

  private void copyOwn(SendRequest send, ReceiveRequest receive) {
    try {
      Layout.copy(send.from(), receive.into(), receive.wanted());
      receive.received();
      send.finish(null);
    } catch (RuntimeException e) {
      DeviceException why =
          new DeviceException(
              "a message to this rank itself cannot be read where it lies, or written where it is"
                  + " to be",
              e);
      receive.fail(why);
      send.finish(why);
    }
    wakeReceivers.run();
  }

  /** Has the sender send the bytes of a message, or tells it that none are wanted. */
  private void askFor(int source, long id, ReceiveRequest receive) {
    Outbox peer = outboxes.apply(source);
    long wanted = receive.wanted();
    if (wanted == 0) {
      peer.answer(Answer.Go.nothing(id));
      receive.received();
      return;
    }
    DirectWay.Window window = peer.open(receive.into(), wanted);
    receive.expect(window);
    long number = peer.expected.put(receive);
    DeviceException why = peer.dead();
    if (number != Slots.NONE) {
      peer.answer(new Answer.Go(id, number, wanted, window == null ? null : window.key()));
    } else if (why != null) {
      receive.fail(why);
    }
  }

  // ---------------------------------------------------------------- messages of others

  /**
   * A message has arrived.
   *
   * @param isWhole whether its bytes lie at {@code at}; else its sender has them
   */
  void arrived(
      int contextId,
      int source,
      int tag,
      long bytes,
      long id,
      @Nullable Note note,
      boolean isWhole,
      MemorySegment segment,
      long at) {
    ReceiveRequest receive = takerOrKept(contextId, source, tag, bytes, note, null);
    if (receive == null || receive.kind() == ReceiveRequest.Kind.MATCH) {
      Head head = new Head(contextId, source, tag, bytes, id, note);
      Arrival kept =
          isWhole ? Arrival.whole(head, copy(segment, at, bytes)) : Arrival.announced(head);
      if (receive == null) {
        receive = takerOrKept(contextId, source, tag, bytes, note, kept);
      }
      if (receive != null) {
        give(kept, receive);
      }
      return;
    }
    receive.found(source, tag, bytes, note);
    if (!isWhole) {
      askFor(source, id, receive);
      return;
    }
    scatter(receive, segment, at);
    Outbox peer = outboxes.apply(source);
    if (id != Slots.NONE) {
      peer.answer(Answer.Go.nothing(id));
    }
    peer.consumed((int) bytes + Wire.CHARGE_BYTES);
  }

  /**
   * Whose message it is; null if nobody's, and then it is kept, if it is there to be. Between two
   * looks at the same message nothing of its source arrives: that one's lane has one reader. Probes
   * see a message when it is kept, not before: what they tell of has to be there.
   */
  private @Nullable ReceiveRequest takerOrKept(
      int contextId, int source, int tag, long bytes, @Nullable Note note, @Nullable Arrival kept) {
    lock.lock();
    try {
      if (kept == null && matching.isOnlyProbed(contextId, source, tag)) {
        return null;
      }
      ReceiveRequest taker = taker(contextId, source, tag, bytes, note);
      if (taker == null && kept != null) {
        matching.add(kept);
      }
      return taker;
    } finally {
      lock.unlock();
    }
  }

  private static MemorySegment copy(MemorySegment from, long at, long bytes) {
    MemorySegment body = MemorySegment.ofArray(new byte[(int) bytes]);
    MemorySegment.copy(from, at, body, 0, bytes);
    return body;
  }

  /** Whose message it is; probes that stand before see it pass. */
  private @Nullable ReceiveRequest taker(
      int contextId, int source, int tag, long bytes, @Nullable Note note) {
    ReceiveRequest first = matching.arrive(contextId, source, tag);
    while (first != null && !first.takes()) {
      first.found(source, tag, bytes, note);
      first.finish(null);
      first = matching.arrive(contextId, source, tag);
    }
    return first;
  }

  /** A peer has more heads than it may send: it may if somebody waits for what is among them. */
  void isStalled(int source) {
    boolean isWaitedFor;
    lock.lock();
    try {
      isWaitedFor = matching.isWaitedFor(source);
      stalled.set(source, !isWaitedFor);
    } finally {
      lock.unlock();
    }
    if (isWaitedFor) {
      grantHeads(source);
    }
  }

  private int[] takeStalled(int source) {
    if (stalled.isEmpty()) {
      return NOBODY;
    }
    if (source == Device.ANY_SOURCE) {
      int[] all = stalled.stream().toArray();
      stalled.clear();
      return all;
    }
    boolean isStalled = stalled.get(source);
    stalled.clear(source);
    return isStalled ? new int[] {source} : NOBODY;
  }

  private void grantHeads(int... to) {
    for (int rank : to) {
      outboxes.apply(rank).answer(new Answer.More(Wire.HEADS));
    }
  }

  // ---------------------------------------------------------------- messages to oneself

  /** Sends a message to this rank itself; the receive may be another thread's. */
  void sendToSelf(SendRequest send) {
    long bytes = send.bytes();
    ReceiveRequest receive;
    Arrival kept = null;
    boolean isSent = false;
    lock.lock();
    try {
      receive = taker(send.context().id(), self, send.tag(), bytes, send.note());
      if (receive == null || receive.kind() == ReceiveRequest.Kind.MATCH) {
        kept = keepOwn(send, bytes);
        isSent = kept.own() == null;
      }
      if (receive == null && kept != null) {
        matching.add(kept);
      }
    } finally {
      lock.unlock();
    }
    if (isSent) {
      send.finish(null);
    }
    if (receive != null && kept != null) {
      give(kept, receive);
    } else if (receive != null) {
      receive.found(self, send.tag(), bytes, send.note());
      copyOwn(send, receive);
    }
    wakeReceivers.run(); // probes have seen it
  }

  private Arrival keepOwn(SendRequest send, long bytes) {
    Head head = new Head(send.context().id(), self, send.tag(), bytes, Slots.NONE, send.note());
    boolean isCopied =
        !send.isSynchronous()
            && bytes <= eagerBytes
            && ownAllowance.takeBytes(bytes + Wire.CHARGE_BYTES);
    if (!isCopied) {
      return Arrival.own(head, send);
    }
    MemorySegment body = MemorySegment.ofArray(new byte[(int) bytes]);
    try {
      send.from().gather(0, bytes, body, 0);
    } catch (RuntimeException e) { // as its receive will find
      ownAllowance.putBackBytes(bytes + Wire.CHARGE_BYTES);
      return Arrival.own(head, send);
    }
    return Arrival.whole(head, body);
  }

  // ---------------------------------------------------------------- the end of a rank

  /** A rank ends as it should: receives that do not need it go on. */
  void endsWell(int rank) {
    lock.lock();
    try {
      ended.set(rank);
    } finally {
      lock.unlock();
    }
  }

  /** It has not ended as it should, whatever it has said before. */
  void endsBadly(int rank) {
    lock.lock();
    try {
      ended.clear(rank);
    } finally {
      lock.unlock();
    }
  }

  /** A rank is gone. What it has sent and is here stays, the receives that need it fail. */
  void lost(RankLostException why) {
    List<ReceiveRequest> failed;
    lock.lock();
    try {
      lost.add(why);
      failed =
          matching.withdraw(
              receive -> whyNeverMatched(receive.wantedSource(), receive.context()) != null);
    } finally {
      lock.unlock();
    }
    failed.forEach(receive -> receive.fail(why));
  }

  /**
   * Why a receive that found nothing will find nothing: its source is gone. With any source it may
   * be the one that is gone that it waits for, as nobody can tell; so it fails, too, unless all
   * that are gone have ended well.
   */
  private @Nullable DeviceException whyNeverMatched(int source, Context context) {
    for (RankLostException each : lost) {
      boolean isNeeded =
          source == Device.ANY_SOURCE
              ? !ended.get(each.rank()) && context.memberOf(each.rank()) >= 0
              : source == each.rank();
      if (isNeeded) {
        return each;
      }
    }
    return null;
  }
}
