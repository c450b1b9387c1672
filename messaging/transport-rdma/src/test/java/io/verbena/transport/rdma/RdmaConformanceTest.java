// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;

/** The conformance suite over verbs. */
class RdmaConformanceTest extends TransportConformance {

  @Override
  protected TransportUnderTest transport() {
    return new Verbs();
  }
}
