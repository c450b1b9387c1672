// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

/** Numbers as settings have them. */
public final class Quantity {

  private static final String UNITS = "KMG";
  private static final int BITS_OF_UNIT = 10;

  private Quantity() {}

  /**
   * Reads a number of at least 0, which may end in K, M or G: 1024, that squared, that cubed.
   *
   * @throws NumberFormatException if it is none, or more than a long holds
   */
  public static long of(String text) {
    int power = text.isEmpty() ? -1 : UNITS.indexOf(text.charAt(text.length() - 1));
    long digits = Long.parseLong(power < 0 ? text : text.substring(0, text.length() - 1));
    int shift = BITS_OF_UNIT * (power + 1);
    if (digits < 0 || digits > Long.MAX_VALUE >> shift) {
      throw new NumberFormatException(text);
    }
    return digits << shift;
  }
}
