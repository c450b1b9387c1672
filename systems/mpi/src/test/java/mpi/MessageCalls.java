// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbena.mpi.BufferFullException;
import io.verbena.mpi.device.TruncatedException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Messages between two neighbours; a last rank without one talks with itself. */
final class MessageCalls {

  private static final int LARGE = 100_000;
  private static final int HUGE = 1_000_000; // does not leave at once

  private final Intracomm all = MPI.COMM_WORLD;
  private final int rank = all.Rank();
  private final int peer = (rank ^ 1) < all.Size() ? rank ^ 1 : rank;

  record Name(String text, int number) implements Serializable {}

  private static int[] numbers(int first, int count) {
    int[] numbers = new int[count];
    Arrays.setAll(numbers, i -> first + i);
    return numbers;
  }

  private interface Send {
    void send(Object buf, int offset, int count, Datatype datatype, int dest, int tag);
  }

  private interface Begin {
    Request send(Object buf, int offset, int count, Datatype datatype, int dest, int tag);
  }

  void all() throws Exception {
    MPI.Buffer_attach(new byte[4 * LARGE + MPI.BSEND_OVERHEAD]);
    for (int count : new int[] {0, 3, LARGE}) {
      for (Send mode : new Send[] {all::Send, all::Ssend, all::Rsend, all::Bsend}) {
        exchange(mode, count);
      }
      for (Begin mode : new Begin[] {all::Isend, all::Issend, all::Irsend, all::Ibsend}) {
        Send begun = (buf, at, n, type, to, tag) -> mode.send(buf, at, n, type, to, tag).Wait();
        exchange(begun, count);
      }
    }
    buffered();
    envelopes();
    nobody();
    statuses();
    tooLong();
    both();
    synchronous();
    sentThoughNotReceived();
    derived();
    nothing();
    memory();
    objects();
    packed();
    wrong();
  }

  private void exchange(Send mode, int count) {
    int[] got = new int[count + 2];
    Request receive = all.Irecv(got, 1, count, MPI.INT, peer, 5);
    mode.send(numbers(rank, count + 3), 3, count, MPI.INT, peer, 5);
    Status status = receive.Wait();
    assertThat(Arrays.copyOfRange(got, 1, count + 1)).isEqualTo(numbers(peer + 3, count));
    assertThat(got[0] + got[count + 1]).isZero();
    assertThat(status.source).isEqualTo(peer);
    assertThat(status.tag).isEqualTo(5);
    assertThat(status.Get_count(MPI.INT)).isEqualTo(count);
    assertThat(status.count).isEqualTo(count);
    assertThat(status.countInBytes).isEqualTo(4 * count);
  }

  /** Both send before they receive what is too long to leave at once. */
  private void buffered() {
    int[] large = numbers(rank, LARGE);
    int[] got = new int[LARGE];
    all.Barrier(); // what was sent before has left
    all.Bsend(large, 0, LARGE, MPI.INT, peer, 1);
    Arrays.fill(large, -1); // it is a copy that is sent
    assertThatThrownBy(() -> all.Bsend(large, 0, LARGE, MPI.INT, peer, 2))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("a buffered send takes")
        .hasCauseInstanceOf(BufferFullException.class);
    all.Barrier(); // nobody has received before that
    all.Recv(got, 0, LARGE, MPI.INT, peer, 1);
    assertThat(got).isEqualTo(numbers(peer, LARGE));
    MPI.Buffer_detach();
    Calls.fails("a buffered send takes", () -> all.Bsend(large, 0, 1, MPI.INT, peer, 2));
    Calls.fails("no buffer is attached", MPI::Buffer_detach);
    MPI.Buffer_attach(ByteBuffer.allocateDirect(1000));
    Calls.fails("a buffer of 1000 bytes is attached", () -> MPI.Buffer_attach(new byte[1]));
    all.Bsend(new Object[] {"text"}, 0, 1, MPI.OBJECT, peer, 3);
    Object[] text = new Object[1];
    assertThat(all.Recv(text, 0, 1, MPI.OBJECT, peer, 3).Get_count(MPI.OBJECT)).isEqualTo(1);
    assertThat(text[0]).isEqualTo("text");
    MPI.Buffer_detach();
    Calls.fails("buffer is null", () -> MPI.Buffer_attach((byte[]) null));
  }

