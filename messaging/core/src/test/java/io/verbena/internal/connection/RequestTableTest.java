// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.BackPressureException;
import io.verbena.RequestTimeoutException;
import io.verbena.internal.connection.TestHost.Note;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requests find their own answers: each one has one outcome. */
@Tag("timing")
class RequestTableTest {

  private static final int SLOTS = 64;
  private static final long HOUR_NS = 3_600_000_000_000L;

  private final TestHost host = new TestHost(1);
  private final Connection peer = new Connection(host, 2);
  private final Connection other = new Connection(host, 3);
  private final RequestTable table = new RequestTable(SLOTS);

  private PendingRequest<Note> open(Connection to) {
    PendingRequest<Note> request = new PendingRequest<>(table, to, Note.class, 0);
    table.add(request);
    return request;
  }

  @Test
  void answerTakesItsRequestOnce() {
    PendingRequest<Note> request = open(peer);
    assertThat(table.take(request.id(), peer)).isSameAs(request);
    assertThat(table.take(request.id(), peer)).isNull();
    assertThat(table.remove(request)).isFalse();
    assertThat(table.size()).isZero();
  }

  @Test
  void timeoutThatWasFasterLeavesTheAnswerNothing() {
    PendingRequest<Note> request = open(peer);
    assertThat(table.remove(request)).isTrue();
    assertThat(table.take(request.id(), peer)).isNull();
  }

