// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbena.mpi.device.Message;
import io.verbena.mpi.device.ReceiveRequest;
import io.verbena.mpi.device.SendRequest;
import io.verbena.mpi.device.Status;
import io.verbena.mpi.device.TruncatedException;
import io.verbena.testkit.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Messages between two members, in every form that communicators have. */
class CommunicatorTest {

  /** Of a message that does not leave before its receive is there. */
  private static final int LARGE = 40_000;

  private static final int ANY = Communicator.ANY_SOURCE;

  @Test
  void allModesOfSendingArrive() throws Exception {
    Worlds.run(
        2,
        world -> {
          Communicator all = world.communicator();
          int other = 1 - world.rank();
          if (world.rank() == 0) {
            world.attachBuffer(100);
            all.send(Data.of(1, 2), other, 0);
            all.ssend(Data.of(3L), other, 1);
            all.bsend(Data.of(4.5), other, 2);
            all.await(all.isend(Data.of('x'), other, 3));
            all.await(all.issend(Data.of((short) 6), other, 4));
            assertThat(world.detachBuffer()).isEqualTo(100);
          } else {
            int[] ints = new int[2];
            long[] longs = new long[1];
            double[] doubles = new double[1];
            char[] chars = new char[1];
            short[] shorts = new short[1];
            assertThat(all.recv(Data.of(ints), other, 0)).isEqualTo(new Status(0, 0, 8, null));
            all.recv(Data.of(longs), other, 1);
            all.recv(Data.of(doubles), ANY, 2);
            all.recv(Data.of(chars), ANY, Communicator.ANY_TAG);
            all.recv(Data.of(shorts), other, 4);
            assertThat(ints).containsExactly(1, 2);
            assertThat(longs).containsExactly(3);
            assertThat(doubles).containsExactly(4.5);
            assertThat(chars).containsExactly('x');
            assertThat(shorts).containsExactly((short) 6);
          }
        });
  }

