// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is begun, and how its end is told, between two neighbours. */
final class RequestCalls {

  private final Intracomm all = MPI.COMM_WORLD;
  private final int rank = all.Rank();
  private final int peer = (rank ^ 1) < all.Size() ? rank ^ 1 : rank;
  private final int[] got = new int[3];

  void all() throws Exception {
    ofNull();
    any();
    all3();
    some();
    failed();
    cancelled();
    persistent();
    interrupted();
  }

  /** Null, a receive of each of the tags 0 to 2, and the one that is null by its own. */
  private Request[] receives() {
    Request[] requests = new Request[5];
    for (int tag = 0; tag < 3; tag++) {
      requests[1 + tag] = all.Irecv(got, tag, 1, MPI.INT, peer, tag);
    }
    requests[4] = MPI.REQUEST_NULL;
    return requests;
  }

  private void send(int tag) {
    all.Send(new int[] {10 * rank + tag}, 0, 1, MPI.INT, peer, tag);
  }

  private void ofNull() {
    Request[] none = {null, MPI.REQUEST_NULL};
    assertThat(MPI.REQUEST_NULL.Is_null()).isTrue();
    assertThat(MPI.REQUEST_NULL.Wait().index).isEqualTo(MPI.UNDEFINED);
    assertThat(MPI.REQUEST_NULL.Test()).isNotNull();
    assertThat(Request.Waitany(none).index).isEqualTo(MPI.UNDEFINED);
    assertThat(Request.Testany(none).index).isEqualTo(MPI.UNDEFINED);
    assertThat(Request.Waitall(none)).hasSize(2);
    assertThat(Request.Testall(none)).hasSize(2);
    assertThat(Request.Waitsome(none)).isNull();
    assertThat(Request.Testsome(none)).isEmpty();
    assertThat(Request.Waitall(new Request[0])).isEmpty();
    Calls.fails("array of requests is null", () -> Request.Waitany(null));
    Calls.fails("null or inactive", MPI.REQUEST_NULL::Cancel);
  }

  private void any() {
    Request[] requests = receives();
    assertThat(Request.Testany(requests)).isNull();
    all.Barrier();
    for (int tag : new int[] {2, 0, 1}) {
      send(tag);
      Status status = Request.Waitany(requests);
      assertThat(status.index).isEqualTo(1 + tag);
      assertThat(status.tag).isEqualTo(tag);
      assertThat(requests[1 + tag].Is_null()).isTrue();
      assertThat(requests[1 + tag].Wait().source).isEqualTo(MPI.ANY_SOURCE);
      all.Barrier(); // nobody sends the next one before
    }
    assertThat(got).containsExactly(10 * peer, 10 * peer + 1, 10 * peer + 2);
    assertThat(Request.Waitany(requests).index).isEqualTo(MPI.UNDEFINED);
  }

  private void all3() {
    Request[] requests = receives();
    send(1);
    assertThat(requests[2].Is_null()).isFalse();
    assertThat(Request.Testall(requests)).isNull();
    all.Barrier();
    send(0);
    send(2);
    Status[] statuses = Request.Waitall(requests);
    for (int i = 0; i < 5; i++) {
      assertThat(statuses[i].index).isEqualTo(i);
      assertThat(statuses[i].tag).isEqualTo(i > 0 && i < 4 ? i - 1 : MPI.ANY_TAG);
    }
    Request one = all.Irecv(got, 0, 1, MPI.INT, peer, 0);
    send(0);
    Status[] tested = null;
    while (tested == null) {
      tested = Request.Testall(new Request[] {one});
    }
    assertThat(tested[0].source).isEqualTo(peer);
  }

  private void some() {
    Request[] requests = receives();
    assertThat(Request.Testsome(requests)).isEmpty();
    all.Barrier();
    send(2);
    send(1);
    List<Integer> done = new ArrayList<>();
    while (done.size() < 2) {
      Arrays.stream(Request.Waitsome(requests)).forEach(status -> done.add(status.index));
    }
    assertThat(done).containsExactlyInAnyOrder(2, 3);
    all.Barrier(); // nobody sends the last one before
    send(0);
    Status[] last = {};
    while (last.length == 0) {
      last = Request.Testsome(requests);
    }
    assertThat(last[0].index).isEqualTo(1);
    assertThat(Request.Waitsome(requests)).isNull();
  }

  /** One message is too long; the others are received all the same. */
  private void failed() {
    Request[] requests = receives();
    all.Send(new int[2], 0, 2, MPI.INT, peer, 1);
    send(0);
    send(2);
    Calls.fails("has 8 bytes, its receive has room for 4", () -> Request.Waitall(requests));
    assertThat(got[2]).isEqualTo(10 * peer + 2);
    for (int i = 1; i < 4; i++) {
      assertThat(requests[i].Is_null()).isTrue();
    }
  }

