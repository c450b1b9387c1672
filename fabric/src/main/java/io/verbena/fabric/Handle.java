// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.Gate;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.function.Consumer;
import java.util.function.Function;

/** A handle of the library: whoever frees it waits until nobody uses it. Any thread. */
final class Handle {

  private final String name;
  private final MemorySegment pointer;
  private final MethodHandle freeing;
  private final Gate gate = new Gate();
  private final Object closing = new Object();
  private boolean freed; // guarded by closing

  private Handle(String name, MemorySegment pointer, MethodHandle freeing) {
    this.name = name;
    this.pointer = pointer;
    this.freeing = freeing;
  }

  /**
   * Has the library make one.
   *
   * @param name what it is, for people
   * @param making stores it where it is told, and returns a status
   */
  static Handle make(String name, MethodHandle freeing, Function<MemorySegment, Object> making) {
    return new Handle(name, made(making), freeing);
  }

  /** What the library makes, where it is told, by a call that returns a status. */
  static MemorySegment made(Function<MemorySegment, Object> making) {
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment place = scratch.allocate(ValueLayout.ADDRESS);
      Functions.check((int) making.apply(place));
      return place.get(ValueLayout.ADDRESS, 0);
    }
  }

  /**
   * Keeps it until {@link #leave}.
   *
   * @throws ClosedException if it was freed
   */
  MemorySegment enter() {
    if (!tryEnter()) {
      throw new ClosedException(name + " is closed");
    }
    return pointer;
  }

  /** Keeps it until {@link #leave}; false if it was freed. */
  boolean tryEnter() {
    return gate.enter();
  }

  /** Valid between {@link #enter} and {@link #leave} alone. */
  MemorySegment pointer() {
    return pointer;
  }

  void leave() {
    gate.leave();
  }

  /** Calls the library with it, which stays valid meanwhile. */
  <T> T use(Function<MemorySegment, T> call) {
    MemorySegment held = enter();
    try {
      return call.apply(held);
    } finally {
      leave();
    }
  }

  boolean isClosed() {
    return gate.isClosed();
  }

  /** What a failed call throws: one that was ended by a closing says so. */
  FabricException failure(FabricException e) {
    return isClosed() && !(e instanceof ClosedException)
        ? new ClosedException(name + " was closed: " + e.getMessage())
        : e;
  }

  /** Idempotent, and by any of many at once: each returns when it is freed. */
  void free() {
    free(it -> {}, () -> {});
  }

  /**
   * Turns who comes away, has those leave that are inside, waits for that and frees it. Idempotent:
   * whichever call returns, it is freed then. Not from inside.
   *
   * @param rousing ends the waits of those inside
   * @param last what is to go before it, when nobody is inside
   * @return whether this call did it
   */
  boolean free(Consumer<MemorySegment> rousing, Runnable last) {
    synchronized (closing) {
      if (freed) {
        return false;
      }
      gate.shut();
      rousing.accept(pointer);
      gate.awaitEmpty();
      last.run();
      freed = true;
      Calls.call(freeing, pointer);
      return true;
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
