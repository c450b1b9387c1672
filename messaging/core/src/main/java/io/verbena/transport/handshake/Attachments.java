// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/** The transport's bytes within PROOF and ACCEPT: a 16-bit length, then the bytes. */
final class Attachments {

  private Attachments() {}

  static byte[] read(BodyReader in) throws RefusedException {
    int length = in.u16("attachment length");
    if (length > Handshake.MAX_ATTACHMENT_BYTES) {
      throw in.malformed(
          "an attachment of " + length + " bytes; the limit is " + Handshake.MAX_ATTACHMENT_BYTES);
    }
    return in.bytes("attachment", length);
  }

  static byte[] check(byte[] attachment) {
    if (attachment.length > Handshake.MAX_ATTACHMENT_BYTES) {
      throw new IllegalArgumentException(
          "the transport made an attachment of "
              + attachment.length
              + " bytes; the limit is "
              + Handshake.MAX_ATTACHMENT_BYTES);
    }
    return attachment;
  }
}
