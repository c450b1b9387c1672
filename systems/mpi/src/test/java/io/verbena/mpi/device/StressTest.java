// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Eight threads of each rank, in all ways of sending and receiving at once. Each message says in
 * its note who has sent it and as which, so its bytes are known, and each is counted where it
 * comes: none is lost, none comes twice, none overtakes one of the same sender and tag.
 */
class StressTest {

  private static final int RANKS = 2;
  private static final int SENDERS = 4; // of each rank; as many threads receive
  private static final int MESSAGES = 150; // of each sender to each context of each rank
  private static final int TAGS = 3;
  private static final int MOST_BYTES = 40_000;

  /** Each of the first has a receiver of its own, the last one has two at once. */
  private static final Context[] CONTEXTS = {
    Context.ofAll(11, RANKS), Context.ofAll(12, RANKS), Context.ofAll(1 << 20, RANKS)
  };

  private final AtomicLong sent = new AtomicLong(); // the sum of all prints
  private final AtomicLong received = new AtomicLong();

  /** Mixes who, what and where to a number that sums tell apart. */
  private static long print(int source, int context, Note note) {
    long mixed = note.first() * 31 + source;
    mixed = (mixed * 1_000_003 + note.second()) * 8 + context;
    mixed *= 0x9e37_79b9_7f4a_7c15L;
    return mixed ^ mixed >>> 29;
  }

