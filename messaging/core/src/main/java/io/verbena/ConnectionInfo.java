// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * The state of one connection at the time it was asked for.
 *
 * @param nodeId the peer
 * @param state where it is in its life
 * @param transport the transport that carries it, empty while none was chosen
 * @param reason why this transport was chosen
 * @param sentPosition bytes put on the shared lane since the session began
 * @param consumedPosition how much of that the peer has consumed
 * @param lanes outgoing lanes, the shared one included
 */
public record ConnectionInfo(
    int nodeId,
    State state,
    String transport,
    String reason,
    long sentPosition,
    long consumedPosition,
    int lanes) {

  /** Where a connection is in its life. */
  public enum State {
    /** Being made. */
    CONNECTING,
    /** A link is up. */
    CONNECTED,
    /** The link broke; it is being made again, and the lanes keep what was not consumed. */
    RESUMING,
    /** Being closed because it was idle and others were needed. */
    CLOSING,
    /** Over. */
    CLOSED
  }
}
