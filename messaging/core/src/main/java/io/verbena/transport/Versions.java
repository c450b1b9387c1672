// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport;

/**
 * The versions of the protocol that a node speaks. One number stands for all that a link carries:
 * handshake, segments, lanes and frames. Two nodes speak the greatest version that both know.
 *
 * @param least the first version spoken, from 1
 * @param greatest the last one, to 255
 */
public record Versions(int least, int greatest) {

  /** What this release speaks. */
  public static final Versions SPOKEN = new Versions(1, 2);

  /** The version whose nodes do not say which ones they speak. */
  public static final Versions FIRST = new Versions(1, 1);

  /** Checks the range. */
  public Versions {
    if (least < 1 || greatest > 255 || least > greatest) {
      throw new IllegalArgumentException("versions from " + least + " to " + greatest);
    }
  }

  /** The greatest version that both speak, or 0 if there is none. */
  public int common(Versions other) {
    int candidate = Math.min(greatest, other.greatest);
    return candidate >= Math.max(least, other.least) ? candidate : 0;
  }

  /** Whether this version is among them. */
  public boolean contains(int version) {
    return least <= version && version <= greatest;
  }

  /** In words: "version 1", "versions 1 to 3". */
  @Override
  public String toString() {
    return least == greatest ? "version " + least : "versions " + least + " to " + greatest;
  }
}
