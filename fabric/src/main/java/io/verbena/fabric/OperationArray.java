// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.FabricStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Operations that wait to be posted, as C knows them, and what keeps their memory valid while they
 * are. Of one thread at a time. Allocates nothing once it is there.
 */
final class OperationArray {

  static final int PUT = 0;
  static final int GET = 1;
  static final int FETCH_ADD = 2;
  static final int COMPARE_SWAP = 3;
  static final int FLUSH = 4;

  static final int FENCE = 1;
  static final int SIGNAL = 2;

  static final long WORD_BYTES = Long.BYTES;
  static final long SHORT_WORD_BYTES = Integer.BYTES;

  private static final long BYTES = FabricStructs.OPERATION.byteSize();
  private static final long KIND = at("kind");
  private static final long FLAGS = at("flags");
  private static final long LOCAL = at("local");
  private static final long LOCAL_OFFSET = at("local_offset");
  private static final long REMOTE = at("remote");
  private static final long OFFSET = at("offset");
  private static final long LENGTH = at("length");
  private static final long OPERAND = at("operand");
  private static final long SWAP = at("swap");
  private static final long COOKIE = at("cookie");
  private static final long SIGNALLED = at("signal");

  private final int capacity;
  private final MemorySegment array;
  private final MemorySegment posted;
  private final @Nullable Handle[] locals;
  private final @Nullable Handle[] remotes;
  private int count;

  OperationArray(int capacity) {
    Arena arena = Arena.ofAuto();
    this.capacity = Limits.atLeast("the capacity", capacity, 1);
    this.array = arena.allocate(BYTES * capacity, Long.BYTES);
    this.posted = arena.allocate(ValueLayout.JAVA_INT);
    this.locals = new Handle[capacity];
    this.remotes = new Handle[capacity];
  }

  int count() {
    return count;
  }

  int room() {
    return capacity - count;
  }

  /** Adds one; its numbers follow by the setters below. */
  void add(int kind, @Nullable Handle local, @Nullable Handle remote, long cookie) {
    if (count == capacity) {
      throw new IllegalStateException("all " + capacity + " places are taken: post() first");
    }
    long base = count * BYTES;
    setInt(base, KIND, kind);
    setInt(base, FLAGS, 0);
    setLong(base, LOCAL, addressOf(local));
    setLong(base, REMOTE, addressOf(remote));
    setLong(base, COOKIE, cookie);
    setInt(base, SIGNALLED, 0);
    locals[count] = local;
    remotes[count] = remote;
    count++;
    setBounds(0, 0, 0);
    setNumbers(0, 0);
  }

  private static long addressOf(@Nullable Handle handle) {
    return handle == null ? 0 : handle.pointer().address();
  }

  /** Of the one added last, as all below. */
  void setBounds(long localOffset, long offset, long length) {
    long base = last();
    setLong(base, LOCAL_OFFSET, localOffset);
    setLong(base, OFFSET, offset);
    setLong(base, LENGTH, length);
  }

  void setNumbers(long operand, long swap) {
    long base = last();
    setLong(base, OPERAND, operand);
    setLong(base, SWAP, swap);
  }

  void setSignal(int signal) {
    setInt(last(), SIGNALLED, signal);
    addFlag(SIGNAL);
  }

  void addFlag(int flag) {
    long place = last() + FLAGS;
    array.set(ValueLayout.JAVA_INT, place, array.get(ValueLayout.JAVA_INT, place) | flag);
  }

  private long last() {
    return (count - 1) * BYTES;
  }

  private void setInt(long base, long member, int value) {
    array.set(ValueLayout.JAVA_INT, base + member, value);
  }

  private void setLong(long base, long member, long value) {
    array.set(ValueLayout.JAVA_LONG, base + member, value);
  }

  /**
   * Posts from the first on; returns how many, which are to be {@linkplain #drop dropped}.
   *
   * @throws ClosedException if the fabric, the link, or memory of any of them is closed
   * @throws RefusedException if the first one is
   */
  int post(Handle fabric, Link link) {
    if (count == 0) {
      return 0;
    }
    MemorySegment open = fabric.enter();
    try {
      return postHeld(open, link);
    } finally {
      fabric.leave();
    }
  }

  private int postHeld(MemorySegment fabric, Link link) {
    hold(locals, count);
    try {
      hold(remotes, count);
      try {
        return postValid(fabric, link);
      } finally {
        release(remotes, count);
      }
    } finally {
      release(locals, count);
    }
  }

  private int postValid(MemorySegment fabric, Link link) {
    int status;
    try {
      status = (int) Functions.POST.invokeExact(fabric, link.id(), array, count, posted);
    } catch (Throwable e) {
      throw Functions.impossible(e);
    }
    if (status != 0) {
      throw link.failure(fabric, Functions.lastError());
    }
    return posted.get(ValueLayout.JAVA_INT, 0);
  }

  private static void hold(@Nullable Handle[] handles, int count) {
    for (int i = 0; i < count; i++) {
      Handle handle = handles[i];
      if (handle != null && isAnother(handles, i) && !handle.tryEnter()) {
        release(handles, i);
        throw new ClosedException(handle + " is closed, which operation " + i + " needs");
      }
    }
  }

  private static void release(@Nullable Handle[] handles, int count) {
    for (int i = 0; i < count; i++) {
      Handle handle = handles[i];
      if (handle != null && isAnother(handles, i)) {
        handle.leave();
      }
    }
  }

  /** Operations in a row mostly share their memory: it is held once for them all. */
  private static boolean isAnother(@Nullable Handle[] handles, int index) {
    return index == 0 || handles[index] != handles[index - 1];
  }

  /** Forgets the first ones. */
  void drop(int dropped) {
    int left = count - dropped;
    if (left > 0 && dropped > 0) {
      MemorySegment.copy(array, dropped * BYTES, array, 0, left * BYTES);
      System.arraycopy(locals, dropped, locals, 0, left);
      System.arraycopy(remotes, dropped, remotes, 0, left);
    }
    for (int i = left; i < count; i++) {
      locals[i] = null;
      remotes[i] = null;
    }
    count = left;
  }

  private static long at(String member) {
    return FabricStructs.OPERATION.byteOffset(PathElement.groupElement(member));
  }
}
