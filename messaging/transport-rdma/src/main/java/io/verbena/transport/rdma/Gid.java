// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.Struct;

/**
 * An address of a port.
 *
 * @param index its row in the port's table
 * @param address such as {@code 10.0.0.1} or {@code fe80::1}
 * @param type {@code RoCE v2}, {@code RoCE v1} or {@code InfiniBand}
 * @param isChosen whether it is the one that would be used
 */
public record Gid(int index, String address, String type, boolean isChosen) {

  static Gid of(Struct gid) {
    return new Gid(
        gid.getInt("index"), gid.getText("text"), gid.getText("type"), gid.getFlag("chosen"));
  }
}
