// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** The library's hold on memory: whoever frees it waits until nobody uses it. Any thread. */
public final class Hold {

  private final MemorySegment handle;
  private final Consumer<MemorySegment> release;
  private final Gate gate = new Gate();

  /**
   * Wraps a handle of the library, and owns it.
   *
   * @param release gives it back to the library
   */
  public Hold(MemorySegment handle, Consumer<MemorySegment> release) {
    this.handle = handle;
    this.release = release;
  }

  /**
   * Calls the library with what is held, which stays valid meanwhile.
   *
   * @throws IllegalStateException if it was freed, as of memory that is accessed afterwards
   */
  public int use(ToIntFunction<MemorySegment> call) {
    if (!gate.enter()) {
      throw new IllegalStateException("the memory was freed");
    }
    try {
      return call.applyAsInt(handle);
    } finally {
      gate.leave();
    }
  }

  /** Waits for who uses it, and gives it back. Idempotent. */
  public void free() {
    if (gate.close()) {
      release.accept(handle);
    }
  }
}
