// SPDX-License-Identifier: Apache-2.0
package io.verbena.bench.peers;

/** A library under comparison: how its two ends are opened. */
public interface Peer {

  /** Its name and version. */
  String version();

  /** How it is set up. */
  String settings(PeerOptions options);

  /** Opens the end that receives; from now on it gives every message to the judge. */
  AutoCloseable openReceiver(PeerOptions options, Judge judge) throws Exception;

  /** Opens the end that sends, and connects it. */
  SendingEnd openSender(PeerOptions options) throws Exception;
}
