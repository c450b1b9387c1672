// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/**
 * What the accepting side says of sessions: the body of ACCEPT before the proof.
 *
 * @param held the session it holds with this life of the dialling node, 0 if none
 * @param session the agreed one
 * @param resumed whether both held it
 */
record Verdict(long held, long session, boolean resumed, byte[] attachment) {

  /** The rule: what both hold goes on, else the dialling side's proposal begins. */
  static Verdict on(Claim claim, long held, byte[] attachment) {
    boolean resumed = held != 0 && held == claim.held();
    return new Verdict(held, resumed ? held : claim.proposed(), resumed, attachment);
  }

  byte[] encode(int version) {
    BodyWriter out = new BodyWriter().u64(held).u64(session).u8(resumed ? 1 : 0).u8(0);
    Attachments.write(out, attachment, version);
    return out.toBytes();
  }

  static Verdict decode(BodyReader in, Claim claim, int version) throws RefusedException {
    long held = in.u64("held session");
    long session = in.u64("agreed session");
    int resumed = in.u8("resumed");
    in.zeros("reserved", 1);
    Verdict expected = on(claim, held, Attachments.read(in, version));
    if (session != expected.session || resumed != (expected.resumed ? 1 : 0)) {
      throw in.malformed(
          "session "
              + Long.toHexString(session)
              + ", resumed "
              + resumed
              + ", is not what follows from what both sides hold");
    }
    return expected;
  }
}
