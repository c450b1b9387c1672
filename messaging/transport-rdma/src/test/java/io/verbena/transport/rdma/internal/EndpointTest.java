// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.natives.Struct;
import io.verbena.natives.Structs;
import io.verbena.transport.LaneMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of lanes' memory that is freed, on softnic. */
@Tag("timing")
@Timeout(600)
class EndpointTest {

  private static final long NO_LINK = 999;
  private static final long CAPACITY = 4096;

  private final Arena arena = Arena.ofShared();
  private final Endpoint endpoint = open();

  private Endpoint open() {
    Struct options = Struct.allocate(Structs.ENDPOINT_OPTIONS, arena);
    options.setInt("node_id", 1);
    options.setLong("incarnation", 77);
    options.setAddress("cluster", arena.allocateFrom("endpoint-test"));
    options.setAddress("listen", arena.allocateFrom("127.0.0.1:0"));
    options.setAddress("device", softnic());
    options.setInt("max_connections", 2);
    options.setInt("send_work_requests", 16);
    options.setInt("signal_every", 4);
    options.setInt("buffer_bytes", 1024);
    options.setInt("buffers_per_receive", 2);
    options.setInt("receive_work_requests", 32);
    options.setInt("window", 8);
    options.setInt("control_bytes", 4096);
    options.setLong("heartbeat_ns", 100_000_000);
    options.setLong("dead_after_ns", 1_000_000_000);
    try {
      return Endpoint.open(options);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private MemorySegment softnic() {
    Struct wishes = Struct.allocate(Structs.WISHES, arena);
    wishes.setAddress("device", arena.allocateFrom("softnic"));
    wishes.setInt("gid_index", -1);
    wishes.setInt("pkey", -1);
    wishes.setInt("service_level", -1);
    return wishes.memory();
  }

  @AfterEach
  void close() {
    endpoint.close();
    arena.close();
  }

  @Test
  void ringIsOpenedOnALinkThatIsThere() throws IOException {
    try (LaneMemory ring = endpoint.allocate(CAPACITY)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> endpoint.openLane(NO_LINK, 0, ring, 0, 0))
          .withMessageContaining("connection " + NO_LINK);
    }
  }

  @Test
  void ringThatIsFreedIsNotSentFrom() throws IOException {
    LaneMemory ring = endpoint.allocate(CAPACITY);
    ring.close();
    assertThatIllegalStateException().isThrownBy(() -> endpoint.openLane(NO_LINK, 0, ring, 0, 0));
  }

  /** Memory that is freed is another lane's soon. */
  @Test
  void ringOfAnotherLaneThatLiesWhereAFreedOneLayIsNotSentFrom() throws IOException {
    LaneMemory freed = endpoint.allocate(CAPACITY);
    freed.close();
    List<LaneMemory> others = new ArrayList<>();
    try {
      for (int i = 0; i < 1000 && !liesThere(others, freed); i++) {
        others.add(endpoint.allocate(CAPACITY));
      }
      assertThat(liesThere(others, freed)).as("or the test shows nothing").isTrue();
      assertThatIllegalStateException()
          .isThrownBy(() -> endpoint.openLane(NO_LINK, 0, freed, 0, 0));
    } finally {
      others.forEach(LaneMemory::close);
    }
  }

  private static boolean liesThere(List<LaneMemory> others, LaneMemory freed) {
    long address = freed.segment().address();
    return others.stream().anyMatch(other -> other.segment().address() == address);
  }

  @Test
  void replicaThatIsFreedIsNeitherGrantedNorRevoked() throws IOException {
    LaneMemory replica = endpoint.allocateReplica(CAPACITY);
    assertThat(endpoint.grant(replica)).isNotNull();
    endpoint.revoke(replica);
    replica.close();
    assertThatIllegalStateException().isThrownBy(() -> endpoint.grant(replica));
    endpoint.revoke(replica);
  }
}