  @Test
  void sectionsOfArraysAndSegmentsLeaveTheRestAlone() throws Exception {
    Worlds.run(
        1,
        world -> {
          Communicator one = world.communicator();
          float[] from = {0, 1, 2, 3, 4};
          float[] into = new float[5];
          SendRequest send = one.isend(Data.section(from, 1, 3), 0, 0);
          one.recv(Data.section(into, 2, 3), 0, 0);
          one.await(send);
          assertThat(into).containsExactly(0, 0, 1, 2, 3);
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment direct = arena.allocateFrom(ValueLayout.JAVA_INT, 7, 8, 9);
            SendRequest next = one.isend(Data.of(direct.asSlice(4)), 0, 0);
            byte[] bytes = new byte[12];
            one.recv(Data.section(bytes, 4, 8), 0, 0);
            one.await(next);
            assertThat(MemorySegment.ofArray(bytes).mismatch(direct)).isEqualTo(0); // 0, not 7
            assertThat(MemorySegment.ofArray(bytes).asSlice(4).mismatch(direct.asSlice(4)))
                .isEqualTo(-1);
          }
        });
  }

  @Test
  void whatIsSentToNobodyAndReceivedFromNobodyIsNothing() throws Exception {
    Worlds.run(
        1,
        world -> {
          Communicator one = world.communicator();
          int nobody = Communicator.PROC_NULL;
          Status nothing = new Status(nobody, Communicator.ANY_TAG, 0, null);
          int[] into = {5};
          one.send(Data.of(1), nobody, 0);
          one.ssend(Data.of(1), nobody, 0);
          one.bsend(Data.of(1), nobody, 0); // no buffer is needed
          one.sendAsync(Data.of(1), nobody, 0).join();
          assertThat(one.recv(Data.of(into), nobody, 0)).isEqualTo(nothing);
          assertThat(one.recvAsync(Data.of(into), nobody, 0).join()).isEqualTo(nothing);
          assertThat(one.sendrecv(Data.of(1), nobody, 0, Data.of(into), nobody, 0))
              .isEqualTo(nothing);
          assertThat(one.isend(Data.of(1), nobody, 0).isDone()).isTrue();
          assertThat(one.issend(Data.of(1), nobody, 0).isDone()).isTrue();
          assertThat(one.irecv(Data.of(into), nobody, 0).status()).isEqualTo(nothing);
          assertThat(one.probe(nobody, 0)).isEqualTo(nothing);
          assertThat(one.iprobe(nobody, 0)).contains(nothing);
          Message none = one.improbe(nobody, 0).orElseThrow();
          assertThat(none.status()).isEqualTo(nothing);
          assertThat(one.irecv(Data.of(into), none).status()).isEqualTo(nothing);
          assertThat(one.mprobe(nobody, 0).status()).isEqualTo(nothing);
          assertThat(into).containsExactly(5);
          assertThat(one.iprobe(ANY, Communicator.ANY_TAG)).isEmpty();
        });
  }

  /** The program may use the memory of both then. */
  @Test
  void bothHalvesAreOverWhenOneFails() throws Exception {
    Worlds.run(
        2,
        world -> {
          Communicator all = world.communicator();
          int other = 1 - world.rank();
          int[] sent = new int[LARGE];
          Arrays.fill(sent, world.rank());
          if (world.rank() == 0) {
            all.send(Data.of(1, 2), other, 0);
            int[] got = new int[LARGE];
            Await.until("the other's announcement", () -> world.device().unexpected() == 1);
            Thread.sleep(20); // in which the other one would go on
            all.recv(Data.of(got), other, 1);
            assertThat(Arrays.stream(got).distinct()).containsExactly(1);
          } else {
            assertThatExceptionOfType(TruncatedException.class)
                .isThrownBy(
                    () -> all.sendrecv(Data.of(sent), other, 1, Data.of(new int[1]), other, 0));
            Arrays.fill(sent, -1);
          }
        });
  }

  @Test
  void allPassSomethingRoundAtTheSameTime() throws Exception {
    Worlds.run(
        4,
        world -> {
          Communicator all = world.communicator();
          int[] large = new int[100_000];
          int[] from = new int[100_000];
          large[99_999] = world.rank();
          int next = (world.rank() + 1) % 4;
          int before = (world.rank() + 3) % 4;
          all.sendrecv(Data.of(large), next, 1, Data.of(from), before, 1);
          assertThat(from[99_999]).isEqualTo(before);
        });
  }

  @Test
  void probesFindAndTake() throws Exception {
    Worlds.run(
        2,
        world -> {
          Communicator all = world.communicator();
          if (world.rank() == 0) {
            all.send(Data.of(1, 2, 3), 1, 7);
            all.send(Data.of(4), 1, 7);
            all.recv(Data.empty(), 1, 0);
            return;
          }
          assertThat(all.probe(ANY, 7).bytes()).isEqualTo(12);
          Message first = all.mprobe(0, 7);
          int[] second = new int[1];
          all.recv(Data.of(second), 0, 7);
          int[] three = new int[3];
          all.await(all.irecv(Data.of(three), first));
          assertThat(second).containsExactly(4);
          assertThat(three).containsExactly(1, 2, 3);
          assertThat(all.improbe(0, 7)).isEmpty();
          all.send(Data.empty(), 0, 0);
        });
  }

  @Test
  void futuresEndWithTheirMessages() throws Exception {
    Worlds.run(
        2,
        world -> {
          Communicator all = world.communicator();
          List<CompletableFuture<?>> futures = new ArrayList<>();
          int[][] into = new int[50][50_000];
          for (int i = 0; i < 50; i++) {
            int[] from = new int[50_000];
            from[49_999] = i;
            futures.add(
                world.rank() == 0
                    ? all.sendAsync(Data.of(from), 1, i)
                    : all.recvAsync(Data.of(into[i]), 0, i));
          }
          CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
              .get(Await.LONG.toSeconds(), TimeUnit.SECONDS);
          for (int i = 0; world.rank() == 1 && i < 50; i++) {
            assertThat(into[i][49_999]).isEqualTo(i);
          }
        });
  }

  @Test
  void aCancelledFutureTakesNoMessage() throws Exception {
    Worlds.run(
        1,
        world -> {
          Communicator one = world.communicator();
          int[] cancelled = new int[1];
          int[] received = new int[1];
          CompletableFuture<Status> future = one.recvAsync(Data.of(cancelled), 0, 0);
          assertThat(future.cancel(true)).isTrue();
          SendRequest send = one.isend(Data.of(9), 0, 0);
          one.recv(Data.of(received), 0, 0);
          one.await(send);
          assertThat(received).containsExactly(9);
          assertThat(cancelled).containsExactly(0);
        });
  }

  @Test
  void aFailureIsThrownWhereTheProgramGoesOn() throws Exception {
    Worlds.run(
        1,
        world -> {
          Communicator one = world.communicator();
          SendRequest first = one.isend(Data.of(1L, 2L), 0, 0);
          SendRequest second = one.isend(Data.of(1L, 2L), 0, 0);
          assertThatExceptionOfType(TruncatedException.class)
              .isThrownBy(() -> one.recv(Data.of(new int[1]), 0, 0))
              .withMessageContaining("16 bytes");
          assertThatExceptionOfType(CompletionException.class)
              .isThrownBy(() -> one.recvAsync(Data.of(new int[1]), 0, 0).join())
              .withCauseInstanceOf(TruncatedException.class);
          one.await(first);
          one.await(second);
          assertThatIllegalArgumentException().isThrownBy(() -> one.send(Data.empty(), 1, 0));
        });
  }

  @Test
  void bufferedSendsTakeWhatTheBufferHasAndGiveItBack() throws Exception {
    Worlds.run(
        1,
        world -> {
          Communicator one = world.communicator();
          byte[] message = new byte[LARGE];
          assertThatExceptionOfType(BufferFullException.class)
              .isThrownBy(() -> one.bsend(Data.of(message), 0, 0))
              .withMessageContaining("of 0 that are attached");
          long each = LARGE + World.BUFFERED_SEND_OVERHEAD;
          world.attachBuffer(2 * each);
          assertThatIllegalStateException().isThrownBy(() -> world.attachBuffer(1));
          for (byte i = 0; i < 2; i++) {
            message[0] = i;
            one.bsend(Data.of(message), 0, 0); // stays until it is received
          }
          assertThatExceptionOfType(BufferFullException.class)
              .isThrownBy(() -> one.bsend(Data.of(message), 0, 0))
              .withMessageContaining("takes %d bytes", each)
              .withMessageContaining("%d are used", 2 * each);
          byte[] into = new byte[LARGE];
          for (byte i = 0; i < 2; i++) {
            one.recv(Data.of(into), 0, 0);
            assertThat(into[0]).isEqualTo(i);
          }
          one.bsend(Data.of(message), 0, 0);
          ReceiveRequest last = one.irecv(Data.of(into), 0, 0);
          assertThat(world.detachBuffer()).isEqualTo(2 * each);
          assertThat(last.isDone()).isTrue();
          assertThatIllegalStateException().isThrownBy(world::detachBuffer);
        });
  }

  @Test
  void attributesAreCopiedAndDeletedAsTheirKeysSay() throws Exception {
    Worlds.run(
        1,
        world -> {
          List<String> deleted = new ArrayList<>();
          Attribute<String> doubled =
              Attribute.of(
                  (from, value) -> Optional.of(value + value), (from, value) -> deleted.add(value));
          Attribute<Integer> shared = Attribute.copied();
          Attribute<Integer> own = Attribute.uncopied();
          Intracommunicator one = world.communicator();
          one.setAttribute(doubled, "a");
          one.setAttribute(doubled, "b");
          one.setAttribute(shared, 1);
          one.setAttribute(own, 2);
          assertThat(deleted).containsExactly("a");
          Intracommunicator duplicate = one.dup();
          assertThat(duplicate.attribute(doubled)).hasValue("bb");
          assertThat(duplicate.attribute(shared)).hasValue(1);
          assertThat(duplicate.attribute(own)).isEmpty();
          assertThat(one.split(0, 0).orElseThrow().attribute(shared)).isEmpty();
          duplicate.free();
          one.removeAttribute(doubled);
          one.removeAttribute(doubled);
          assertThat(deleted).containsExactly("a", "bb", "b");
          assertThat(one.attribute(doubled)).isEmpty();
        });
  }
}
