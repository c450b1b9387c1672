// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {

  /** Two nodes of one cluster get their ports before either of them listens. */
  @Test
  void noPortIsGivenTwiceInARow() {
    assertEquals(1000, Stream.generate(Ports::free).limit(1000).collect(Collectors.toSet()).size());
  }
}
