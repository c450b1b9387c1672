// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbena.MessageHandler;
import io.verbena.Origin;
import io.verbena.RemoteHandlerException;
import io.verbena.RequestTimeoutException;
import io.verbena.UnexpectedReplyException;
import io.verbena.UnregisteredTypeException;
import io.verbena.internal.connection.TestHost.Blob;
import io.verbena.internal.connection.TestHost.Note;
import io.verbena.internal.connection.TestHost.Stranger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One answer per request, however it is given: at once, later, by another node, or not at all. */
@Tag("timing")
class ReplyPathTest {

  private final TestHost asking = new TestHost(1);
  private final TestHost answering = new TestHost(2);
  private final HandWire wire = new HandWire(asking, answering);
  private final List<Origin> kept = new ArrayList<>();

  @BeforeEach
  void link() {
    wire.link();
    answering.handle(Note.class, (note, from) -> kept.add(from.retain()));
  }

  @AfterEach
  void close() {
    wire.close();
  }

  private PendingRequest<Note> ask() {
    Note note = new Note(1);
    PendingRequest<Note> request =
        wire.left().request(asking.codecOf(note), note, Note.class, Long.MAX_VALUE);
    wire.deliver();
    return request;
  }

  private PendingRequest<Note> askOneWho(MessageHandler<Note> handler) {
    answering.handle(Note.class, handler);
    return ask();
  }

  /** The origin of a request whose handler has kept it. */
  private ReplyPath keptPath() {
    return (ReplyPath) kept.getLast();
  }

  private void assertAnswered(PendingRequest<Note> request, long number) {
    wire.deliver();
    assertThat(request.join().number()).isEqualTo(number);
    assertThat(asking.counter("requests.answered")).isPositive();
    assertThat(asking.counter("requests.failed")).isZero();
    assertThat(asking.counter("replies.late")).isZero();
  }

  private void assertFailed(PendingRequest<Note> request, String text) {
    wire.deliver();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(request::join)
        .withCauseInstanceOf(RemoteHandlerException.class)
        .withMessageContaining(text);
    assertThat(asking.counter("requests.answered")).isZero();
    assertThat(asking.counter("requests.failed")).isEqualTo(1);
    assertThat(asking.counter("replies.late")).isZero();
  }

  // ---------------------------------------------------------------- kept

  @Test
  void keptOriginAnswersLater() {
    PendingRequest<Note> request = ask();
    assertThat(request).isNotDone();
    assertThat(keptPath().nodeId()).isEqualTo(1);
    assertThat(keptPath().isRequest()).isTrue();
    keptPath().reply(new Note(7));
    assertAnswered(request, 7);
  }