  private void envelopes() {
    int[] got = new int[1];
    for (int tag : new int[] {7, 8, 9}) {
      all.Send(numbers(tag, 1), 0, 1, MPI.INT, peer, tag);
    }
    assertThat(all.Recv(got, 0, 1, MPI.INT, peer, 8).tag).isEqualTo(8);
    assertThat(all.Recv(got, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG).tag).isEqualTo(7);
    Status seen = all.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
    assertThat(seen.tag).isEqualTo(9);
    assertThat(seen.source).isEqualTo(peer);
    assertThat(all.Iprobe(peer, 9).Get_count(MPI.INT)).isEqualTo(1);
    assertThat(all.Iprobe(peer, 7)).isNull();
    all.Recv(got, 0, 1, MPI.INT, peer, 9);
    assertThat(got[0]).isEqualTo(9);
    Request self = MPI.COMM_SELF.Isend(new char[] {'x'}, 0, 1, MPI.CHAR, 0, 0);
    char[] own = new char[1];
    MPI.COMM_SELF.Recv(own, 0, 1, MPI.CHAR, 0, 0);
    assertThat(self.Wait().Test_cancelled()).isFalse();
    assertThat(own[0]).isEqualTo('x');
  }

  private void nobody() {
    int[] kept = {4};
    int none = MPI.PROC_NULL;
    all.Send(kept, 0, 1, MPI.INT, none, 0);
    all.Ssend(kept, 0, 1, MPI.INT, none, 0);
    all.Bsend(kept, 0, 1, MPI.INT, none, 0);
    all.Isend(kept, 0, 1, MPI.INT, none, 0).Wait();
    for (Status status :
        new Status[] {
          all.Recv(kept, 0, 1, MPI.INT, none, 0),
          all.Irecv(kept, 0, 1, MPI.INT, none, 0).Wait(),
          all.Probe(none, 0),
          all.Iprobe(none, 0),
          all.Sendrecv(kept, 0, 1, MPI.INT, none, 0, kept, 0, 1, MPI.INT, none, 0),
          all.Sendrecv_replace(kept, 0, 1, MPI.INT, none, 0, none, 0)
        }) {
      assertThat(status.source).isEqualTo(none);
      assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
      assertThat(status.Get_count(MPI.INT)).isZero();
    }
    assertThat(kept[0]).isEqualTo(4);
  }

  private void statuses() {
    int[] got = new int[10];
    all.Send(numbers(0, 5), 0, 5, MPI.INT, peer, 0);
    Status status = all.Recv(got, 0, 5, MPI.INT2, peer, 0);
    assertThat(status.count).isEqualTo(MPI.UNDEFINED);
    assertThat(status.Get_count(MPI.INT2)).isEqualTo(MPI.UNDEFINED);
    assertThat(status.Get_elements(MPI.INT2)).isEqualTo(5);
    assertThat(status.numEls).isEqualTo(5);
    assertThat(status.Get_count(MPI.LONG)).isEqualTo(MPI.UNDEFINED);
    all.Send(numbers(0, 6), 0, 3, MPI.INT2, peer, 0);
    assertThat(all.Recv(got, 0, 5, MPI.INT2, peer, 0).Get_count(MPI.INT2)).isEqualTo(3);
    Calls.fails("datatype is null", () -> status.Get_count(null));
    Calls.fails("datatype is null", () -> status.Get_elements(null));
    assertThat(status.Get_elements(MPI.LB)).isEqualTo(MPI.UNDEFINED);
    assertThat(new Status().Get_count(MPI.LB)).isZero();
  }

