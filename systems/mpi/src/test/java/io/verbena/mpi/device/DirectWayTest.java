// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.nodefabric.NodeFabric;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Long messages between memory outside the heap, by the fabric of two ranks. */
class DirectWayTest {

  private static final int LONG = 1 << 20;
  private static final DeviceOptions OPTIONS =
      DeviceOptions.of(Map.of("mpi.direct.bytes", "256K")::get);

  private static int made;

  private final Arena arena = Arena.ofShared();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Device> devices = new ArrayList<>();
  private final List<NodeFabric> fabrics = new ArrayList<>();
  private final Context all = Context.ofAll(0, 2);
  private int tag;

  @BeforeEach
  void start() {
    start("rdma");
  }

  private void start(String transport) {
    String cluster = "direct-%d-%d".formatted(ProcessHandle.current().pid(), ++made);
    List<String> addresses = List.of("127.0.0.1:" + Ports.free(), "127.0.0.1:" + Ports.free());
    for (int rank = 0; rank < 2; rank++) {
      Node node =
          Node.build(
              Ranks.config(rank, transport, cluster, addresses)
                  .set("rdma.device", "softnic")
                  .build());
      nodes.add(node);
      Device device = Device.attach(node, 2, of -> "host" + of, OPTIONS);
      fabrics.add(NodeFabric.attachBesideVerbs(node));
      device.useFabric(fabrics.get(rank));
      devices.add(device);
    }
    nodes.forEach(Node::start);
  }

  @AfterEach
  void close() {
    closeNodes();
    arena.close();
  }

  private void closeNodes() {
    devices.forEach(Device::close);
    nodes.forEach(Node::close);
    devices.clear();
    nodes.clear();
    fabrics.clear();
  }

  private MemorySegment memory(long bytes, int seed) {
    MemorySegment memory = arena.allocate(bytes);
    fill(memory, seed);
    return memory;
  }

  private static void fill(MemorySegment memory, int seed) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 4099 + seed));
    }
  }

  /** Sends a message of rank 0 to rank 1. */
  private Status carry(MemorySegment from, MemorySegment to) throws Exception {
    tag++;
    ReceiveRequest receive = devices.get(1).irecv(all, 0, tag, Layout.of(to));
    SendRequest send = devices.get(0).isend(all, 1, tag, Layout.of(from));
    devices.get(0).await(send);
    devices.get(1).await(receive);
    return receive.status();
  }

  private static void assertSame(MemorySegment to, MemorySegment from, long bytes) {
    assertThat(to.asSlice(0, bytes).mismatch(from.asSlice(0, bytes))).isEqualTo(-1);
  }

  /** How many bytes rank 0 has put into memory of rank 1. */
  private long put() {
    return fabrics.getFirst().fabric().link(1).counters().putBytes();
  }

  /** The first message has the link made, and goes by pieces if that takes longer. */
  private void prepare() throws Exception {
    MemorySegment from = memory(LONG, 1);
    MemorySegment to = memory(LONG, 2);
    Await.until(
        "messages go by the fabric",
        () -> {
          try {
            carry(from, to);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return put() > 0;
        });
  }

  @Test
  void aLongMessageIsWrittenWhereItIsWanted() throws Exception {
    prepare();
    for (int i = 0; i < 20; i++) {
      long bytes = LONG + i * 77L;
      MemorySegment from = memory(bytes, i);
      MemorySegment to = memory(bytes, 100);
      long before = put();
      assertThat(carry(from, to)).isEqualTo(new Status(0, tag, bytes, null));
      assertSame(to, from, bytes);
      assertThat(put() - before).isEqualTo(bytes);
    }
  }

  @Test
  void whatCannotGoThatWayGoesByPieces() throws Exception {
    prepare();
    MemorySegment heap = MemorySegment.ofArray(new byte[LONG]);
    fill(heap, 5);
    MemorySegment memory = memory(LONG, 6);
    MemorySegment small = memory(100_000, 7);
    long before = put();
    carry(heap, memory);
    assertSame(memory, heap, LONG);
    fill(memory, 8);
    carry(memory, heap);
    assertSame(heap, memory, LONG);
    carry(memory.asReadOnly(), memory(LONG, 9));
    carry(small, memory);
    assertSame(memory, small, small.byteSize());
    assertThat(put()).isEqualTo(before);
  }

  @Test
  void ofATooLongMessageWhatThereIsRoomForIsWritten() throws Exception {
    prepare();
    MemorySegment from = memory(3 * LONG, 1);
    MemorySegment to = memory(2 * LONG, 2);
    MemorySegment room = to.asSlice(0, LONG + 10);
    MemorySegment behind = memory(2 * LONG, 2);
    long before = put();
    assertThatExceptionOfType(TruncatedException.class).isThrownBy(() -> carry(from, room));
    assertSame(to, from, LONG + 10);
    assertSame(to.asSlice(LONG + 10), behind.asSlice(LONG + 10), LONG - 10);
    assertThat(put() - before).isEqualTo(LONG + 10);
  }

  @Test
  void theMemoryIsTheProgramsAgainWhenTheReceiveIsDone() throws Exception {
    prepare();
    for (int i = 0; i < 50; i++) {
      try (Arena ofOne = Arena.ofShared()) {
        MemorySegment from = ofOne.allocate(LONG);
        MemorySegment to = ofOne.allocate(LONG);
        fill(from, i);
        carry(from, to);
        assertSame(to, from, LONG);
      }
    }
  }

  @Test
  void manyGoBothWaysAtOnce() throws Exception {
    prepare();
    List<MemorySegment> from = new ArrayList<>();
    List<MemorySegment> to = new ArrayList<>();
    List<Request> open = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int rank = i % 2;
      from.add(memory(LONG + i, i));
      to.add(memory(LONG + i, 99));
      open.add(devices.get(1 - rank).irecv(all, rank, i, Layout.of(to.get(i))));
      open.add(devices.get(rank).isend(all, 1 - rank, i, Layout.of(from.get(i))));
    }
    for (Request each : open) {
      devices.getFirst().await(each);
    }
    for (int i = 0; i < 40; i++) {
      assertSame(to.get(i), from.get(i), LONG + i);
    }
  }

  @Test
  void whatIsUnderWayToALostRankFails() throws Exception {
    prepare();
    List<SendRequest> sends = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      if (i < 29) { // the last one has no receive: it is not done before
        devices.get(1).irecv(all, 0, i, Layout.of(memory(4 * LONG, i)));
      }
      sends.add(devices.get(0).isend(all, 1, i, Layout.of(memory(4 * LONG, i))));
    }
    devices.getFirst().lose(1, "its host burns");
    for (SendRequest send : sends) {
      Await.until("it is over", send::isDone);
    }
    assertThat(sends.getLast().failure()).isInstanceOf(RankLostException.class);
  }

  @Test
  void thereIsNoFabricBesideOtherTransports() throws Exception {
    closeNodes();
    start("shm");
    assertThat(fabrics.getFirst().current()).isEmpty();
    byte[] to = new byte[LONG];
    MemorySegment from = MemorySegment.ofArray(new byte[LONG]);
    fill(from, 3);
    carry(from, MemorySegment.ofArray(to));
    assertThat(MemorySegment.ofArray(to).mismatch(from)).isEqualTo(-1);
  }
}
