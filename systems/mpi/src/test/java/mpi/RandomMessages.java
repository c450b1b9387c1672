// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Messages that members of a communicator send each other in all modes, and receive with or without
 * wildcards. Which message a receive may get is said by a model: of each source the first one that
 * matches and that no earlier receive has got (MPI 4.1, section 3.5). In one round all receives of
 * a member have the same wildcards, so none can take what another one needs.
 */
final class RandomMessages {

  private static final int TAGS = 3;

  /** What each message begins with is its number here. */
  private record Message(int number, int from, int to, int tag, int length) {}

  /** A receive; its request is null where it is over. */
  private record Receive(int source, int tag, Laid laid, Object buffer, int offset) {
    boolean matches(Message message) {
      return (source == MPI.ANY_SOURCE || source == message.from)
          && (tag == MPI.ANY_TAG || tag == message.tag);
    }
  }

  private final Intracomm comm;
  private final int rank;
  private final Random common; // the same at all members
  private final Random own;
  private final Datatype basic;
  private final int salt;
  private final List<Message> messages = new ArrayList<>();
  private final List<Receive> receives = new ArrayList<>();
  private final List<Request> sends = new ArrayList<>();

  RandomMessages(Intracomm comm, Random common) {
    this.comm = comm;
    this.rank = comm.Rank();
    this.common = common;
    this.own = new Random(common.nextLong() + rank);
    List<Datatype> types = new ArrayList<>(Laid.NUMBERS);
    types.add(MPI.OBJECT);
    this.basic = types.get(common.nextInt(types.size()));
    this.salt = common.nextInt(100);
  }

  void run() {
    draw();
    drawReceives();
    if (common.nextBoolean()) {
      receivesFirst();
    } else {
      sendsFirst();
    }
    comm.Barrier(); // else a wildcard could take a message of the next round
    ring();
  }

  private void draw() {
    int size = comm.Size();
    int most = common.nextInt(10) == 0 ? 20_000 : 40;
    for (int i = common.nextInt(4 * size); i >= 0; i--) {
      int to = common.nextInt(12) == 0 ? MPI.PROC_NULL : common.nextInt(size);
      int length = 1 + common.nextInt(basic == MPI.OBJECT ? 40 : most);
      messages.add(
          new Message(messages.size(), common.nextInt(size), to, common.nextInt(TAGS), length));
    }
  }

  private void drawReceives() {
    boolean isAnySource = own.nextBoolean();
    boolean isAnyTag = own.nextBoolean();
    List<Message> mine =
        new ArrayList<>(messages.stream().filter(each -> each.to == rank).toList());
    int most = mine.stream().mapToInt(Message::length).max().orElse(0);
    Collections.shuffle(mine, own);
    for (Message each : mine) {
      int source = isAnySource ? MPI.ANY_SOURCE : each.from;
      int tag = isAnyTag ? MPI.ANY_TAG : each.tag;
      Laid laid = Laid.random(own, basic);
      int offset = own.nextInt(3);
      receives.add(new Receive(source, tag, laid, laid.arrayFor(offset, most), offset));
    }
  }

  private int room(Receive receive) {
    return (Array.getLength(receive.buffer) - receive.offset - 2) / receive.laid.extent();
  }

  // ---------------------------------------------------------------- sends

  private void send(boolean mayWait) {
    for (Message each : messages) {
      if (each.from == rank) {
        Laid laid = Laid.random(own, basic, each.length);
        int offset = own.nextInt(3);
        Object buffer = laid.arrayFor(offset, each.length);
        laid.fill(buffer, offset, each.length, i -> value(each.number, i));
        send(each, buffer, offset, laid.count(each.length), laid.type(), mayWait);
      }
    }
  }

  private int value(int number, int i) {
    return i == 0 ? number : (salt + 5 * number + i) % 100;
  }

  private void send(Message of, Object buffer, int at, int n, Datatype type, boolean mayWait) {
    int to = of.to;
    int tag = of.tag;
    switch (own.nextInt(mayWait ? 11 : 7)) {
      case 0 -> sends.add(comm.Isend(buffer, at, n, type, to, tag));
      case 1 -> sends.add(comm.Issend(buffer, at, n, type, to, tag));
      case 2 -> sends.add(comm.Ibsend(buffer, at, n, type, to, tag));
      case 3 -> comm.Bsend(buffer, at, n, type, to, tag);
      case 4 -> started(comm.Send_init(buffer, at, n, type, to, tag));
      case 5 -> started(comm.Ssend_init(buffer, at, n, type, to, tag));
      case 6 -> started(comm.Bsend_init(buffer, at, n, type, to, tag));
      case 7 -> comm.Send(buffer, at, n, type, to, tag);
      case 8 -> comm.Ssend(buffer, at, n, type, to, tag);
      case 9 -> comm.Rsend(buffer, at, n, type, to, tag);
      default -> sends.add(comm.Irsend(buffer, at, n, type, to, tag));
    }
  }

  private void started(Prequest send) {
    send.Start();
    sends.add(send);
  }

  // ---------------------------------------------------------------- receives

