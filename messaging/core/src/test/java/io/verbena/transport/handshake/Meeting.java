// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Agreement;
import io.verbena.transport.handshake.Handshake.Answer;
import io.verbena.transport.handshake.Handshake.Offer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Lets two parties shake hands over a wire and keeps what came of it. */
final class Meeting {

  /** What came of one side: an agreement or a failure. */
  record Outcome(Agreement agreement, Throwable failure) {}

  final Party dialler;
  final Party acceptor;
  final Wire wire = new Wire();
  Offer offer = Offer.NOTHING;
  Answer answer = Answer.NOTHING;
  int dialled;
  Duration timeout = Duration.ofMinutes(3);
  Outcome dial;
  Outcome accept;

  Meeting(Party dialler, Party acceptor) {
    this.dialler = dialler;
    this.acceptor = acceptor;
    this.dialled = acceptor.id;
  }

  @FunctionalInterface
  private interface Side {
    Agreement run() throws IOException;
  }

  Meeting run() {
    CompletableFuture<Outcome> accepting = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> accepting.complete(outcome(this::accept, wire.accepting)));
    dial = outcome(this::dial, wire.dialling);
    try {
      accept = accepting.get(3, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError("the accepting side hangs", e);
    }
    return this;
  }

  private Agreement dial() throws IOException {
    return new Handshake(dialler, "test", timeout).dial(wire.dialling, "there", dialled, offer);
  }

  private Agreement accept() throws IOException {
    return new Handshake(acceptor, "test", timeout).accept(wire.accepting, "here", answer);
  }

  /** As a transport does it: whatever fails closes the channel. */
  private static Outcome outcome(Side side, Wire.End end) {
    try {
      Agreement agreement = side.run();
      end.rest();
      return new Outcome(agreement, null);
    } catch (Throwable e) {
      end.close();
      return new Outcome(null, e);
    }
  }
}
