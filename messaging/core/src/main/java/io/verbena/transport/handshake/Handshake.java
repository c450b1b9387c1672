// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.Agreement;
import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import io.verbena.transport.TransportContext;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;

/**
 * The handshake of one transport of one node. Has no state of its own; usable from any thread.
 *
 * <p>Both calls block, as {@link io.verbena.transport.Errands} may, and the channel must be in
 * blocking mode. They read not one byte more than the handshake has. When the time is over the
 * channel is closed, so that nothing hangs; whenever a call throws, the caller closes the channel.
 *
 * <p>The states of both sides, the bytes and what each proof covers: docs/protocol.md, "Handshake".
 */
public final class Handshake {

  /** The most a transport may send along. */
  public static final int MAX_ATTACHMENT_BYTES = 4096;

  /** What the dialling side's transport sends along once the far side has proved itself. */
  @FunctionalInterface
  public interface Offer {

    /** Nothing to send along. */
    Offer NOTHING = (peer, peerIncarnation) -> new byte[0];

    /**
     * Makes the attachment; called at most once in a handshake.
     *
     * @return at most {@link Handshake#MAX_ATTACHMENT_BYTES} bytes
     * @throws IOException if there can be no link; the far side is told, and the dial fails with it
     */
    byte[] offer(int peer, long peerIncarnation) throws IOException;
  }

  /** What the accepting side's transport answers to the dialling side's attachment. */
  @FunctionalInterface
  public interface Answer {

    /** Nothing to answer. */
    Answer NOTHING = agreement -> new byte[0];

    /**
     * Makes the attachment that goes back; called at most once in a handshake, after every check.
     *
     * @param agreement what both sides will agree on, with the dialling side's attachment
     * @return at most {@link Handshake#MAX_ATTACHMENT_BYTES} bytes
     * @throws io.verbena.transport.RefusedException to refuse with its reason
     * @throws IOException if there can be no link; the far side is told so
     */
    byte[] answer(Agreement agreement) throws IOException;
  }

  private final TransportContext context;
  private final String transport;
  private final Duration timeout;

  /**
   * Makes one.
   *
   * @param transport the transport's name, the same on both sides; 1 to 32 ASCII characters
   * @param timeout how long one handshake may take
   */
  public Handshake(TransportContext context, String transport, Duration timeout) {
    if (!transport.matches("[!-~]{1,32}")) {
      throw new IllegalArgumentException(
          "transport name '" + transport + "'; it must have 1 to 32 ASCII characters, no blanks");
    }
    this.context = context;
    this.transport = transport;
    this.timeout = timeout;
  }

  /**
   * Does the dialling side's part.
   *
   * @param path the channel in words, for errors: an address, a file
   * @param peer the id of the node that should be there
   * @throws RefusedException if the far side answered and one of the two sides refused
   * @throws IOException if it did not answer in time or the channel broke
   */
  public Agreement dial(ByteChannel channel, String path, int peer, Offer offer)
      throws IOException {
    String whom = "node " + peer + " at " + path;
    try (Watchdog watchdog = new Watchdog(channel, timeout)) {
      Conversation conversation =
          new Conversation(Role.DIALLING, channel, context.clusterKey(), context.versions(), whom);
      try {
        Agreement agreement = new DiallingSide(context, transport, conversation).run(peer, offer);
        watchdog.done();
        return agreement;
      } catch (IOException e) {
        throw watchdog.explain(conversation.tell(e), whom);
      }
    }
  }

  /**
   * Does the accepting side's part. Whatever fails is reported by {@link TransportContext#rejected}
   * before it is thrown.
   *
   * @param path the channel in words, for errors
   * @throws RefusedException if one of the two sides refused
   * @throws IOException if the far side fell silent or the channel broke
   */
  public Agreement accept(ByteChannel channel, String path, Answer answer) throws IOException {
    try (Watchdog watchdog = new Watchdog(channel, timeout)) {
      Conversation conversation =
          new Conversation(Role.ACCEPTING, channel, context.clusterKey(), context.versions(), path);
      try {
        Agreement agreement = new AcceptingSide(context, transport, conversation).run(answer);
        watchdog.done();
        return agreement;
      } catch (IOException e) {
        IOException failure = watchdog.explain(conversation.tell(e), path);
        context.rejected(reasonOf(failure), String.valueOf(failure.getMessage()));
        throw failure;
      }
    }
  }

  private static Reason reasonOf(IOException failure) {
    return failure instanceof RefusedException refused ? refused.reason() : Reason.PROTOCOL;
  }
}
