// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import io.verbena.mpi.device.Context;
import io.verbena.mpi.device.Device;
import io.verbena.mpi.device.DeviceException;
import io.verbena.mpi.device.Layout;
import io.verbena.mpi.device.Message;
import io.verbena.mpi.device.SendRequest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ids of communicators: two contexts each, the id and the one after it. A rank gives out ids
 * that no other rank does, so who makes a communicator has only to tell the others: nobody has to
 * ask what is free where, and several may be made at once. An id can be used again when all members
 * have left; new ones go first, and then those that were left first, so whatever is late finds its
 * id out of use for as long as there are ids. Any thread.
 */
final class ContextIds {

  /** The communicator of all ranks. */
  static final int WORLD = 0;

  /** The communicator of this rank alone. */
  static final int SELF = 2;

  /** Where members say that they have left: a message without bytes, whose tag is the id. */
  private static final int LEAVING = 4;

  private static final int FIRST = 8;
  private static final int CONTEXTS = 2; // of a communicator

  private final Device device;
  private final Context leaving;
  private final int most;
  private final Deque<Integer> unused = new ArrayDeque<>();
  private final Deque<Integer> left = new ArrayDeque<>();
  private final Map<Integer, Integer> members = new HashMap<>(); // who have not left, by id
  private int given;

  ContextIds(Device device) {
    this(device, (Integer.MAX_VALUE - FIRST) / CONTEXTS / device.size());
  }

  /**
   * @param most how many this rank may give out
   */
  ContextIds(Device device, int most) {
    this.device = device;
    this.leaving = Context.ofAll(LEAVING, device.size());
    this.most = most;
  }

  /** Whether it is the second context of a communicator. */
  static boolean isOfCollectives(int context) {
    return context % CONTEXTS != 0;
  }

  /** An id that nobody uses. */
  synchronized int take() throws InterruptedException {
    hear();
    if (!unused.isEmpty()) {
      return unused.pop();
    }
    if (given < most) {
      return FIRST + CONTEXTS * (given++ * device.size() + device.rank());
    }
    Integer again = left.poll();
    if (again == null) {
      throw new IllegalStateException(
          "rank %d has made %d communicators that are in use; free some"
              .formatted(device.rank(), most));
    }
    return again;
  }

  /** An id of {@link #take} that no other rank was told to use. */
  synchronized void putBack(int id) {
    unused.push(id);
  }

  /** This rank is a member of a new communicator; who has given the id waits for all to leave. */
  synchronized void begin(int id, int ofMembers) {
    if (giverOf(id) == device.rank()) {
      count(id, ofMembers);
    }
  }

  private int giverOf(int id) {
    return (id - FIRST) / CONTEXTS % device.size();
  }

  /** This rank has left the communicator with this id. Does not wait for the others. */
  void leave(int id) throws InterruptedException {
    if (id < FIRST) {
      return; // it is there for as long as the world is
    }
    int giver = giverOf(id);
    if (giver == device.rank()) {
      hear();
      hasLeft(id);
    } else {
      SendRequest unused = device.isend(leaving, giver, id, Layout.empty());
    }
  }

  /** Takes what others have said, so that it does not gather here. */
  private void hear() throws InterruptedException {
    try {
      for (Optional<Message> next = next(); next.isPresent(); next = next()) {
        int id = next.get().status().tag();
        device.await(device.irecv(next.get(), Layout.empty()));
        hasLeft(id);
      }
    } catch (DeviceException e) {
      // Somebody was lost, and what that rank belonged to is never free; nor is there more to hear.
    }
  }

  private Optional<Message> next() throws InterruptedException {
    return device.improbe(leaving, Device.ANY_SOURCE, Device.ANY_TAG);
  }

  private synchronized void hasLeft(int id) {
    count(id, -1);
  }

  /** Members may have left before this rank itself has begun: the sum is 0 at the end alone. */
  private void count(int id, int more) {
    Integer there = members.merge(id, more, (before, added) -> sumOrNull(before + added));
    if (there == null) {
      left.add(id);
    }
  }

  private static @Nullable Integer sumOrNull(int sum) {
    return sum == 0 ? null : sum;
  }
}