  private void receivesFirst() {
    Request[] requests = new Request[receives.size()];
    for (int i = 0; i < requests.length; i++) {
      Receive each = receives.get(i);
      if (own.nextInt(4) == 0) {
        Prequest persistent =
            comm.Recv_init(
                each.buffer, each.offset, room(each), each.laid.type(), each.source, each.tag);
        persistent.Start();
        requests[i] = persistent;
      } else {
        requests[i] =
            comm.Irecv(
                each.buffer, each.offset, room(each), each.laid.type(), each.source, each.tag);
      }
    }
    comm.Barrier(); // before what may only be sent to receives that are there
    send(true);
    Status[] statuses = new Status[requests.length];
    for (int left = requests.length; left > 0; ) {
      left -= end(requests, statuses);
    }
    assertThat(Request.Waitany(requests).index).isEqualTo(MPI.UNDEFINED);
    Request.Waitall(sends.toArray(Request[]::new));
    check(statuses);
  }

  /** Looks at the requests in one of all ways; how many have ended by that. */
  private int end(Request[] requests, Status[] statuses) {
    Status[] ended =
        switch (own.nextInt(7)) {
          case 0 -> Request.Waitall(requests);
          case 1 -> Request.Testall(requests);
          case 2 -> Request.Waitsome(requests);
          case 3 -> Request.Testsome(requests);
          case 4 -> new Status[] {Request.Waitany(requests)};
          case 5 -> one(Request.Testany(requests));
          default -> one(requests, own.nextInt(requests.length));
        };
    int count = 0;
    for (Status each : ended == null ? new Status[0] : ended) {
      if (each.source != MPI.ANY_SOURCE) { // else it had ended before
        assertThat(statuses[each.index]).isNull();
        statuses[each.index] = each;
        count++;
      }
    }
    return count;
  }

  private static Status[] one(Status status) {
    return status == null ? new Status[0] : new Status[] {status};
  }

  private Status[] one(Request[] requests, int at) {
    Status status = own.nextBoolean() ? requests[at].Test() : requests[at].Wait();
    if (status != null) {
      status.index = at;
    }
    return one(status);
  }

  /** Nobody waits for a receive, so each receive may wait for its message. */
  private void sendsFirst() {
    send(false);
    Status[] statuses = new Status[receives.size()];
    for (int i = 0; i < statuses.length; i++) {
      Receive each = receives.get(i);
      Status found = found(each);
      statuses[i] =
          comm.Recv(
              each.buffer,
              each.offset,
              room(each),
              each.laid.type(),
              found == null ? each.source : found.source,
              found == null ? each.tag : found.tag);
      if (found != null) {
        assertThat(found.Get_elements(basic)).isEqualTo(statuses[i].Get_elements(basic));
      }
    }
    Request.Waitall(sends.toArray(Request[]::new));
    check(statuses);
  }

  private Status found(Receive by) {
    Status found = null;
    switch (own.nextInt(3)) {
      case 0 -> found = comm.Probe(by.source, by.tag);
      case 1 -> {
        while (found == null) {
          found = comm.Iprobe(by.source, by.tag);
        }
      }
      default -> {}
    }
    return found;
  }

  // ---------------------------------------------------------------- the model

  private void check(Status[] statuses) {
    List<Message> left = new ArrayList<>(messages.stream().filter(m -> m.to == rank).toList());
    for (int i = 0; i < statuses.length; i++) {
      Receive receive = receives.get(i);
      Status status = statuses[i];
      Message first =
          left.stream()
              .filter(m -> m.from == status.source && receive.matches(m))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no message for " + receive));
      left.remove(first);
      assertThat(status.tag).isEqualTo(first.tag);
      check(receive, first, status);
    }
    assertThat(left).isEmpty();
  }

  private void check(Receive receive, Message message, Status status) {
    Laid laid = receive.laid;
    int length = message.length;
    assertThat(status.Get_elements(laid.type())).isEqualTo(length);
    assertThat(status.Get_count(laid.type()))
        .isEqualTo(length % laid.of() == 0 ? length / laid.of() : MPI.UNDEFINED);
    Object expected = laid.array(Array.getLength(receive.buffer));
    laid.fill(expected, receive.offset, length, i -> value(message.number, i));
    Laid.check(receive.buffer, expected, message.toString());
  }

  // ---------------------------------------------------------------- all in a ring

  /** Each sends to one and receives from one; where the ring is open, to and from nobody. */
  private void ring() {
    int size = comm.Size();
    int far = common.nextInt(size);
    boolean isOpen = common.nextBoolean();
    int to = isOpen && rank + far >= size ? MPI.PROC_NULL : (rank + far) % size;
    int from = isOpen && rank < far ? MPI.PROC_NULL : (rank + size - far) % size;
    Laid laid = Laid.random(common, basic, 6);
    int n = laid.count(6);
    Object sent = laid.arrayFor(1, 6);
    laid.fill(sent, 1, 6, i -> (rank + i) % 100);
    Object expected = laid.arrayFor(1, 6);
    Status status;
    Object got;
    if (common.nextBoolean()) {
      got = laid.arrayFor(1, 6);
      status = comm.Sendrecv(sent, 1, n, laid.type(), to, 4, got, 1, n, laid.type(), from, 4);
    } else {
      got = sent;
      laid.fill(expected, 1, 6, i -> (rank + i) % 100); // stays, if nobody sends
      status = comm.Sendrecv_replace(got, 1, n, laid.type(), to, 4, from, 4);
    }
    assertThat(status.source).isEqualTo(from);
    assertThat(status.Get_elements(laid.type())).isEqualTo(from == MPI.PROC_NULL ? 0 : 6);
    if (from != MPI.PROC_NULL) {
      laid.fill(expected, 1, 6, i -> (from + i) % 100);
    }
    Laid.check(got, expected, "ring");
  }
}
