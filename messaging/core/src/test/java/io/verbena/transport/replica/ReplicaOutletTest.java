// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.transport.LaneMemory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaOutletTest {

  private final LaneMemory memory =
      new LaneMemory(Arena.ofAuto().allocate(LaneMemory.DATA_OFFSET + 4096, 64), () -> {});
  private final List<Long> sentFrom = new ArrayList<>();
  private final ReplicaOutlet outlet = new RecordingOutlet();

  @Test
  void sendsFromWhereTheFarSideHasSaid() throws Exception {
    outlet.resume(0);
    assertThat(sentFrom).containsExactly(0L);
    assertThat(outlet.isFlowing()).isTrue();
  }

  @Test
  void isResumedOnce() throws Exception {
    outlet.resume(0);
    assertThatThrownBy(() -> outlet.resume(0)).isInstanceOf(BadSegmentException.class);
  }

  @Test
  void isNotResumedBeyondWhatIsPublished() {
    assertThatThrownBy(() -> outlet.resume(8)).isInstanceOf(BadSegmentException.class);
    assertThat(sentFrom).isEmpty();
  }

  /** A RESUME may cross the lane's end, whose memory its owner frees at once. */
  @Test
  void resumeBehindTheEndIsVoid() throws Exception {
    outlet.letGo();
    outlet.resume(0);
    assertThat(sentFrom).isEmpty();
    assertThat(outlet.isFlowing()).isFalse();
  }

  private final class RecordingOutlet extends ReplicaOutlet {

    RecordingOutlet() {
      super(1, memory, new StillWriter());
    }

    @Override
    protected long sent() {
      return 0;
    }

    @Override
    protected void sendFrom(long position, long boundary) {
      sentFrom.add(position);
    }
  }
}