  /** Slots are reused after a lap; 32-bit ids would be, too. */
  @Test
  void lateAnswerMeetsNoRequestThatTookItsSlot() {
    PendingRequest<Note> late = open(peer);
    table.remove(late);
    List<PendingRequest<Note>> lap = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      lap.add(open(peer));
    }
    assertThat(table.take(late.id(), peer)).isNull();
    for (PendingRequest<Note> request : lap) {
      assertThat(table.take(request.id() + (1L << 32), peer)).isNull();
      assertThat(table.take(request.id() - (1L << 32), peer)).isNull();
      assertThat(table.take(request.id(), peer)).isSameAs(request);
    }
  }

  @Test
  void timeoutOfOneRequestLeavesTheOneInItsSlotAlone() {
    PendingRequest<Note> late = open(peer);
    table.remove(late);
    for (int i = 0; i < SLOTS; i++) {
      open(peer);
    }
    assertThat(table.remove(late)).isFalse();
    assertThat(late.cancel(false)).isTrue();
    assertThat(table.size()).isEqualTo(SLOTS);
  }

  @Test
  void idsNeverComeTwice() {
    Set<Long> ids = new HashSet<>();
    for (int i = 0; i < 10 * SLOTS; i++) {
      PendingRequest<Note> request = open(peer);
      assertThat(ids.add(request.id())).isTrue();
      if (i % 3 != 0 || table.size() == SLOTS) {
        table.remove(request);
      }
    }
  }

  @Test
  void twoLivesOfANodeStartWithDifferentIds() {
    RequestTable nextLife = new RequestTable(SLOTS);
    PendingRequest<Note> now = new PendingRequest<>(nextLife, peer, Note.class, 0);
    nextLife.add(now);
    assertThat(Math.abs(now.id() - open(peer).id())).isGreaterThan(1_000_000);
  }

  @Test
  void answerOfAnotherPeerIsNone() {
    PendingRequest<Note> request = open(peer);
    assertThat(table.take(request.id(), other)).isNull();
    assertThat(table.take(request.id(), peer)).isSameAs(request);
  }

  @Test
  void fullTableRefusesAndHasRoomAgainAfterOneOutcome() {
    PendingRequest<Note> first = open(peer);
    for (int i = 1; i < SLOTS; i++) {
      open(peer);
    }
    assertThatExceptionOfType(BackPressureException.class)
        .isThrownBy(() -> open(peer))
        .withMessageStartingWith("64 requests are open, as many as requests.max allows");
    table.remove(first);
    PendingRequest<Note> another = open(other);
    assertThat(table.take(another.id(), other)).isSameAs(another);
    assertThat(table.size()).isEqualTo(SLOTS - 1);
  }

  @Test
  void requestsAreCountedWhateverBecameOfThem() {
    for (int i = 0; i < 100; i++) {
      table.remove(open(peer));
    }
    open(peer);
    assertThat(table.opened()).isEqualTo(101);
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void cancelForgetsTheRequest() {
    PendingRequest<Note> request = open(peer);
    assertThat(request.cancel(true)).isTrue();
    assertThat(request).isCancelled();
    assertThat(table.size()).isZero();
    assertThat(table.take(request.id(), peer)).isNull();
  }

  @Test
  void futuresDerivedFromARequestAreNotIt() {
    PendingRequest<Note> request = open(peer);
    assertThat(request.thenApply(Note::number).cancel(true)).isTrue();
    assertThat(table.size()).isEqualTo(1);
    assertThat(request).isNotDone();
  }

  @Test
  void lossTakesTheRequestsOfOnePeerOnly() {
    PendingRequest<Note> lost = open(peer);
    PendingRequest<Note> kept = open(other);
    PendingRequest<Note> lostToo = open(peer);
    List<PendingRequest<?>> taken = new ArrayList<>();
    table.takeIf(request -> request.connection() == peer, taken::add);
    assertThat(taken).containsExactlyInAnyOrder(lost, lostToo);
    assertThat(table.hasAny(peer)).isFalse();
    assertThat(table.hasAny(other)).isTrue();
    assertThat(table.take(kept.id(), other)).isSameAs(kept);
  }

  // ---------------------------------------------------------------- time

  /** An open request is found among others that come and go meanwhile. */
  @Test
  void lossFindsRequestsWhileOthersAreOpened() throws InterruptedException {
    AtomicBoolean done = new AtomicBoolean();
    Thread opener =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!done.get()) {
                    table.remove(open(other));
                  }
                });
    int missed = 0;
    for (int i = 0; i < 200_000; i++) {
      PendingRequest<Note> lost = open(peer);
      List<PendingRequest<?>> taken = new ArrayList<>();
      table.takeIf(request -> request.connection() == peer, taken::add);
      missed += taken.contains(lost) ? 0 : 1;
      table.remove(lost);
    }
    done.set(true);
    opener.join();
    assertThat(missed).isZero();
  }

  private PendingRequest<Note> open(long timeoutNs) {
    PendingRequest<Note> request = new PendingRequest<>(table, peer, Note.class, timeoutNs);
    table.add(request);
    return request;
  }

  @Test
  void onlyRequestsWhoseTimeIsOverFail() {
    PendingRequest<Note> due = open(0);
    PendingRequest<Note> later = open(HOUR_NS);
    table.timeOutDue(System.nanoTime(), System.nanoTime() + HOUR_NS);
    assertThat(due)
        .failsWithin(0, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(RequestTimeoutException.class);
    assertThat(later).isNotDone();
    assertThat(table.size()).isEqualTo(1);
    assertThat(host.counter("requests.timedOut")).isEqualTo(1);
  }

  /** So the clock may sleep, however many requests are opened and answered meanwhile. */
  @Test
  void whoIsDueLaterThanTheNextLookCallsNobody() {
    AtomicInteger calls = new AtomicInteger();
    table.whenDueEarlier(calls::incrementAndGet);
    long horizonNs = System.nanoTime() + HOUR_NS;
    table.timeOutDue(System.nanoTime(), horizonNs);
    for (int i = 0; i < 10 * SLOTS; i++) {
      table.remove(open(2 * HOUR_NS));
    }
    assertThat(calls).hasValue(0);
    assertThat(table.nextDueNs()).isEqualTo(horizonNs);
  }

  @Test
  void whoIsDueEarlierThanAllOthersCallsOnce() {
    AtomicInteger calls = new AtomicInteger();
    table.whenDueEarlier(calls::incrementAndGet);
    table.timeOutDue(System.nanoTime(), System.nanoTime() + 10 * HOUR_NS);
    PendingRequest<Note> first = open(2 * HOUR_NS);
    open(3 * HOUR_NS);
    assertThat(calls).hasValue(1);
    assertThat(table.nextDueNs()).isEqualTo(first.deadlineNs());
    PendingRequest<Note> earlier = open(HOUR_NS);
    assertThat(calls).hasValue(2);
    assertThat(table.nextDueNs()).isEqualTo(earlier.deadlineNs());
    table.remove(earlier);
    table.timeOutDue(System.nanoTime(), System.nanoTime() + 10 * HOUR_NS);
    assertThat(table.nextDueNs()).isEqualTo(first.deadlineNs());
  }

  /** Against a map: whatever is opened, answered and given up in whatever order. */
  @Property(tries = 200)
  void behavesAsAMapById(@ForAll @Size(max = 500) List<@IntRange(max = 999) Integer> steps) {
    Map<Long, PendingRequest<?>> model = new HashMap<>();
    List<Long> ids = new ArrayList<>();
    for (int step : steps) {
      if (step % 2 == 0 && model.size() < SLOTS) {
        PendingRequest<Note> request = open(peer);
        assertThat(model.put(request.id(), request)).isNull();
        ids.add(request.id());
      } else if (!ids.isEmpty()) {
        long id = ids.get(step % ids.size());
        assertThat(table.take(id, peer)).isSameAs(model.remove(id));
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
    table.takeIf(request -> true, request -> {});
  }
}
