// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

/** YCSB's workloads, and what is looked at beside them. Keys are chosen as {@link Zipfian} does. */
public enum Workload {
  /** Load A: all records are put once. */
  LOAD(0, true),
  /** Half reads, half updates. */
  A(50, false),
  /** 95 percent reads, the others updates. */
  B(95, false),
  /** Reads. */
  C(100, false),
  /** 95 percent reads, of the latest records most, the others inserts. */
  D(95, true),
  /** 95 percent scans of 1 to 100 records, the others inserts. */
  E(95, true),
  /** Half reads, the others reads with an update behind each. */
  F(50, false),
  /** A, at a fixed rate: how long operations take from when they were due. */
  PACED(50, false),
  /** The process is killed with twice the memory of a table in no tree; the next one opens. */
  REOPEN(0, false);

  private final int readPercent;
  private final boolean inserts;

  Workload(int readPercent, boolean inserts) {
    this.readPercent = readPercent;
    this.inserts = inserts;
  }

  /** How many percent of the operations only read. */
  int readPercent() {
    return readPercent;
  }

  /** Whether what it puts are new records. */
  boolean inserts() {
    return inserts;
  }

  /** For people. */
  String label() {
    return switch (this) {
      case LOAD -> "Load A";
      case PACED -> "Run A, paced";
      case REOPEN -> "Open";
      default -> "Run " + this;
    };
  }
}
