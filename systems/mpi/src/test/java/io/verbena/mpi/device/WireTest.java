// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.Node;
import io.verbena.Sender;
import io.verbena.fabric.RegionKey;
import io.verbena.testkit.Await;
import io.verbena.testkit.Ports;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device, and a node that writes what ranks say to each other byte by byte, also wrongly. */
class WireTest {

  private static final int OWN = 1 << 20; // what each grants the other
  private static final DeviceOptions OPTIONS =
      new DeviceOptions(2 * OWN, 8 << 10, 8 << 10, 1 << 20);
  private static final Context ALL = Context.ofAll(0x0302_0100, 2);

  private final BlockingQueue<byte[]> said = new LinkedBlockingQueue<>();
  private volatile boolean standsStill; // the peer
  private Node own;
  private Node peer;
  private Device device;
  private Sender lane;

  @BeforeEach
  void open() throws Exception {
    List<String> addresses = List.of("127.0.0.1:" + Ports.free(), "127.0.0.1:" + Ports.free());
    String cluster = "wire-" + ProcessHandle.current().pid();
    own = Node.build(Ranks.config(0, "shm", cluster, addresses).set("lane.bytes", "64K").build());
    device = Device.attach(own, 2, rank -> "host", OPTIONS);
    peer = Node.build(Ranks.config(1, "shm", cluster, addresses).build());
    peer.handleView(
        Device.TYPE,
        (segment, at, length, from) -> {
          while (standsStill) {
            Thread.onSpinWait();
          }
          said.add(segment.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
        });
    own.start();
    peer.start();
    lane = peer.sender(0);
  }

  @AfterEach
  void close() {
    device.close();
    own.close();
    peer.close();
  }

  private void says(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    long at = lane.claim(Device.TYPE, bytes.length);
    MemorySegment.copy(bytes, 0, lane.segment(), ValueLayout.JAVA_BYTE, at, bytes.length);
    lane.commit();
  }

  private void hears(String hex) throws InterruptedException {
    byte[] next = said.poll(Await.LONG.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    assertThat(HexFormat.of().formatHex(next)).isEqualTo(hex.replace(" ", ""));
  }

  /** Both have said what they grant. */
  private void begin() throws InterruptedException {
    hasGranted(OWN);
  }

  private void hasGranted(int bytes) throws InterruptedException {
    says("04 00 0000 %08x  00000000 00000000".formatted(Integer.reverseBytes(bytes)));
    hears("04 00 0000 00001000  00000000 00000000");
  }

  @Test
  void nothingGoesBeforeThePeersFirstWord() throws Exception {
    SendRequest send = device.isend(ALL, 1, 7, Ranks.bytes(0xaa, 0xbb, 0xcc));
    hears("04 00 0000 00001000  00000000 00000000");
    assertThat(said.poll(50, TimeUnit.MILLISECONDS)).isNull();
    assertThat(send.isDone()).isFalse();
    says("04 00 0000 00001000  00000000 00000000");
    hears("01 01 0000 00000000  00010203 07000000  aabbcc");
    device.await(send);
  }

  @Test
  void aMessageComesWhole() throws Exception {
    begin();
    says("01 01 0000 00000000  00010203 feffffff  0102");
    byte[] into = new byte[4];
    assertThat(device.recv(ALL, 1, Device.ANY_TAG, Ranks.room(into)))
        .isEqualTo(new Status(1, -2, 2, null));
    assertThat(into).containsExactly(1, 2, 0, 0);
  }

  @Test
  void aNoteFollowsTheHead() throws Exception {
    begin();
    Note note = new Note(0x0807_0605_0403_0201L, -1);
    device.await(device.send(ALL, 1, 1, Ranks.bytes(0xee), false, note));
    hears("01 03 0000 00000000  00010203 01000000  " + "0102030405060708 ffffffffffffffff ee");
    says(
        "01 06 0000 00000000  00010203 01000000  0500000001000000 0100000000000000"
            + "0102030405060708 ffffffffffffffff");
    assertThat(device.probe(ALL, 1, 1)).isEqualTo(new Status(1, 1, 1, note));
  }

  @Test
  void aSynchronousSendHearsOfItsReceive() throws Exception {
    begin();
    SendRequest send = device.issend(ALL, 1, 1, Ranks.bytes(0xee));
    hears("01 05 0000 00000000  00010203 01000000  0100000001000000 ee");
    assertThat(device.test(send)).isFalse();
    says("03 00 0000 00000000  0100000001000000 0000000000000000 0000000000000000");
    device.await(send);
  }

  @Test
  void whoSendsSynchronouslyHearsOfItsReceiveWheneverThatIsPosted() throws Exception {
    begin();
    ReceiveRequest before = device.irecv(ALL, 1, 9, Ranks.room(new byte[1]));
    says("01 05 0000 00000000  00010203 09000000  2a00000000000000 ee");
    hears("03 00 0000 00000000  2a00000000000000 0000000000000000 0000000000000000");
    device.await(before);
    says("01 05 0000 00000000  00010203 09000000  2b00000000000000 ee");
    Await.until("it is there", () -> device.unexpected() == 1);
    assertThat(said).isEmpty();
    device.recv(ALL, 1, 9, Ranks.room(new byte[1]));
    hears("03 00 0000 00000000  2b00000000000000 0000000000000000 0000000000000000");
  }

  /** What did not find room in the lane goes the same way later, and has cost nothing before. */
  @Test
  void whatTheLaneHasNoRoomForIsChargedOnce() throws Exception {
    int messages = 16;
    hasGranted(messages * (8000 + Wire.CHARGE_BYTES));
    standsStill = true;
    List<SendRequest> sends = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      sends.add(device.isend(ALL, 1, 1, Ranks.room(new byte[8000])));
    }
    assertThat(sends.get(messages - 1).isDone()).isFalse();
    standsStill = false;
    for (SendRequest send : sends) {
      hears("01 01 0000 00000000  00010203 01000000 " + "00".repeat(8000));
      device.await(send);
    }
    SendRequest next = device.isend(ALL, 1, 1, Ranks.room(new byte[8000]));
    hears("01 04 0000 00000000  00010203 01000000  0100000001000000 401f000000000000");
    assertThat(next.isDone()).isFalse();
  }

  @Test
  void aLongMessageIsAnnouncedAndGoesByPieces() throws Exception {
    begin();
    byte[] bytes = new byte[33 << 10];
    bytes[0] = 0x11;
    bytes[8 << 10] = 0x22;
    SendRequest send = device.isend(ALL, 1, 1, Ranks.room(bytes));
    hears("01 04 0000 00000000  00010203 01000000  0100000001000000 0084000000000000");
    says("03 00 0000 00000000  0100000001000000 7700000000000000 0220000000000000");
    hears("02 00 0000 00000000  7700000000000000 0000000000000000 11" + "00".repeat((8 << 10) - 1));
    hears("02 00 0000 00000000  7700000000000000 0020000000000000 22 00"); // as much as is wanted
    device.await(send);
  }

  @Test
  void aLongMessageGoesByPiecesThoughItsReceiverNamesAWindowThatIsNone() throws Exception {
    begin();
    SendRequest send = device.isend(ALL, 1, 1, Ranks.room(new byte[33 << 10]));
    hears("01 04 0000 00000000  00010203 01000000  0100000001000000 0084000000000000");
    says(
        "03 00 0000 00000000  0100000001000000 7700000000000000 0200000000000000 "
            + "ff".repeat(RegionKey.BYTES));
    hears("02 00 0000 00000000  7700000000000000 0000000000000000 0000");
    device.await(send);
  }

  @Test
  void aLongMessageIsAskedForAndPutTogether() throws Exception {
    begin();
    byte[] into = new byte[4];
    ReceiveRequest receive = device.irecv(ALL, 1, 1, Ranks.room(into));
    says("01 04 0000 00000000  00010203 01000000  2a00000000000000 0300000000000000");
    hears("03 00 0000 00000000  2a00000000000000 0100000001000000 0300000000000000");
    says("02 00 0000 00000000  0100000001000000 0000000000000000 0102");
    assertThat(device.test(receive)).isFalse();
    says("02 00 0000 00000000  0100000001000000 0200000000000000 03");
    device.await(receive);
    assertThat(into).containsExactly(1, 2, 3, 0);
  }

  @Test
  void whoIsStalledIsGrantedMoreOnceSomebodyWaits() throws Exception {
    begin();
    says("05 00 0000 00000000");
    assertThat(device.iprobe(ALL, 0, 1)).isEmpty(); // not for that one
    assertThat(said.poll(50, TimeUnit.MILLISECONDS)).isNull();
    ReceiveRequest receive = device.irecv(ALL, 1, 1, Layout.empty());
    hears("04 00 0000 00000000  00010000 00000000");
    assertThat(device.cancel(receive)).isTrue();
  }

  @Test
  void aSenderThatGivesUpFailsItsReceiver() throws Exception {
    begin();
    ReceiveRequest receive = device.irecv(ALL, 1, 1, Ranks.room(new byte[4]));
    says("01 04 0000 00000000  00010203 01000000  2a00000000000000 0300000000000000");
    hears("03 00 0000 00000000  2a00000000000000 0100000001000000 0300000000000000");
    says("07 00 0000 00000000  0100000001000000");
    assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.await(receive));
  }