  private void tooLong() {
    int[] got = {0, 0, -1};
    all.Send(numbers(1, 3), 0, 3, MPI.INT, peer, 0);
    assertThatThrownBy(() -> all.Recv(got, 0, 2, MPI.INT, peer, 0))
        .isInstanceOf(MPIException.class)
        .hasMessageContaining("has 12 bytes, its receive has room for 8")
        .hasCauseInstanceOf(TruncatedException.class);
    assertThat(got).containsExactly(1, 2, -1);
    all.Send(new Object[] {1, 2}, 0, 2, MPI.OBJECT, peer, 0);
    Calls.fails(
        "2 objects, its receive has room for 1",
        () -> all.Recv(new Object[1], 0, 1, MPI.OBJECT, peer, 0));
    all.Send(new Object[] {1, 2}, 0, 2, MPI.OBJECT, peer, 0);
    Calls.fails(
        "holds objects: receive it with MPI.OBJECT",
        () -> all.Recv(new byte[1000], 0, 1000, MPI.BYTE, peer, 0));
    all.Send(numbers(1, 3), 0, 3, MPI.INT, peer, 0);
    Calls.fails("holds no objects", () -> all.Recv(new Object[1], 0, 1, MPI.OBJECT, peer, 0));
  }

  private void both() {
    int[] got = new int[LARGE];
    Status status =
        all.Sendrecv(
            numbers(rank, LARGE),
            0,
            LARGE,
            MPI.INT,
            peer,
            rank,
            got,
            0,
            LARGE,
            MPI.INT,
            peer,
            peer);
    assertThat(status.Get_count(MPI.INT)).isEqualTo(LARGE);
    assertThat(got).isEqualTo(numbers(peer, LARGE));
    int[] replaced = numbers(rank, HUGE);
    all.Sendrecv_replace(replaced, 0, HUGE, MPI.INT, peer, 0, peer, 0);
    assertThat(replaced).isEqualTo(numbers(peer, HUGE));
    Object[] one = {new Name("a", rank)};
    all.Sendrecv_replace(one, 0, 1, MPI.OBJECT, peer, 0, peer, 0);
    assertThat(one[0]).isEqualTo(new Name("a", peer));
  }

  /** Is over when the receive is there, and not before, though the message is. */
  private void synchronous() throws Exception {
    int[] got = new int[3];
    AtomicBoolean isOver = new AtomicBoolean();
    Request begun = all.Issend(numbers(rank, 1), 0, 1, MPI.INT, peer, 1);
    Prequest persistent = all.Ssend_init(numbers(rank, 1), 0, 1, MPI.INT, peer, 2);
    persistent.Start();
    Thread waits =
        Thread.ofPlatform()
            .start(
                () -> {
                  all.Ssend(numbers(rank, 1), 0, 1, MPI.INT, peer, 3);
                  isOver.set(true);
                });
    for (int tag = 1; tag < 4; tag++) {
      assertThat(all.Probe(peer, tag).Get_count(MPI.INT)).isEqualTo(1);
    }
    all.Barrier(); // the messages are there, at all
    assertThat(begun.Test()).isNull();
    assertThat(persistent.Test()).isNull();
    assertThat(isOver).isFalse();
    all.Barrier();
    for (int tag = 1; tag < 4; tag++) {
      all.Recv(got, tag - 1, 1, MPI.INT, peer, tag);
    }
    Request.Waitall(new Request[] {begun, persistent});
    waits.join();
    assertThat(got).containsOnly(peer);
  }

  /** Its receive fails; what it sends is the program's again no sooner than it was received. */
  private void sentThoughNotReceived() throws Exception {
    int[] large = numbers(rank, LARGE);
    int[] got = new int[LARGE];
    AtomicBoolean isOver = new AtomicBoolean();
    all.Send(large, 0, 2, MPI.INT, peer, 2);
    Thread other = Thread.ofPlatform().start(() -> receiveLater(isOver, got));
    Calls.fails(
        "has 8 bytes, its receive has room for 4",
        () -> all.Sendrecv(large, 0, LARGE, MPI.INT, peer, 1, new int[1], 0, 1, MPI.INT, peer, 2));
    Arrays.fill(large, -1);
    isOver.set(true);
    other.join();
    assertThat(got).isEqualTo(numbers(peer, LARGE));
  }

