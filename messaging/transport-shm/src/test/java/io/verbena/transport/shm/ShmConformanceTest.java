// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.shm;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbena.testkit.TappedTransport;
import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;

/** The conformance suite over shared memory. */
class ShmConformanceTest extends TransportConformance {

  @Override
  protected TransportUnderTest transport() {
    String why = new ShmTransportProvider().unusableBecause();
    assumeTrue(why.isEmpty(), why);
    return TappedTransport.inDirectory("shm", "shm.directory");
  }
}
