// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.tcp;

import io.verbena.testkit.ProxiedTcp;
import io.verbena.testkit.TransportConformance;
import io.verbena.testkit.TransportUnderTest;

/** The conformance suite over TCP, through proxies that cut and stall. */
class TcpConformanceTest extends TransportConformance {

  @Override
  protected TransportUnderTest transport() {
    return new ProxiedTcp();
  }
}
