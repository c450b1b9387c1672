// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

import io.verbena.NodeClosedException;
import io.verbena.PeerLostException;
import io.verbena.PeerRefusedException;
import io.verbena.PeerRestartedException;
import io.verbena.PeerUnreachableException;
import io.verbena.VerbenaException;
import io.verbena.internal.connection.Closing.IdleClosedException;
import io.verbena.internal.event.Words;
import java.util.concurrent.CompletionException;

/** Makes a failure anew for each caller, so that each sees its own stack. */
final class Failures {

  private Failures() {}

  /** The same kind of failure with the same text. */
  static VerbenaException again(VerbenaException cause) {
    String text = String.valueOf(cause.getMessage());
    VerbenaException fresh =
        switch (cause) {
          case PeerRestartedException e -> new PeerRestartedException(text);
          case PeerRefusedException e -> new PeerRefusedException(text);
          case PeerUnreachableException e -> new PeerUnreachableException(text);
          case IdleClosedException e -> new IdleClosedException(e.peer());
          case PeerLostException e -> new PeerLostException(text);
          case NodeClosedException e -> new NodeClosedException(text);
          default -> new VerbenaException(text);
        };
    fresh.initCause(cause);
    return fresh;
  }

  /** What failed, in words for the other side. */
  static String describe(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return Words.of(cause);
  }
}
