// SPDX-License-Identifier: Apache-2.0
package io.verbena;

/**
 * The state of one connection at the time it was asked for.
 *
 * @param nodeId the peer
 * @param state where it is in its life
 * @param transport the transport that carries it
 * @param reason why this transport was chosen
 * @param sentPosition bytes put on the shared lane since the session began
 * @param consumedPosition how much of that the peer has consumed
 * @param lanes outgoing lanes, the shared one included
 * @param memoryBytes memory outside of the heap that this node has mapped or allocated for the
 *     connection: the rings of all lanes both ways with their control pages, those included that a
 *     lane has left and the peer has not read; what large messages are put together in; what the
 *     transport keeps for the link. Memory that two nodes share counts at both. Objects on the heap
 *     and the buffers of the kernel's sockets do not count, nor does what the connection has given
 *     up and the node frees about a second later
 */
public record ConnectionInfo(
    int nodeId,
    State state,
    String transport,
    String reason,
    long sentPosition,
    long consumedPosition,
    int lanes,
    long memoryBytes) {

  /** Where a connection is in its life. */
  public enum State {
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