  private void receiveLater(AtomicBoolean isOver, int[] got) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
    while (!isOver.get() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    all.Recv(got, 0, LARGE, MPI.INT, peer, 1);
  }

  /** A column goes to a row, at once and by pieces. */
  private void derived() {
    for (int rows : new int[] {3, 30_000}) {
      double[] matrix = new double[5 * rows];
      Arrays.setAll(matrix, i -> rank + i);
      Datatype column = Datatype.Vector(rows, 1, 5, MPI.DOUBLE);
      column.Commit();
      double[] row = new double[rows];
      all.Sendrecv(matrix, 2, 1, column, peer, 0, row, 0, rows, MPI.DOUBLE, peer, 0);
      for (int i = 0; i < rows; i++) {
        assertThat(row[i]).isEqualTo(peer + 5.0 * i + 2);
      }
      double[] back = new double[5 * rows];
      all.Sendrecv(row, 0, rows, MPI.DOUBLE, peer, 0, back, 4, 1, column, peer, 0);
      for (int i = 0; i < back.length; i++) {
        assertThat(back[i]).isEqualTo(i % 5 == 4 ? rank + 5.0 * (i / 5) + 2 : 0);
      }
    }
  }

  /** A type need not have elements; a message of it has no bytes. */
  private void nothing() {
    Datatype type = Datatype.Struct(new int[0], new int[0], new Datatype[0]);
    type.Commit();
    int[] got = {7};
    Status status = all.Sendrecv(got, 0, 100, type, peer, 0, got, 0, 100, type, peer, 0);
    assertThat(got).containsExactly(7);
    assertThat(status.Get_count(type)).isZero();
    all.Bcast(got, 0, 1, type, 0);
    Calls.fails("no elements to reduce", () -> all.Allreduce(got, 0, got, 0, 1, type, MPI.SUM));
  }

