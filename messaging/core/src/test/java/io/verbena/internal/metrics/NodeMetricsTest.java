// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {

  private final NodeMetrics metrics = new NodeMetrics();

  private static final class Lane implements LaneCounters {
    private long messages;
    private long bytes;
    private long answers;

    void carry(long length) {
      messages++;
      bytes += length;
    }

    @Override
    public long messages() {
      return messages;
    }

    void answer() {
      answers++;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public long answers() {
      return answers;
    }
  }

  @Test
  void everyRareEventHasItsCounter() {
    Map<String, Consumer<NodeMetrics>> events =
        Map.ofEntries(
            Map.entry("requests.timedOut", NodeMetrics::requestTimedOut),
            Map.entry("requests.failed", NodeMetrics::requestFailed),
            Map.entry("replies.late", NodeMetrics::lateReply),
            Map.entry("handlers.failed", NodeMetrics::handlerFailed),
            Map.entry("messages.undeliverable", NodeMetrics::undeliverable),
            Map.entry("backpressure.waits", NodeMetrics::backPressureWait),
            Map.entry("overflow.messages", NodeMetrics::overflowMessage),
            Map.entry("connections.made", NodeMetrics::connectionMade),
            Map.entry("connections.lost", NodeMetrics::connectionLost),
            Map.entry("connections.resumed", NodeMetrics::connectionResumed),
            Map.entry("connections.evicted", NodeMetrics::connectionEvicted),
            Map.entry("dials.failed", NodeMetrics::dialFailed));
    events.forEach(
        (name, event) -> {
          SortedMap<String, Long> expected = metrics.snapshot();
          assertThat(expected.put(name, 1L)).as(name).isEqualTo(0L);
          event.accept(metrics);
          assertThat(metrics.snapshot()).as(name).isEqualTo(expected);
        });
  }

  @Test
  void lanesAreAddedUpWithoutBeingAsked() {
    Lane one = new Lane();
    Lane two = new Lane();
    metrics.addSent(one);
    metrics.addSent(two);
    metrics.addReceived(new Lane());
    one.carry(10);
    two.carry(7);
    two.carry(0);
    assertThat(metrics.messagesSent()).isEqualTo(3);
    assertThat(metrics.bytesSent()).isEqualTo(17);
    assertThat(metrics.messagesReceived()).isZero();
    assertThat(metrics.bytesReceived()).isZero();
  }

  @Test
  void whatARetiredLaneCarriedStaysCountedOnce() {
    Lane lane = new Lane();
    metrics.addReceived(lane);
    lane.carry(10);
    metrics.retireReceived(lane);
    metrics.retireReceived(lane);
    lane.carry(10);
    assertThat(metrics.messagesReceived()).isEqualTo(1);
    assertThat(metrics.bytesReceived()).isEqualTo(10);
    assertThat(metrics.messagesSent()).isZero();
  }

  @Test
  void laneThatWasNeverAddedIsNotCounted() {
    Lane lane = new Lane();
    lane.carry(10);
    metrics.retireSent(lane);
    assertThat(metrics.bytesSent()).isZero();
  }

  @Test
  void snapshotHasLanesAndGauge() {
    Lane lane = new Lane();
    lane.carry(5);
    metrics.addSent(lane);
    metrics.addReceived(lane);
    metrics.overflowGauge(() -> 42);
    assertThat(metrics.snapshot())
        .containsEntry("messages.sent", 1L)
        .containsEntry("bytes.sent", 5L)
        .containsEntry("messages.received", 1L)
        .containsEntry("bytes.received", 5L)
        .containsEntry("overflow.bytes", 42L);
  }

  @Test
  void whatTransportsCountIsReadWhenAsked() {
    Map<String, Long> counters = new HashMap<>();
    metrics.transportCounters(() -> counters);
    counters.put("pigeon.letters", 3L);
    counters.put("links.rejected.KEY", 2L);
    metrics.rejected("KEY");
    assertThat(metrics.snapshot())
        .containsEntry("pigeon.letters", 3L)
        .containsEntry("links.rejected.KEY", 3L)
        .containsEntry("messages.sent", 0L);
  }

  @Test
  void requestsAndAnswersAreCounted() {
    Lane open = new Lane();
    Lane gone = new Lane();
    metrics.addReceived(open);
    metrics.addReceived(gone);
    open.answer();
    gone.answer();
    gone.answer();
    metrics.retireReceived(gone);
    metrics.requestsGauge(() -> 7);
    assertThat(metrics.snapshot())
        .containsEntry("requests.sent", 7L)
        .containsEntry("requests.answered", 3L);
  }

  @Test
  void refusalsAndBreaksAreCountedByReason() {
    metrics.rejected("KEY");
    metrics.rejected("KEY");
    metrics.rejected("TYPES");
    metrics.sessionBroken("unknown type 99 at position 4711");
    metrics.sessionBroken("unknown type 12 at position 8");
    metrics.sessionBroken("17");
    assertThat(metrics.snapshot())
        .containsEntry("links.rejected.KEY", 2L)
        .containsEntry("links.rejected.TYPES", 1L)
        .containsEntry("sessions.broken.unknown-type", 2L)
        .containsEntry("sessions.broken.other", 1L);
  }

  @Test
  void peersCannotMakeUsRememberEndlesslyManyReasons() {
    for (int i = 0; i < 1000; i++) {
      metrics.rejected("reason " + i);
    }
    SortedMap<String, Long> snapshot = metrics.snapshot();
    assertThat(snapshot).hasSizeLessThan(100).containsEntry("links.rejected.other", 1000L - 64);
    metrics.rejected("reason 3");
    assertThat(metrics.snapshot()).containsEntry("links.rejected.reason 3", 2L);
  }
}
