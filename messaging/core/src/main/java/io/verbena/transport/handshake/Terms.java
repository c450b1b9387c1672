// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.handshake;

import io.verbena.transport.RefusedException;

/**
 * The services that a side offers over the link besides messages, from version 2 on: the end of
 * PROOF and of ACCEPT. This release offers none and passes over what a later one may offer.
 */
final class Terms {

  static final int MAX_SERVICES = 16;
  static final int MAX_BYTES = 80;

  private Terms() {}

  static void writeNone(BodyWriter out) {
    out.u8(0);
  }

  static void passOver(BodyReader in) throws RefusedException {
    int services = in.u8("number of services");
    if (services > MAX_SERVICES) {
      throw in.malformed(services + " services; the limit is " + MAX_SERVICES);
    }
    for (int i = 0; i < services; i++) {
      in.u16("service");
      in.u16("version of a service");
      int length = in.u8("length of a service's terms");
      if (length > MAX_BYTES) {
        throw in.malformed(
            "terms of " + length + " bytes for a service; the limit is " + MAX_BYTES);
      }
      in.bytes("terms of a service", length);
    }
  }
}
