// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/**
 * The end of PROOF and ACCEPT: the transport's bytes behind a 16-bit length, and from version 2 on
 * the {@link Terms} of services.
 */
final class Attachments {

  private Attachments() {}

  static void write(BodyWriter out, byte[] attachment, int version) {
    out.u16(attachment.length).bytes(attachment);
    if (version >= 2) {
      Terms.writeNone(out);
    }
  }

  static byte[] read(BodyReader in, int version) throws RefusedException {
    int length = in.u16("attachment length");
    if (length > Handshake.MAX_ATTACHMENT_BYTES) {
      throw in.malformed(
          "an attachment of " + length + " bytes; the limit is " + Handshake.MAX_ATTACHMENT_BYTES);
    }
    byte[] attachment = in.bytes("attachment", length);
    if (version >= 2) {
      Terms.passOver(in);
    }
    return attachment;
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
