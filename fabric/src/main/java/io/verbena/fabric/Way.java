// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

/**
 * How operations of a {@link Link} go.
 *
 * @param kind which way those go that can
 * @param sentence how many went which way so far, and why none goes by mapped memory if so; for
 *     people
 */
public record Way(Kind kind, String sentence) {

  /** The ways there are. */
  public enum Kind {
    /**
     * By memory that both processes map: on regions that were allocated, by the thread that posts,
     * while nothing of the link is open at the device.
     */
    MAPPED,
    /** By the device alone. */
    DEVICE
  }

  private static final int DEVICE_ALONE = 0;

  /** What {@code vbn_fabric_way} says of a link that is there. */
  static Way of(int number, String sentence) {
    return new Way(number == DEVICE_ALONE ? Kind.DEVICE : Kind.MAPPED, sentence);
  }
}
