// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import io.verbena.transport.handshake.Handshake.Answer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** HELLO in, CHALLENGE out, PROOF in, ACCEPT out. */
final class AcceptingSide {

  private final TransportContext context;
  private final Conversation conversation;
  private final Introduction introduction;

  AcceptingSide(TransportContext context, String transport, Conversation conversation) {
    this.context = context;
    this.conversation = conversation;
    this.introduction = new Introduction(context, transport, conversation);
  }

  Agreement run(Answer answer) throws IOException {
    Hello theirs = hello();
    // Before the challenge: what the far side knows of sessions when it claims one is not older.
    Held held = context.held(theirs.from(), theirs.incarnation());
    conversation.send(Kind.CHALLENGE, introduction.helloTo(theirs.from()).encode());
    Claim claim = claim();
    String types = introduction.hasSameTypes(theirs) ? null : exchangeTypes();
    giveWay(theirs);
    context.contest(theirs.from(), theirs.incarnation());
    return accept(theirs, held, claim, types, answer);
  }

  /** The dialling side describes its types first; each side judges for itself. */
  private String exchangeTypes() throws IOException {
    String theirs = introduction.receiveTypes();
    introduction.describeTypes();
    if (conversation.version() < 2) {
      throw introduction.typesDiffer(theirs);
    }
    RefusedException conflict = introduction.typesConflict(theirs);
    if (conflict != null) {
      throw conflict;
    }
    return theirs;
  }

  private Hello hello() throws IOException {
    BodyReader in = conversation.receive(Kind.HELLO);
    Hello theirs = Hello.decode(in);
    in.end();
    introduction.check(theirs);
    conversation.speak(introduction.commonVersion(theirs));
    return theirs;
  }

  private Claim claim() throws IOException {
    BodyReader in = conversation.receive(Kind.PROOF);
    conversation.checkProof();
    Claim claim = Claim.decode(in, conversation.version());
    in.end();
    return claim;
  }

  /** When both dial at once, the dial of the node with the lower id goes first. */
  private void giveWay(Hello theirs) throws RefusedException {
    if (context.nodeId() < theirs.from() && context.isDialling(theirs.from())) {
      throw new RefusedException(
          Reason.CROSSED,
          "node " + context.nodeId() + " dials node " + theirs.from() + " itself, and goes first");
    }
  }

  private Agreement accept(
      Hello theirs, Held held, Claim claim, @Nullable String types, Answer answer)
      throws IOException {
    Verdict outline = Verdict.on(claim, held.session(), new byte[0]);
    Agreement agreement =
        new Agreement(
            theirs.from(),
            theirs.incarnation(),
            held,
            outline.session(),
            conversation.version(),
            types,
            claim.attachment());
    byte[] attachment = Attachments.check(answer.answer(agreement));
    conversation.send(
        Kind.ACCEPT, Verdict.on(claim, held.session(), attachment).encode(conversation.version()));
    return agreement;
  }
}
