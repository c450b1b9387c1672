// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;
import io.verbena.transport.RefusedException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The body of REFUSE before the proof. */
record Refusal(Reason reason, String text) {

  private static final int MAX_TEXT_BYTES = 1024;

  byte[] encode() {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    byte[] bounded = Arrays.copyOf(words, Math.min(words.length, MAX_TEXT_BYTES));
    return new BodyWriter().u8(code(reason)).u8(0).u16(bounded.length).bytes(bounded).toBytes();
  }

  static Refusal decode(BodyReader in) throws RefusedException {
    Reason reason = reason(in.u8("reason"));
    in.zeros("reserved", 1);
    int length = in.u16("text length");
    if (length > MAX_TEXT_BYTES) {
      throw in.malformed("a text of " + length + " bytes; the limit is " + MAX_TEXT_BYTES);
    }
    return new Refusal(reason, printable(in.text("text", length)));
  }

  /** The text comes from somebody unknown and goes to logs. */
  private static String printable(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? '?' : c)
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  private static int code(Reason reason) {
    return switch (reason) {
      case PROTOCOL -> 1;
      case IDENTITY -> 2;
      case KEY -> 3;
      case TYPES -> 4;
      case CROSSED -> 5;
      case CLOSING -> 6;
    };
  }

  /** A reason this version does not know is a matter of protocol. */
  private static Reason reason(int code) {
    return switch (code) {
      case 2 -> Reason.IDENTITY;
      case 3 -> Reason.KEY;
      case 4 -> Reason.TYPES;
      case 5 -> Reason.CROSSED;
      case 6 -> Reason.CLOSING;
      default -> Reason.PROTOCOL;
    };
  }
}