  private void memory() {
    int[][] rows = {{rank}, {}, {rank + 1, rank + 2}};
    IntBuffer direct = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder()).asIntBuffer();
    all.Sendrecv(rows, 0, 3, MPI.INT, peer, 0, direct, 1, 3, MPI.INT, peer, 0);
    assertThat(direct.get(1)).isEqualTo(peer);
    assertThat(direct.get(3)).isEqualTo(peer + 2);
    boolean[] truths = new boolean[3];
    all.Sendrecv(
        new boolean[] {true, false, true},
        0,
        3,
        MPI.BOOLEAN,
        peer,
        0,
        truths,
        0,
        3,
        MPI.BOOLEAN,
        peer,
        0);
    assertThat(truths).containsExactly(true, false, true);
  }

  private void objects() {
    Object[] sent = {new Name("x", rank), new double[LARGE / 4], null, new int[][] {{rank}, null}};
    Object[] got = new Object[7];
    Request receive = all.Irecv(got, 1, 6, MPI.OBJECT, peer, 0);
    all.Send(sent, 0, 4, MPI.OBJECT, peer, 0);
    Status status = receive.Wait();
    assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(4);
    assertThat(got[1]).isEqualTo(new Name("x", peer));
    assertThat((double[]) got[2]).hasSize(LARGE / 4);
    assertThat(((int[][]) got[4])[0][0]).isEqualTo(peer);
    Datatype every = Datatype.Vector(2, 1, 2, MPI.OBJECT);
    every.Commit();
    Request send = all.Isend(sent, 1, 1, every, peer, 0);
    assertThat(all.Probe(peer, 0).Get_count(MPI.OBJECT)).isEqualTo(2);
    Object[] pair = new Object[2];
    all.Recv(pair, 0, 2, MPI.OBJECT, peer, 0);
    assertThat(pair[1]).isInstanceOf(int[][].class);
    send.Wait();
    Calls.fails(
        "java.lang.Object", () -> all.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, peer, 0));
  }

  private void packed() {
    Datatype every = Datatype.Vector(2, 1, 2, MPI.SHORT);
    every.Commit();
    byte[] buffer = new byte[all.Pack_size(2, MPI.INT) + all.Pack_size(1, every) + 400];
    int at = all.Pack(new int[] {9, rank, 8}, 1, 2, MPI.INT, buffer, 0);
    at = all.Pack(new Object[] {"text"}, 0, 1, MPI.OBJECT, buffer, at);
    at = all.Pack(new short[] {1, 2, 3}, 0, 1, every, buffer, at);
    byte[] got = new byte[buffer.length];
    all.Sendrecv(buffer, 0, at, MPI.PACKED, peer, 0, got, 0, got.length, MPI.PACKED, peer, 0);
    int[] ints = new int[2];
    Object[] text = new Object[1];
    short[] shorts = new short[3];
    int end = all.Unpack(got, 0, ints, 0, 2, MPI.INT);
    assertThat(end).isEqualTo(8);
    end = all.Unpack(got, end, text, 0, 1, MPI.OBJECT);
    end = all.Unpack(got, end, shorts, 0, 1, every);
    assertThat(end).isEqualTo(at);
    assertThat(ints).containsExactly(peer, 8);
    assertThat(text[0]).isEqualTo("text");
    assertThat(shorts).containsExactly((short) 1, (short) 0, (short) 3);
    Calls.fails(
        "8 bytes at position 393 of a buffer of 400",
        () -> all.Pack(ints, 0, 2, MPI.INT, new byte[400], 393));
    Calls.fails("4 bytes at position -1", () -> all.Unpack(got, -1, ints, 0, 1, MPI.INT));
    Calls.fails("objects have no size", () -> all.Pack_size(1, MPI.OBJECT));
    Calls.fails("count is -1", () -> all.Pack_size(-1, MPI.INT));
    Calls.fails("output buffer is null", () -> all.Pack(ints, 0, 1, MPI.INT, null, 0));
  }

  /** And the next call is as if nothing had been. */
  private void wrong() {
    int[] ten = new int[10];
    int size = all.Size();
    String ranks = "; there are 0 to " + (size - 1);
    Calls.fails("destination is rank " + size + ranks, () -> all.Send(ten, 0, 1, MPI.INT, size, 0));
    Calls.fails("destination is rank -1" + ranks, () -> all.Isend(ten, 0, 1, MPI.INT, -1, 0));
    Calls.fails(
        "destination is rank -2" + ranks, () -> all.Ssend(ten, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0));
    Calls.fails("source is rank " + size, () -> all.Recv(ten, 0, 1, MPI.INT, size, 0));
    Calls.fails("source is rank -1", () -> all.Probe(-1, 0));
    Calls.fails("tag is -1", () -> all.Send(ten, 0, 1, MPI.INT, peer, -1));
    Calls.fails("tag is -2", () -> all.Bsend(ten, 0, 1, MPI.INT, peer, MPI.ANY_TAG));
    Calls.fails("tag is -7", () -> all.Irecv(ten, 0, 1, MPI.INT, peer, -7));
    Calls.fails("elements 9 to 10", () -> all.Send(ten, 9, 2, MPI.INT, peer, 0));
    Calls.fails("elements 9 to 10", () -> all.Recv(ten, 9, 2, MPI.INT, MPI.PROC_NULL, 0));
    Calls.fails("a buffer is null", () -> all.Recv(null, 0, 1, MPI.INT, peer, 0));
    Calls.fails("datatype is null", () -> all.Recv(ten, 0, 1, null, peer, 0));
    Calls.fails(
        "but LONG are needed",
        () -> all.Sendrecv(ten, 0, 1, MPI.INT, peer, 0, ten, 0, 1, MPI.LONG, peer, 0));
    Calls.fails("elements 0 to 10", () -> all.Send_init(ten, 0, 11, MPI.INT, peer, 0));
    Calls.fails("elements 0 to 10", () -> all.Recv_init(ten, 0, 11, MPI.INT, peer, 0));
    exchange(all::Send, 2);
  }
}
