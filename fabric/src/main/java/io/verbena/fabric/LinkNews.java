// SPDX-License-Identifier: Apache-2.0
package io.verbena.fabric;

import io.verbena.natives.Calls;
import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What happens to the links of a fabric: recorded, if anybody records. Any thread. */
final class LinkNews {

  private static final int UP = 1;
  private static final int DOWN = 2;
  private static final int MEMORY = 2;

  private final int node;
  private final Struct news = Struct.allocate(Structs.NEWS, Arena.ofAuto()); // guarded by this

  LinkNews(int node) {
    this.node = node;
  }

  /** Takes all there is; the fabric stays open meanwhile. */
  synchronized void take(MemorySegment open) {
    while ((int) Calls.call(Functions.NEWS, open, news.memory()) == 1) {
      switch (news.getInt("kind")) {
        case UP -> up();
        case DOWN -> down();
        default -> {} // who has dialled is told by its call, and an end is told before
      }
    }
  }

  private void up() {
    LinkUpEvent event = new LinkUpEvent();
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = news.getInt("peer");
      event.service = service();
      event.address = news.getText("text");
      event.dialled = news.getFlag("dialled");
      event.commit();
    }
  }

  private void down() {
    LinkDownEvent event = new LinkDownEvent();
    if (event.shouldCommit()) {
      event.node = node;
      event.peer = news.getInt("peer");
      event.service = service();
      event.reason = news.getText("text");
      event.commit();
    }
  }

  private String service() {
    return news.getInt("service") == MEMORY ? "memory" : "channel";
  }
}
