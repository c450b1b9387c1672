// SPDX-License-Identifier: Apache-2.0
package io.verbena.mpi.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Matching against a model that is as plain as MPI's rules: two lists, searched from the front. */
class MatchingTest {

  private static final Context[] CONTEXTS = {
    Context.ofAll(0, 4), Context.ofAll(7, 4), Context.ofAll(1 << 30, 4)
  };

  /** The rules, in the order of their sentences. */
  private static final class Model {
    final List<ReceiveRequest> receives = new ArrayList<>();
    final List<Arrival> arrivals = new ArrayList<>();

    static boolean accepts(ReceiveRequest receive, Head head) {
      return receive.contextId() == head.contextId()
          && (receive.wantedSource() == Device.ANY_SOURCE
              || receive.wantedSource() == head.source())
          && (receive.wantedTag() == Device.ANY_TAG || receive.wantedTag() == head.tag());
    }

    Arrival post(ReceiveRequest receive) {
      for (Arrival each : arrivals) {
        if (accepts(receive, each.head())) {
          if (receive.takes()) {
            arrivals.remove(each);
          }
          return each;
        }
      }
      receives.add(receive);
      return null;
    }

    ReceiveRequest arrive(Head head) {
      for (ReceiveRequest each : receives) {
        if (accepts(each, head)) {
          receives.remove(each);
          return each;
        }
      }
      return null;
    }
  }

  private final Matching matching = new Matching();
  private final Model model = new Model();

  @Property(tries = 300)
  void doesWhatTheRulesSay(@ForAll long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(9)) {
        case 0, 1, 2, 3 -> post(random);
        case 4, 5, 6, 7 -> arrive(random);
        default -> withdraw(random);
      }
      assertThat(matching.waiting()).hasSameElementsAs(model.receives);
      int source = random.nextInt(4);
      assertThat(matching.isWaitedFor(source))
          .isEqualTo(
              model.receives.stream()
                  .anyMatch(
                      it -> it.wantedSource() == Device.ANY_SOURCE || it.wantedSource() == source));
    }
  }

  private void post(Random random) {
    ReceiveRequest.Kind[] kinds = ReceiveRequest.Kind.values();
    int source = random.nextInt(3) == 0 ? Device.ANY_SOURCE : random.nextInt(4);
    int tag = random.nextInt(3) == 0 ? Device.ANY_TAG : random.nextInt(3);
    Context context = CONTEXTS[random.nextInt(CONTEXTS.length)];
    ReceiveRequest receive =
        new ReceiveRequest(
            context, kinds[random.nextInt(kinds.length)], source, tag, Layout.empty());
    assertThat(matching.post(receive)).isSameAs(model.post(receive));
  }

  private void arrive(Random random) {
    int contextId = CONTEXTS[random.nextInt(CONTEXTS.length)].id();
    Head head = new Head(contextId, random.nextInt(4), random.nextInt(3), 0, Slots.NONE, null);
    ReceiveRequest taker;
    do {
      taker = matching.arrive(head.contextId(), head.source(), head.tag());
      assertThat(taker).isSameAs(model.arrive(head));
    } while (taker != null && !taker.takes());
    if (taker == null) {
      Arrival arrival = Arrival.announced(head);
      matching.add(arrival);
      model.arrivals.add(arrival);
    }
  }

  private void withdraw(Random random) {
    if (model.receives.isEmpty()) {
      return;
    }
    ReceiveRequest one = model.receives.get(random.nextInt(model.receives.size()));
    assertThat(matching.withdraw(one)).isTrue();
    assertThat(matching.withdraw(one)).isFalse();
    model.receives.remove(one);
  }

  /** Programs make contexts and leave them, without a word. */
  @Test
  void contextsThatNobodyUsesAreForgotten() {
    ReceiveRequest waits = receive(Context.ofAll(5, 4), 1);
    assertThat(matching.post(waits)).isNull();
    for (int id = 6; id < 10_000; id++) {
      ReceiveRequest passing = receive(Context.ofAll(id, 4), 1);
      assertThat(matching.post(passing)).isNull();
      assertThat(matching.arrive(id, 1, 0)).isSameAs(passing);
    }
    assertThat(matching.contexts()).isLessThan(100);
    assertThat(matching.arrive(5, 1, 0)).isSameAs(waits);
  }

  private static ReceiveRequest receive(Context context, int source) {
    return new ReceiveRequest(context, ReceiveRequest.Kind.RECEIVE, source, 0, Layout.empty());
  }

  @Test
  void aNumberFindsNobodyOnceItsRequestWasTaken() {
    Slots<String> slots = new Slots<>();
    List<Long> numbers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      numbers.add(slots.put("" + i));
    }
    for (int i = 0; i < 100; i += 2) {
      assertThat(slots.take(numbers.get(i))).isEqualTo("" + i);
    }
    long again = slots.put("again");
    for (int i = 0; i < 100; i++) {
      assertThat(slots.get(numbers.get(i))).isEqualTo(i % 2 == 0 ? null : "" + i);
    }
    assertThat(slots.get(again)).isEqualTo("again");
    for (long wrong : new long[] {0, -1, 1, again + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(slots.get(wrong)).isNull();
    }
    assertThat(slots.close()).hasSize(51);
    assertThat(slots.put("late")).isEqualTo(Slots.NONE);
  }
}
