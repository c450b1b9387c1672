// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/**
 * What the dialling side says of sessions: the body of PROOF before the proof.
 *
 * @param held the session it holds with this life of the far node, 0 if none
 * @param proposed the id of a new session, never 0
 */
record Claim(long held, long proposed, byte[] attachment) {

  byte[] encode(int version) {
    BodyWriter out = new BodyWriter().u64(held).u64(proposed);
    Attachments.write(out, attachment, version);
    return out.toBytes();
  }

  static Claim decode(BodyReader in, int version) throws RefusedException {
    long held = in.u64("held session");
    long proposed = in.u64("proposed session");
    if (proposed == 0) {
      throw in.malformed("the proposed session is 0");
    }
    return new Claim(held, proposed, Attachments.read(in, version));
  }
}
