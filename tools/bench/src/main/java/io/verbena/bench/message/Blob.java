// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.message;

/**
 * A message of any size from {@value #MIN_SIZE_BYTES} bytes on.
 *
 * @param stamp who sent it and the how-manieth it is
 * @param payload the {@link Payloads payload} that belongs to the stamp
 */
@SuppressWarnings("ArrayRecordComponent") // a message on its way, never compared
public record Blob(long stamp, byte[] payload) {

  /** The smallest body: the stamp and the count of an empty payload. */
  public static final int MIN_SIZE_BYTES = 9;

  /**
   * How long the payload must be for a body of {@code sizeBytes}: the stamp takes 8 bytes, the
   * count of the array 7 bits a byte of itself plus one.
   *
   * @return -1 if no payload makes a body of just this size
   */
  public static int payloadLength(int sizeBytes) {
    for (int countBytes = 1; countBytes <= 5; countBytes++) {
      int length = sizeBytes - Long.BYTES - countBytes;
      if (length >= 0 && countBytes == countBytes(length)) {
        return length;
      }
    }
    return -1;
  }

  private static int countBytes(int length) {
    int significantBits = 64 - Long.numberOfLeadingZeros(length + 1L);
    return (significantBits + 6) / 7;
  }
}