  @Test
  void secondAnswerIsRefusedWhateverTheFirstOneWas() {
    PendingRequest<Note> request = ask();
    keptPath().replyError("no");
    for (Runnable second :
        List.<Runnable>of(
            () -> keptPath().reply(new Note(1)),
            () -> keptPath().replyError("again"),
            () -> keptPath().forward(3, new Note(1)))) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(second::run)
          .withMessageContaining("is answered already");
    }
    assertThat(answering.sentOn).isEmpty();
    assertFailed(request, "node 2: no");
  }

  @Test
  void answerThatFailedLeavesRoomForAnError() {
    PendingRequest<Note> request = ask();
    assertThatExceptionOfType(UnregisteredTypeException.class)
        .isThrownBy(() -> keptPath().reply(new Stranger()));
    keptPath().replyError("could not be put in words");
    assertFailed(request, "could not be put in words");
  }

  @Test
  void messageThatIsNoRequestHasNoWayBack() {
    Note note = new Note(1);
    wire.left().send(asking.codecOf(note), note);
    wire.deliver();
    assertThat(keptPath().isRequest()).isFalse();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> keptPath().reply(note))
        .withMessage("message of type 1 from node 1 is no request");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> keptPath().replyError("no"));
  }

  @Test
  void handlerThatKeptNothingAndReturnedGivesAnError() {
    PendingRequest<Note> request = ask();
    keptPath().handlerReturned();
    assertFailed(request, "the handler of type 1 returned no answer");
  }

  @Test
  void handlerThatKeptItMayReturn() {
    PendingRequest<Note> request = ask();
    keptPath().keep();
    keptPath().handlerReturned();
    wire.deliver();
    assertThat(request).isNotDone();
    keptPath().reply(new Note(3));
    assertAnswered(request, 3);
  }

  @Test
  void handlerThatFailsAfterItAnsweredChangesNothing() {
    PendingRequest<Note> request = ask();
    keptPath().reply(new Note(3));
    keptPath().handlerFailed(new IllegalStateException("too late"));
    keptPath().handlerReturned();
    assertAnswered(request, 3);
    assertThat(answering.counter("handlers.failed")).isEqualTo(1);
  }

  @Test
  void answerToARequesterThatIsGoneIsCountedAndHarmless() {
    ask();
    wire.left().sayGoodbye();
    wire.deliver();
    keptPath().reply(new Note(1));
    assertThat(answering.counter("messages.undeliverable")).isEqualTo(1);
  }

  // ---------------------------------------------------------------- inline

  @Test
  void inlineHandlerAnswersAtOnce() {
    assertAnswered(askOneWho((note, from) -> from.reply(new Note(note.number() + 1))), 2);
  }

  @Test
  void inlineHandlerThatDoesNothingGivesAnError() {
    assertFailed(askOneWho((note, from) -> {}), "returned no answer");
  }

  @Test
  void inlineHandlerThatThrowsGivesItsError() {
    PendingRequest<Note> request =
        askOneWho(
            (note, from) -> {
              throw new IllegalStateException("the disk is full");
            });
    assertFailed(request, "java.lang.IllegalStateException: the disk is full");
    assertThat(answering.handlerFailures())
        .singleElement()
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void inlineHandlerThatThrowsAfterItAnsweredChangesNothing() {
    PendingRequest<Note> request =
        askOneWho(
            (note, from) -> {
              from.reply(new Note(4));
              throw new IllegalStateException("too late");
            });
    assertAnswered(request, 4);
    assertThat(answering.counter("handlers.failed")).isEqualTo(1);
  }

  @Test
  void inlineHandlerAnswersOnce() {
    List<RuntimeException> refused = new ArrayList<>();
    PendingRequest<Note> request =
        askOneWho(
            (note, from) -> {
              from.reply(new Note(5));
              for (Runnable second :
                  List.<Runnable>of(
                      () -> from.reply(new Note(6)),
                      () -> from.replyError("again"),
                      () -> from.retain().reply(new Note(7)))) {
                try {
                  second.run();
                } catch (IllegalStateException e) {
                  refused.add(e);
                }
              }
            });
    assertAnswered(request, 5);
    assertThat(refused).hasSize(3);
  }

  @Test
  void originIsPointedAtEachMessageInTurn() {
    List<String> seen = new ArrayList<>();
    answering.handle(
        Note.class,
        (note, from) -> {
          seen.add(note.number() + " " + from.isRequest());
          if (from.isRequest()) {
            from.reply(note);
          }
        });
    PendingRequest<Note> request = ask();
    Note note = new Note(2);
    wire.left().send(asking.codecOf(note), note);
    wire.deliver();
    PendingRequest<Note> another = ask();
    assertThat(seen).containsExactly("1 true", "2 false", "1 true");
    assertAnswered(request, 1);
    assertAnswered(another, 1);
  }

  @Test
  void answerOfAnotherTypeFailsTheRequest() {
    PendingRequest<Note> request = askOneWho((note, from) -> from.reply(new Blob(new byte[1])));
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(request::join)
        .withCauseInstanceOf(UnexpectedReplyException.class);
  }

  @Test
  void longErrorTextIsCutToWhatALaneTakes() {
    PendingRequest<Note> request = ask();
    keptPath().replyError("x".repeat(10_000_000));
    assertFailed(request, "x".repeat(1_000));
  }

  // ---------------------------------------------------------------- forwarded

  @Test
  void forwardedMessageIsHandedOnWithoutAnAnswer() {
    Note note = new Note(1);
    wire.left().send(asking.codecOf(note), note);
    wire.deliver();
    assertThat(keptPath().forward(3, new Note(8))).isCompleted();
    assertThat(answering.sentOn).containsExactly("Note[number=8] to 3");
  }

  @Test
  void answerToAForwardedRequestIsPassedBack() {
    PendingRequest<Note> request = ask();
    CompletableFuture<Void> passed = keptPath().forward(3, new Note(8));
    assertThat(answering.sentOn).containsExactly("Note[number=8] to 3");
    assertThat(passed).isNotDone();
    answering.answerToForwarded.complete(new Note(9));
    assertThat(passed).isCompleted();
    assertAnswered(request, 9);
  }

  @Test
  void failureOfAForwardedRequestIsPassedBack() {
    PendingRequest<Note> request = ask();
    keptPath().forward(3, new Note(8));
    answering.answerToForwarded.completeExceptionally(
        new RequestTimeoutException("no reply from node 3"));
    assertFailed(request, "RequestTimeoutException: no reply from node 3");
  }
}
