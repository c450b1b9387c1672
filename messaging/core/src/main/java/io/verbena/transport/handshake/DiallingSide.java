// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Agreement;
import io.verbena.transport.Held;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import io.verbena.transport.Unguessable;
import io.verbena.transport.handshake.Handshake.Offer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** HELLO out, CHALLENGE in, PROOF out, ACCEPT in. */
final class DiallingSide {

  private final TransportContext context;
  private final Conversation conversation;
  private final Introduction introduction;
  private Held held = Held.NOTHING; // when it was claimed

  DiallingSide(TransportContext context, String transport, Conversation conversation) {
    this.context = context;
    this.conversation = conversation;
    this.introduction = new Introduction(context, transport, conversation);
  }

  Agreement run(int peer, Offer offer) throws IOException {
    conversation.send(Kind.HELLO, introduction.helloTo(peer).encode());
    Hello theirs = challenge(peer);
    boolean sameTypes = introduction.hasSameTypes(theirs);
    if (!sameTypes && conversation.version() < 2) {
      claim(theirs, new byte[0]);
      introduction.describeTypes();
      throw introduction.typesDiffer(introduction.receiveTypes());
    }
    byte[] attachment = offer.offer(peer, theirs.incarnation());
    Claim claim = claim(theirs, Attachments.check(attachment));
    return verdict(theirs, claim, sameTypes ? null : exchangeTypes());
  }

  /** The accepting side comes to the same judgement and will not accept: it need not be told. */
  private String exchangeTypes() throws IOException {
    introduction.describeTypes();
    String theirs = introduction.receiveTypes();
    RefusedException conflict = introduction.typesConflict(theirs);
    if (conflict != null) {
      conversation.over();
      throw conflict;
    }
    return theirs;
  }

  private Hello challenge(int peer) throws IOException {
    BodyReader in = conversation.receive(Kind.CHALLENGE);
    Hello theirs = Hello.decode(in);
    in.end();
    if (theirs.from() != peer) {
      throw introduction.refusal(
          Reason.IDENTITY, " is node " + theirs.from() + "; check the peers' addresses");
    }
    introduction.check(theirs);
    checkVersion(introduction.commonVersion(theirs));
    conversation.checkProof();
    context.answered(peer);
    return theirs;
  }

  /** Whoever takes the range out of HELLO on its way must not get the two to speak less. */
  private void checkVersion(int common) throws RefusedException {
    if (conversation.heard() != common) {
      throw introduction.refusal(
          Reason.PROTOCOL,
          " answered in version "
              + conversation.heard()
              + " of the protocol though both sides speak version "
              + common
              + "; somebody has changed what was said");
    }
    conversation.speak(common);
  }

  private Claim claim(Hello theirs, byte[] attachment) throws IOException {
    held = context.held(theirs.from(), theirs.incarnation());
    if (held.isLinked()) { // it was not when the dial began
      throw new RefusedException(
          Reason.CROSSED,
          "a link to node " + theirs.from() + " is up by now, from a handshake that ended first");
    }
    Claim claim = new Claim(held.session(), Unguessable.id(), attachment);
    conversation.send(Kind.PROOF, claim.encode(conversation.version()));
    return claim;
  }

  private Agreement verdict(Hello theirs, Claim claim, @Nullable String types) throws IOException {
    BodyReader in = conversation.receive(Kind.ACCEPT);
    conversation.checkProof();
    Verdict verdict = Verdict.decode(in, claim, conversation.version());
    in.end();
    return new Agreement(
        theirs.from(),
        theirs.incarnation(),
        held,
        verdict.session(),
        conversation.version(),
        types,
        verdict.attachment());
  }
}
