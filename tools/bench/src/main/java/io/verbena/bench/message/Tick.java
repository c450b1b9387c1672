// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/**
 * A message whose body is exactly 64 bytes.
 *
 * @param stamp who sent it and the how-manieth it is, see {@link StampFormat}
 * @param a to g: words that follow from the stamp, see {@link Words}
 */
public record Tick(long stamp, long a, long b, long c, long d, long e, long f, long g) {

  /** The size of its body. */
  public static final int SIZE_BYTES = 64;

  /** Makes the message with this stamp. */
  public static Tick of(long stamp) {
    long seed = Words.seed(stamp);
    return new Tick(
        stamp,
        seed,
        Words.word(seed, 1),
        Words.word(seed, 2),
        Words.word(seed, 3),
        Words.word(seed, 4),
        Words.word(seed, 5),
        Words.word(seed, 6));
  }

  /** Whether every word is the one that follows from the stamp. */
  public boolean isIntact() {
    long seed = Words.seed(stamp);
    long wrong =
        (a ^ seed)
            | (b ^ Words.word(seed, 1))
            | (c ^ Words.word(seed, 2))
            | (d ^ Words.word(seed, 3))
            | (e ^ Words.word(seed, 4))
            | (f ^ Words.word(seed, 5))
            | (g ^ Words.word(seed, 6));
    return wrong == 0;
  }
}
