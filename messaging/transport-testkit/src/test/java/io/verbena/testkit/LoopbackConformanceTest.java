// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

/** The suite on the loopback transport. */
class LoopbackConformanceTest extends TransportConformance {

  @Override
  protected TransportUnderTest transport() {
    return new TappedTransport("loopback");
  }
}
