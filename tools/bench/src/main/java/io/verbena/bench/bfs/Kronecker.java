// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.bfs;

/**
 * The Kronecker generator of the specification: each edge falls into one quarter of the adjacency
 * matrix with probability A, B, C or D, into a quarter of that, and so on, one bit of both vertices
 * at a time; then the labels of vertices are permuted.
 *
 * <p>Every edge has random numbers of its own, which follow from its number. So any node can make
 * any part of the list, all nodes see the same graph, and a permutation of the list would change
 * nothing: the edges are independent of each other and of their place.
 */
public final class Kronecker {

  private static final double A = 0.57;
  private static final double B = 0.19;
  private static final double C = 0.19;

  private static final long AB = threshold(A + B);
  private static final long C_NORM = threshold(C / (1 - (A + B)));
  private static final long A_NORM = threshold(A / (A + B));

  private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;

  private final int scale;
  private final long edges;
  private final long key;
  private final long multiplier;
  private final long mask;
  private final int shift;

  /** A graph of {@code 2^scale} vertices and {@code edgeFactor} times as many edges. */
  public Kronecker(int scale, int edgeFactor, long seed) {
    this.scale = scale;
    this.edges = (long) edgeFactor << scale;
    this.key = mix(seed + GAMMA);
    this.multiplier = mix(key) | 1;
    this.mask = (1L << scale) - 1;
    this.shift = (scale + 1) / 2;
  }

  /** How many vertices there are. */
  public int vertices() {
    return 1 << scale;
  }

  /** How many edges there are, loops and repeated ones included. */
  public long edges() {
    return edges;
  }

  /** An edge: one vertex in the upper half, the other in the lower one. */
  public long edge(long number) {
    long drawn = drawn(number);
    return pack(permuted(from(drawn)), permuted(to(drawn)));
  }

  /** An edge before the labels are permuted. */
  long drawn(long number) {
    long state = mix(key + number * GAMMA);
    long from = 0;
    long to = 0;
    for (int bit = 0; bit < scale; bit++) {
      // One random number for two draws of 32 bits.
      state += GAMMA;
      long random = mix(state);
      long fromBit = (random >>> 32) >= AB ? 1 : 0;
      long toBit = (random & 0xFFFF_FFFFL) >= (fromBit == 1 ? C_NORM : A_NORM) ? 1 : 0;
      from |= fromBit << bit;
      to |= toBit << bit;
    }
    return pack(from, to);
  }

  /** Both vertices in one word. */
  public static long pack(long from, long to) {
    return from << 32 | to;
  }

  /** One vertex of an edge. */
  public static int from(long edge) {
    return (int) (edge >>> 32);
  }

  /** The other vertex. */
  public static int to(long edge) {
    return (int) edge;
  }

  /** A permutation of the labels: each step can be undone, so no two labels meet. */
  long permuted(long label) {
    long x = (label ^ key) & mask;
    for (int round = 0; round < 3; round++) {
      x = (x * multiplier + (key >>> round)) & mask;
      x ^= x >>> shift;
    }
    return x;
  }

  private static long threshold(double probability) {
    return Math.round(probability * (1L << 32));
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long z) {
    long x = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    x = (x ^ (x >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return x ^ (x >>> 31);
  }
}
