// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/** Where a message handler runs. */
public sealed interface Execution {

  /**
   * On the thread that receives: lowest latency; the handler must not block. While it runs its
   * transport takes nothing in, also no news of room: what others send leaves as far as there is
   * room already, within some 20 ms.
   */
  record Inline() implements Execution {}

  /**
   * In a pool of threads of the type's own; messages of one type from one source keep their order.
   * Between types there is none: each has its own pool.
   *
   * @param threads how many, 1 to 1024
   */
  record Pool(int threads) implements Execution {
    public Pool {
      if (threads < 1 || threads > 1024) {
        throw new IllegalArgumentException(
            "a handler pool of " + threads + " threads; choose 1 to 1024");
      }
    }
  }

  /**
   * On a virtual thread per message, without any order; the handler may block. One that computes
   * for long keeps the process's other virtual threads waiting, and belongs in a {@link Pool}.
   */
  record Virtual() implements Execution {}

  /** {@link Inline}. */
  static Execution inline() {
    return new Inline();
  }

  /** {@link Pool} of {@code threads} threads. */
  static Execution pool(int threads) {
    return new Pool(threads);
  }

  /** {@link Virtual}. */
  static Execution virtual() {
    return new Virtual();
  }
}