  private static byte[] content(int source, Note note) {
    Random random = new Random(note.first() * 1_000_003 + note.second() * 31 + source);
    int most =
        switch (random.nextInt(8)) {
          case 0 -> MOST_BYTES;
          case 1, 2 -> 2000;
          default -> 64;
        };
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"shm, 65536", "tcp, 65536", "shm, 67108864"})
  void allWaysAtOnce(String transport, int unexpectedBytes) throws Exception {
    DeviceOptions options =
        DeviceOptions.DEFAULTS.withUnexpectedBytes(unexpectedBytes).withEagerBytes(1024);
    try (Ranks ranks = new Ranks(RANKS, transport, options)) {
      List<Future<Void>> threads = new ArrayList<>();
      for (int rank = 0; rank < RANKS; rank++) {
        for (int i = 0; i < SENDERS; i++) {
          int thread = i;
          threads.add(ranks.start(rank, device -> new Sending(device, thread).run()));
        }
        AtomicInteger left = new AtomicInteger(RANKS * SENDERS * MESSAGES);
        threads.add(ranks.start(rank, device -> new Receiving(device, 0, fresh()).run()));
        threads.add(ranks.start(rank, device -> new Receiving(device, 1, fresh()).run()));
        threads.add(ranks.start(rank, device -> new Receiving(device, 2, left).run()));
        threads.add(ranks.start(rank, device -> new Receiving(device, 2, left).run()));
      }
      Ranks.joinAll(threads);
      assertThat(received).hasValue(sent.get());
      for (Device device : ranks.devices) {
        assertThat(device.unexpected()).isZero();
        assertThat(device.iprobe(CONTEXTS[0], Device.ANY_SOURCE, Device.ANY_TAG)).isEmpty();
      }
    }
  }

  private static AtomicInteger fresh() {
    return new AtomicInteger(RANKS * SENDERS * MESSAGES);
  }

  /** A thread that sends. */
  private final class Sending {
    private final Device device;
    private final int thread;
    private final Random random;
    private final Queue<SendRequest> open = new ArrayDeque<>();

    Sending(Device device, int thread) {
      this.device = device;
      this.thread = thread;
      this.random = new Random(10 * device.rank() + thread);
    }

    void run() throws InterruptedException {
      for (int i = 0; i < MESSAGES; i++) {
        for (int to = 0; to < RANKS; to++) {
          for (int context = 0; context < CONTEXTS.length; context++) {
            send(context, to, i);
          }
        }
      }
      finish(0);
    }

    private void send(int context, int to, int number) throws InterruptedException {
      Note note = new Note(thread, number);
      sent.addAndGet(print(device.rank(), context, note));
      boolean isSynchronous = random.nextBoolean();
      Layout from = Ranks.room(content(device.rank(), note));
      open.add(device.send(CONTEXTS[context], to, number % TAGS, from, isSynchronous, note));
      finish(random.nextInt(8)); // 0: as a blocking send
    }

    private void finish(int most) throws InterruptedException {
      while (open.size() > most) {
        if (random.nextBoolean()) {
          int done = device.awaitAny(new ArrayList<>(open));
          assertThat(new ArrayList<>(open).get(done).isDone()).isTrue();
        }
        device.await(open.remove());
      }
    }
  }

  /** A thread that receives all messages of a context, or, beside others, some. */
  private final class Receiving {
    private final Device device;
    private final int context;
    private final AtomicInteger left;
    private final boolean isAlone;
    private final Random random;
    private final Map<List<Integer>, Long> latest = new HashMap<>();

    /** Receives that are not looked at yet, in the order in which they were posted. */
    private final Queue<Runnable> posted = new ArrayDeque<>();

    Receiving(Device device, int context, AtomicInteger left) {
      this.device = device;
      this.context = context;
      this.left = left;
      this.isAlone = context < 2;
      this.random = new Random(100 + 10 * device.rank() + context);
    }

    void run() throws InterruptedException {
      while (left.getAndDecrement() > 0) {
        receive();
        finish(random.nextInt(6));
      }
      finish(0);
    }

    private void finish(int most) {
      while (posted.size() > most) {
        posted.remove().run();
      }
    }

    private Context in() {
      return CONTEXTS[context];
    }

    private void receive() throws InterruptedException {
      switch (random.nextInt(isAlone ? 5 : 4)) {
        case 0 -> post();
        case 1 -> receiveUnlessCancelled();
        case 2 -> take(device.mprobe(in(), Device.ANY_SOURCE, Device.ANY_TAG));
        case 3 -> takeByLooking();
        default -> probe();
      }
    }

    private void post() {
      byte[] into = new byte[MOST_BYTES];
      expect(device.irecv(in(), Device.ANY_SOURCE, Device.ANY_TAG, Ranks.room(into)), into);
    }

    private void receiveUnlessCancelled() throws InterruptedException {
      byte[] into = new byte[MOST_BYTES];
      ReceiveRequest receive;
      do {
        receive = device.irecv(in(), Device.ANY_SOURCE, Device.ANY_TAG, Ranks.room(into));
        boolean unused = device.test(receive);
      } while (device.cancel(receive));
      assertThat(receive.isCancelled()).isFalse();
      expect(receive, into);
    }

    private void take(Message message) {
      byte[] into = new byte[(int) message.status().bytes()];
      expect(device.irecv(message, Ranks.room(into)), into);
    }

    private void takeByLooking() throws InterruptedException {
      Optional<Message> found;
      do {
        found = device.improbe(in(), Device.ANY_SOURCE, Device.ANY_TAG);
      } while (found.isEmpty());
      take(found.get());
    }

    /** Who finds a message by a probe gets that one, if nobody else receives. */
    private void probe() throws InterruptedException {
      finish(0); // a receive that is posted might get it
      Status found = device.probe(in(), Device.ANY_SOURCE, Device.ANY_TAG);
      if (random.nextBoolean()) {
        assertThat(device.iprobe(in(), found.source(), found.tag())).contains(found);
      }
      byte[] into = new byte[(int) found.bytes()];
      int source = random.nextBoolean() ? found.source() : Device.ANY_SOURCE;
      ReceiveRequest receive = device.irecv(in(), source, found.tag(), Ranks.room(into));
      if (source == found.source()) {
        assertThat(receive.isDone() ? receive.status() : found).isEqualTo(found);
      }
      expect(receive, into);
    }

    private void expect(ReceiveRequest receive, byte[] into) {
      posted.add(
          () -> {
            try {
              device.await(receive);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            check(receive.status(), into);
          });
    }

    private void check(Status status, byte[] into) {
      Note note = status.note();
      received.addAndGet(print(status.source(), context, note));
      byte[] content = content(status.source(), note);
      assertThat(status.bytes()).isEqualTo(content.length);
      assertThat(Arrays.equals(into, 0, content.length, content, 0, content.length)).isTrue();
      assertThat(note.second() % TAGS).isEqualTo(status.tag());
      if (isAlone) {
        List<Integer> stream = List.of(status.source(), (int) note.first(), status.tag());
        Long before = latest.put(stream, note.second());
        assertThat(before == null ? -1 : before).isLessThan(note.second());
      }
    }
  }
}