  private void cancelled() {
    Request receive = all.Irecv(got, 0, 1, MPI.INT, peer, 0);
    receive.Cancel();
    assertThat(receive.Is_null()).isFalse();
    assertThat(receive.Wait().Test_cancelled()).isTrue();
    all.Barrier();
    send(0);
    assertThat(all.Recv(got, 0, 1, MPI.INT, peer, 0).source).isEqualTo(peer);
    Request send = all.Isend(got, 0, 1, MPI.INT, peer, 4);
    send.Cancel();
    assertThat(send.Wait().Test_cancelled()).isFalse();
    all.Recv(got, 1, 1, MPI.INT, peer, 4);
    Request freed = all.Irecv(got, 2, 1, MPI.INT, peer, 2);
    freed.Free();
    assertThat(freed.Is_null()).isTrue();
    send(2); // goes to the freed one
    send(1);
    all.Recv(got, 1, 1, MPI.INT, peer, 1);
    assertThat(got[2]).isEqualTo(10 * peer + 2);
  }

  private void persistent() {
    int[] sent = new int[1];
    MPI.Buffer_attach(new byte[10_000]);
    Prequest receive = all.Recv_init(got, 0, 1, MPI.INT, peer, 6);
    assertThat(receive.Is_null()).isFalse();
    assertThat(receive.Wait().source).as("inactive").isEqualTo(MPI.ANY_SOURCE);
    for (Prequest send :
        new Prequest[] {
          all.Send_init(sent, 0, 1, MPI.INT, peer, 6),
          all.Ssend_init(sent, 0, 1, MPI.INT, peer, 6),
          all.Rsend_init(sent, 0, 1, MPI.INT, peer, 6),
          all.Bsend_init(sent, 0, 1, MPI.INT, peer, 6)
        }) {
      for (int time = 0; time < 3; time++) {
        sent[0] = 100 * rank + time;
        Prequest.Startall(new Prequest[] {receive, send});
        Calls.fails("the request is active", receive::Start);
        assertThat(Request.Waitall(new Request[] {receive, send})[0].source).isEqualTo(peer);
        assertThat(got[0]).isEqualTo(100 * peer + time);
      }
      send.Free();
      assertThat(send.Is_null()).isTrue();
      Calls.fails("was freed", send::Start);
    }
    Prequest copied = all.Bsend_init(sent, 0, 1, MPI.INT, peer, 6);
    sent[0] = rank;
    copied.Start();
    sent[0] = -1;
    assertThat(copied.Test()).as("done, though nobody receives yet").isNotNull();
    all.Recv(got, 0, 1, MPI.INT, peer, 6);
    assertThat(got[0]).isEqualTo(peer);
    MPI.Buffer_detach();
    receive.Free();
    freedTypes();
    Calls.fails("a request to start is null", () -> Prequest.Startall(new Prequest[1]));
  }

  /** A datatype that is freed stays with the requests that were made with it. */
  private void freedTypes() {
    Datatype pair = Datatype.Contiguous(2, MPI.INT);
    pair.Commit();
    Prequest receive = all.Recv_init(got, 1, 1, pair, peer, 6);
    Prequest send = all.Send_init(new int[] {rank, 7}, 0, 1, pair, peer, 6);
    pair.free();
    for (int time = 0; time < 2; time++) {
      got[1] = -1;
      Prequest.Startall(new Prequest[] {receive, send});
      assertThat(Request.Waitall(new Request[] {receive, send})[0].count).isEqualTo(1);
      assertThat(got[1]).isEqualTo(peer);
      assertThat(got[2]).isEqualTo(7);
    }
    Calls.fails("was freed", () -> all.Recv_init(got, 1, 1, pair, peer, 6));
  }

  /** A wait that is interrupted leaves its request as it is. */
  private void interrupted() {
    Request receive = all.Irecv(got, 0, 1, MPI.INT, peer, 3);
    Thread.currentThread().interrupt();
    Calls.fails("interrupted", receive::Wait);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(receive.Is_null()).isFalse();
    all.Barrier();
    send(3);
    assertThat(receive.Wait().source).isEqualTo(peer);
    interruptedThoughOneIsDone();
  }

  /** What that one has ended with is told afterwards. */
  private void interruptedThoughOneIsDone() {
    got[0] = -1;
    Request[] requests = receives();
    send(0);
    while (got[0] < 0) {
      assertThat(all.Iprobe(peer, 4)).isNull();
    }
    Thread.currentThread().interrupt();
    Calls.fails("interrupted", () -> Request.Waitall(requests));
    assertThat(Thread.interrupted()).isTrue();
    all.Barrier();
    send(1);
    send(2);
    assertThat(Request.Waitall(requests)[1].source).isEqualTo(peer);
  }
}
