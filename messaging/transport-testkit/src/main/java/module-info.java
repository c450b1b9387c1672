// SPDX-License-Identifier: Apache-2.0

/** The conformance suite every transport passes. */
module io.verbena.testkit {
  requires transitive io.verbena;
  requires transitive org.junit.jupiter.api;
  requires org.opentest4j;
  requires java.compiler;
  requires jdk.management;
  requires java.logging;
  requires java.management;
  requires static org.jspecify;

  exports io.verbena.testkit;

  // JUnit makes the nested test classes; Verbena reads the records.
  opens io.verbena.testkit;
}
