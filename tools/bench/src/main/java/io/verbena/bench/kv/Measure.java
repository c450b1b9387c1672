// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.kv;

import io.verbena.bench.figure.Unit;

/** What is measured of a workload. */
public enum Measure {
  /** Operations a second. */
  THROUGHPUT(Unit.PER_SECOND),
  /** Processor time of the whole process for each operation, until it has come to rest. */
  CPU(Unit.NANOSECONDS),
  /** Bytes written to files for each byte of keys and values that was put, until rest. */
  WRITTEN(Unit.TIMES),
  /** Bytes read from the disk for each operation. */
  READ(Unit.BYTES),
  /** Heap that an operation has taken beside the values that it returns. */
  HEAP(Unit.BYTES),
  /** The longest operation. */
  LONGEST(Unit.NANOSECONDS),
  /** The part of the threads' time that went into operations of 10 ms and more. */
  STALLED(Unit.TIMES),
  /** From when an operation was due to its end: the median. */
  P50(Unit.NANOSECONDS),
  /** 99 of 100. */
  P99(Unit.NANOSECONDS),
  /** 999 of 1,000. */
  P999(Unit.NANOSECONDS),
  /** Opening the folder. */
  OPEN(Unit.NANOSECONDS);

  private final Unit unit;

  Measure(Unit unit) {
    this.unit = unit;
  }

  Unit unit() {
    return unit;
  }
}
