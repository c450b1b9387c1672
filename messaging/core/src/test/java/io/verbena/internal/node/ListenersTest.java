// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbena.MessageTypes;
import io.verbena.NodeListener;
import io.verbena.internal.codec.TypeTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenersTest {

  /** Who waits for what a listener hears looks for it then. */
  @Test
  void toldIsCalledOnceAllListenersHaveHeard() {
    List<String> calls = new ArrayList<>();
    Listeners listeners =
        new Listeners(1, TypeTable.of(MessageTypes.builder().build()), () -> calls.add("told"));
    for (int i = 0; i < 2; i++) {
      listeners.add(
          new NodeListener() {
            @Override
            public void lost(int peer, String reason) {
              calls.add(reason);
            }
          });
    }

    listeners.tell(listener -> listener.lost(2, "gone"));

    assertThat(calls).containsExactly("gone", "gone", "told");
  }
}
