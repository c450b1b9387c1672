// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The payloads of one size: some arrays of random bytes, made once, of which the stamp chooses one.
 * Making a new pattern for each large message would be what is measured.
 */
public final class Payloads {

  private static final int TOTAL_BYTES = 256 * 1024;
  private static final int MIN_COUNT = 4;
  private static final int MAX_COUNT = 64;

  private final byte[][] arrays;
  private final MemorySegment[] segments;
  private final int mask;

  /** Makes the payloads of this length; the same on all nodes. */
  public Payloads(int lengthBytes) {
    int fitting = Integer.highestOneBit(TOTAL_BYTES / Math.max(1, lengthBytes) | 1);
    int count = Math.clamp(fitting, MIN_COUNT, MAX_COUNT);
    this.mask = count - 1;
    this.arrays = new byte[count][lengthBytes];
    this.segments = new MemorySegment[count];
    SplittableRandom random = new SplittableRandom(lengthBytes);
    for (int i = 0; i < count; i++) {
      random.nextBytes(arrays[i]);
      segments[i] = MemorySegment.ofArray(arrays[i]);
    }
  }

  /** The payload that belongs to a stamp; shared, not to be changed. */
  public byte[] of(long stamp) {
    return arrays[(int) stamp & mask];
  }

  /** Whether these bytes are the payload that belongs to the stamp. */
  public boolean isIntact(long stamp, byte[] payload) {
    return Arrays.equals(of(stamp), payload);
  }

  /** Writes the payload that belongs to a stamp. */
  public void write(long stamp, MemorySegment to, long offset) {
    MemorySegment payload = segments[(int) stamp & mask];
    MemorySegment.copy(payload, 0, to, offset, payload.byteSize());
  }

  /** Whether the payload that belongs to the stamp stands at this place. */
  public boolean isIntact(long stamp, MemorySegment from, long offset) {
    MemorySegment payload = segments[(int) stamp & mask];
    long length = payload.byteSize();
    return MemorySegment.mismatch(payload, 0, length, from, offset, offset + length) < 0;
  }
}
