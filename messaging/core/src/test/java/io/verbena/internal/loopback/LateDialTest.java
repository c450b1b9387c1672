// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbena.transport.Held;
import io.verbena.transport.RefusedException;
import io.verbena.transport.StillContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A dial that begins when the other side's dial has made the link already. */
class LateDialTest {

  private static final class Node extends StillContext {
    private final int id;
    private Held held = Held.NOTHING;

    Node(int id) {
      super(0);
      this.id = id;
    }

    @Override
    public int nodeId() {
      return id;
    }

    @Override
    public Held held(int peer, long peerIncarnation) {
      return held;
    }
  }

  @Test
  void makesNoLink() {
    Node lower = new Node(1);
    Node higher = new Node(2);
    LoopbackTransport theirs = new LoopbackTransport(lower);
    LoopbackTransport ours = new LoopbackTransport(higher);
    theirs.register();
    try {
      lower.held = new Held(7, 1);
      higher.held = new Held(7, 1);
      RefusedException refusal =
          catchThrowableOfType(
              RefusedException.class, () -> ours.connect(1, "", Duration.ofMinutes(1)));
      assertThat(refusal.reason()).isEqualTo(RefusedException.Reason.CROSSED);
    } finally {
      theirs.close();
      ours.close();
    }
  }
}
