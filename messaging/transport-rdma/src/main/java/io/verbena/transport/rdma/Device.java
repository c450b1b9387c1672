// SPDX-License-Identifier: Apache-2.0
package io.verbena.transport.rdma;

import io.verbena.natives.Struct;

/**
 * A verbs device.
 *
 * @param name as {@code ibv_devices} lists it, or {@code softnic0}
 * @param provider what drives it: {@code libibverbs} or {@code softnic}
 * @param nodeGuid its identity on the fabric
 * @param limits what it can hold
 */
public record Device(String name, String provider, long nodeGuid, Limits limits) {

  /**
   * What a device can hold.
   *
   * @param queuePairs in all
   * @param workRequests of one queue
   * @param pieces of memory in one work request
   * @param completions of one completion queue
   * @param sharedReceives of one shared receive queue
   * @param regionBytes of one memory region; {@link Long#MAX_VALUE} for more than that
   */
  public record Limits(
      int queuePairs,
      int workRequests,
      int pieces,
      int completions,
      int sharedReceives,
      long regionBytes) {

    static Limits of(Struct port) {
      long regionBytes = port.getLong("max_region_bytes"); // unsigned
      return new Limits(
          port.getInt("max_queue_pairs"),
          port.getInt("max_work_requests"),
          port.getInt("max_sge"),
          port.getInt("max_completions"),
          port.getInt("max_shared_receives"),
          regionBytes < 0 ? Long.MAX_VALUE : regionBytes);
    }
  }

  static Device of(Struct port) {
    return new Device(
        port.getText("device"),
        port.getText("provider"),
        port.getLong("node_guid"),
        Limits.of(port));
  }
}
