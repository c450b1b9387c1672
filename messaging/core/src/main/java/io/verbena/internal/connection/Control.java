// SPDX-License-Identifier: Apache-2.0
package io.verbena.internal.connection;

/** What two connections say to each other in control frames; docs/protocol.md, "Control frames". */
final class Control {

  /** The sender is closing: the session is over when this is read. */
  static final int GOODBYE = 1;

  /** The sender would like to close an idle connection. */
  static final int CLOSE = 2;

  /** Agreed: nothing is under way here either; the session is over. */
  static final int CLOSE_AGREED = 3;

  /** Not now. */
  static final int CLOSE_REFUSED = 4;

  private Control() {}
}
