// SPDX-License-Identifier: Apache-2.0

/** An embedded key-value store: an LSM engine with values apart, whose index can be shipped. */
module io.verbena.kv.store {
  requires jdk.jfr;
  requires jdk.unsupported; // direct I/O is an option of that module
  requires static org.jspecify;

  exports io.verbena.kv.store;
}
