// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/**
 * The end of PROOF and ACCEPT: the transport's bytes behind a 16-bit length, and from version 2 on
 * the terms of the services that a side offers over the link besides messages. This release offers
 * none and passes over what a later one may offer.
 */
final class Attachments {

  private static final int MAX_SERVICES = 16;
  private static final int MAX_TERMS_BYTES = 80;

  private Attachments() {}

  static void write(BodyWriter out, byte[] attachment, int version) {
    out.u16(attachment.length).bytes(attachment);
    if (version >= 2) {
      out.u8(0); // services
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
      passOverTerms(in);
    }
    return attachment;
  }

  static void passOverTerms(BodyReader in) throws RefusedException {
    int services = in.u8("number of services");
    if (services > MAX_SERVICES) {
      throw in.malformed(services + " services; the limit is " + MAX_SERVICES);
    }
    for (int i = 0; i < services; i++) {
      in.u16("service");
      in.u16("version of a service");
      int length = in.u8("length of a service's terms");
      if (length > MAX_TERMS_BYTES) {
        throw in.malformed(
            "terms of " + length + " bytes for a service; the limit is " + MAX_TERMS_BYTES);
      }
      in.bytes("terms of a service", length);
    }
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
