// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The library's options under the names that users know: an error shall say which key to change.
 */
final class OptionNames {

  private static final Map<String, String> KEYS =
      Map.of(
          "maxConnections", RdmaSettings.MAX_CONNECTIONS.name(),
          "maxLinks", RdmaSettings.MAX_CONNECTIONS.name(),
          "sendWorkRequests", RdmaSettings.SEND_REQUESTS.name(),
          "signalEvery", RdmaSettings.SIGNAL_EVERY.name(),
          "bufferBytes", RdmaSettings.BUFFER_BYTES.name(),
          "buffersPerReceive", RdmaSettings.BUFFERS_PER_RECEIVE.name(),
          "receiveWorkRequests", RdmaSettings.RECEIVE_REQUESTS.name(),
          "controlRingBytes", RdmaSettings.CONTROL_BYTES.name());

  private static final Pattern OPTION =
      Pattern.compile("\\b(" + String.join("|", KEYS.keySet()) + ")\\b");

  private OptionNames() {}

  /** A sentence of the library's, as the user is told it. */
  static String asKeys(String sentence) {
    return OPTION.matcher(sentence).replaceAll(found -> KEYS.get(found.group()));
  }
}
