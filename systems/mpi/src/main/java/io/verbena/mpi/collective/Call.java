// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.collective;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.RankLostException;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.Request;
import io.verbena.mpi.device.SendRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in one call of an operation: its messages with the other members. Between two
 * members an algorithm sends and receives in the same order, which is how messages find their
 * receives.
 *
 * <p>A wait for a member that lives may be in vain: that one may have left the call, because it
 * needed one that is lost. So a wait that lasts listens for such words, too.
 */
final class Call {

  /** A wait that is no longer does not listen. */
  private static final Duration BRIEF = Duration.ofMillis(10);

  private final Device device;
  private final Context context;
  private final int self;
  private final int tag;
  private final List<ReceiveRequest> receives = new ArrayList<>();
  private @Nullable Obituary obituary;

  /**
   * @param tag of its messages, and of no other call's
   */
  Call(Device device, Context context, int self, int tag) {
    this.device = device;
    this.context = context;
    this.self = self;
    this.tag = tag;
  }

  /** This member's number. */
  int self() {
    return self;
  }

  /** How many members there are. */
  int size() {
    return context.size();
  }

  /**
   * The member so many steps ahead, fewer than there are members; behind the last comes member 0.
   */
  int ahead(int steps) {
    int member = self + steps;
    return member < size() ? member : member - size();
  }

  /** The member so many steps behind. */
  int behind(int steps) {
    return ahead(size() - steps);
  }

  // ---------------------------------------------------------------- messages

  SendRequest isend(int to, Layout from) {
    return device.isend(context, to, tag, from);
  }

  ReceiveRequest irecv(int from, Layout into) {
    ReceiveRequest receive = device.irecv(context, from, tag, into);
    receives.add(receive);
    return receive;
  }

  void send(int to, Layout from) throws InterruptedException {
    await(isend(to, from));
  }

  void recv(int from, Layout into) throws InterruptedException {
    await(irecv(from, into));
  }

  /** Sends to one member and receives from another, at once. */
  void exchange(int to, Layout sent, int from, Layout into) throws InterruptedException {
    Request receive = irecv(from, into);
    Request send = isend(to, sent);
    await(receive);
    await(send);
  }

  void await(List<? extends Request> all) throws InterruptedException {
    for (Request each : all) {
      await(each);
    }
  }

  /**
   * Waits until a request is done.
   *
   * @throws io.verbena.mpi.device.RankLostException also if another member is lost, and so this
   *     request may never be done
   */
  void await(Request request) throws InterruptedException {
    if (!device.await(request, BRIEF)) {
      obituary().awaitInstead(request);
    }
    if (request.failure() instanceof RankLostException) {
      // That member may have left for want of another one, and has said so before.
      RankLostException cause = obituary().heard();
      if (cause != null) {
        throw cause;
      }
    }
    request.check();
  }

  private Obituary obituary() {
    if (obituary == null) {
      obituary = new Obituary(device, context);
    }
    return obituary;
  }

  // ---------------------------------------------------------------- ends

  /**
   * It is over: nothing of it is left.
   *
   * @return the loss of which it has heard, though it did not need that member
   */
  @Nullable RankLostException end() {
    return obituary == null ? null : obituary.close();
  }

  /**
   * It is over before its end: nobody writes to its memory any more. What it has sent may be read
   * still.
   */
  void abandon() throws InterruptedException {
    RankLostException unused = end();
    for (ReceiveRequest receive : receives) {
      if (!receive.isDone() && !device.cancel(receive)) {
        device.awaitAny(List.of(receive)); // its sender is at it, or it is lost
      }
    }
  }
}
