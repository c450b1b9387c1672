// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What both sides do alike: say who they are, judge who the other is, compare type tables. */
final class Introduction {

  /** What a name may be made of; anything else a stranger says is not repeated. */
  private static final Pattern CLUSTER_NAME = Pattern.compile("[a-z0-9-]{1,32}");

  private final TransportContext context;
  private final String transport;
  private final Conversation conversation;
  private final byte[] nonce;

  Introduction(TransportContext context, String transport, Conversation conversation) {
    this.context = context;
    this.transport = transport;
    this.conversation = conversation;
    this.nonce = Hello.newNonce(context.versions());
  }

  /** This side's own words to a node. */
  Hello helloTo(int peer) {
    return new Hello(
        context.nodeId(),
        peer,
        context.clusterKey() != null,
        context.incarnation(),
        nonce,
        context.typeFingerprint(),
        transport,
        context.cluster());
  }

  /** Judges the far side's words. */
  void check(Hello theirs) throws RefusedException {
    if (!theirs.transport().equals(transport)) {
      throw refusal(
          Reason.PROTOCOL, " speaks another transport than '" + transport + "'; check the address");
    }
    if (!theirs.cluster().equals(context.cluster())) {
      throw refusal(Reason.IDENTITY, ofAnotherCluster(theirs.cluster()));
    }
    if (theirs.to() != context.nodeId()) {
      throw refusal(
          Reason.IDENTITY,
          " wants node "
              + theirs.to()
              + " but reached node "
              + context.nodeId()
              + "; check the peers' addresses");
    }
    if (theirs.from() == context.nodeId()) {
      throw refusal(
          Reason.IDENTITY,
          " calls itself node " + theirs.from() + " too; give each node an id of its own");
    }
    checkKeyIsCommon(theirs);
  }

  /** The greatest version that both sides speak. */
  int commonVersion(Hello theirs) throws RefusedException {
    int common = context.versions().common(theirs.versions());
    if (common == 0) {
      throw refusal(
          Reason.PROTOCOL,
          " speaks "
              + theirs.versions()
              + " of the protocol, "
              + self()
              + " "
              + context.versions()
              + "; run releases that have a version in common");
    }
    return common;
  }

  /** The far side is told this, too: its own cluster's name it may see, not this node's. */
  private static String ofAnotherCluster(String theirs) {
    String name = CLUSTER_NAME.matcher(theirs).matches() ? "'" + theirs + "'" : "without a name";
    return " belongs to another cluster, " + name + "; give all nodes the same cluster name";
  }

  private void checkKeyIsCommon(Hello theirs) throws RefusedException {
    boolean hasKey = context.clusterKey() != null;
    if (theirs.hasKey() != hasKey) {
      throw refusal(
          Reason.KEY,
          theirs.hasKey()
              ? " has a cluster key and " + self() + " has none; configure it on every node"
              : " has no cluster key and " + self() + " has one; configure it on every node");
    }
    if (Arrays.equals(theirs.nonce(), nonce)) {
      throw refusal(Reason.KEY, " sent this side's own nonce back");
    }
  }

  boolean hasSameTypes(Hello theirs) {
    return theirs.fingerprint() == context.typeFingerprint();
  }

  /** Sends this side's type table. */
  void describeTypes() throws IOException {
    byte[] description = context.typeDescription().getBytes(StandardCharsets.UTF_8);
    int limit = Kind.TYPES.maxBodyBytes - io.verbena.transport.ClusterKey.PROOF_BYTES;
    if (description.length > limit) {
      throw refusal(
          Reason.TYPES,
          " has another type table; one of them takes "
              + description.length
              + " bytes to describe, more than "
              + limit
              + ", so they are not compared");
    }
    conversation.send(Kind.TYPES, description);
  }

  /** Receives the far side's type table. */
  String receiveTypes() throws IOException {
    BodyReader in = conversation.receive(Kind.TYPES);
    conversation.checkProof();
    return in.text("description", in.remaining());
  }

  /** Why there can be no link; both sides say it in their own words. */
  RefusedException typesDiffer(String theirs) {
    conversation.over();
    return refusal(Reason.TYPES, " has another type table: " + difference(theirs));
  }

  /**
   * What keeps the two type tables from being two versions of one program; null if nothing does.
   */
  @Nullable RefusedException typesConflict(String theirs) {
    @Nullable String conflict;
    try {
      conflict = context.typeConflict(theirs);
    } catch (RuntimeException e) {
      conflict = "its description cannot be read"; // whoever wrote it, it must not do harm here
    }
    return conflict == null ? null : refusal(Reason.TYPES, " has another type table: " + conflict);
  }

  private String difference(String theirs) {
    try {
      return context.typeDifference(theirs);
    } catch (RuntimeException e) {
      return "its description cannot be read"; // whoever wrote it, it must not do harm here
    }
  }

  /** A refusal is told on both sides, where "this side" would be either. */
  private String self() {
    return "node " + context.nodeId();
  }

  RefusedException refusal(Reason reason, String what) {
    return new RefusedException(reason, conversation.whom() + what);
  }
}
