// SPDX-License-Identifier: Apache-2.0

/** Workloads that measure Verbena. */
module io.verbena.bench {
  requires transitive io.verbena;
  requires HdrHistogram;
  requires static org.jspecify;
}
