// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.mpi;

/** What ranks do together. Sizes are those of a message, or of one rank's block. */
public enum Operation {
  /** There and back between two ranks; a time is that of both ways. */
  PING_PONG("ping-pong", false, false),
  /** All wait for all. */
  BARRIER("barrier", false, false),
  /** The root's block goes to all. */
  BCAST("bcast", false, false),
  /** A block of each goes to the root. */
  GATHER("gather", false, true),
  /** The root has a block for each. */
  SCATTER("scatter", true, false),
  /** A block of each goes to all. */
  ALLGATHER("allgather", false, true),
  /** Each has a block for each. */
  ALLTOALL("alltoall", true, true),
  /** The root gets the sum. */
  REDUCE("reduce", false, false),
  /** All get the sum. */
  ALLREDUCE("allreduce", false, false),
  /** Each gets its block of the sum. */
  REDUCE_SCATTER("reduce-scatter", true, false),
  /** Each gets the sum of those up to itself. */
  SCAN("scan", false, false);

  private final String text;
  private final boolean hasBlockForEach;
  private final boolean hasBlockOfEach;

  Operation(String text, boolean hasBlockForEach, boolean hasBlockOfEach) {
    this.text = text;
    this.hasBlockForEach = hasBlockForEach;
    this.hasBlockOfEach = hasBlockOfEach;
  }

  /** The name in commands and files. */
  public String text() {
    return text;
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if there is no such operation
   */
  public static Operation parse(String text) {
    StringBuilder known = new StringBuilder();
    for (Operation operation : values()) {
      if (operation.text.equals(text)) {
        return operation;
      }
      known.append(known.length() == 0 ? "" : ", ").append(operation.text);
    }
    throw new IllegalArgumentException("operation '" + text + "': expected one of " + known);
  }

  /** How many bytes a rank gives. */
  int bytesFrom(int size, int ranks) {
    return hasBlockForEach ? size * ranks : size;
  }

  /** How many bytes a rank gets. */
  int bytesInto(int size, int ranks) {
    return hasBlockOfEach ? size * ranks : size;
  }
}