  /** What is wrong is told and left out; the device and its messages go on. */
  @Test
  void whatIsWrongDoesNoHarm() throws Exception {
    begin();
    byte[] into = new byte[3];
    ReceiveRequest receive = device.irecv(ALL, 1, 1, Ranks.room(into));
    says("01 04 0000 00000000  00010203 01000000  2a00000000000000 0300000000000000");
    hears("03 00 0000 00000000  2a00000000000000 0100000001000000 0300000000000000");
    says("02 00 0000 00000000  0100000001000000 ffffffffffffffff ff"); // before its beginning
    says("02 00 0000 00000000  0100000001000000 0300000000000000 ff"); // behind its end
    says("02 00 0000 00000000  0100000001000000 0000000000000000 ffffffff"); // too much
    says("02 00 0000 00000000  0200000001000000 0000000000000000 ff"); // nobody's
    says("03 00 0000 00000000  0100000001000000 0000000000000000 ffffffffffffffff"); // nobody's
    says("07 00 0000 00000000  0000000000000000"); // nobody's
    says("63 00 0000 00000000"); // no role
    says("01 04 0000 00000000  00010203 02000000  0100000000000000 ffffffffffffffff"); // how long
    says("01 04 0000 00000000  00010203 02000000  0100000000000000"); // no length
    says("01 07 0000 00000000  00010203 02000000  0100000000000000 0000000000000000"); // no note
    says("02 00 0000 00000000  0100000001000000 0000000000000000 010203");
    device.await(receive);
    assertThat(into).containsExactly(1, 2, 3);
    assertThat(device.unexpected()).isZero();
  }
}
