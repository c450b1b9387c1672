// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import java.util.List;

/**
 * The structs of {@code verbena/fabric.h}, member by member; a test compares them with the C
 * compiler's.
 */
public final class FabricStructs {

  /** {@code vbn_fabric_options}. */
  public static final StructLayout OPTIONS =
      structLayout(
              JAVA_INT.withName(Structs.STRUCT_BYTES),
              JAVA_INT.withName("node_id"),
              JAVA_LONG.withName("incarnation"),
              ADDRESS.withName("cluster"),
              ADDRESS.withName("key"),
              JAVA_LONG.withName("key_bytes"),
              ADDRESS.withName("listen"),
              ADDRESS.withName("device"),
              JAVA_INT.withName("kernel_only"),
              JAVA_INT.withName("max_links"),
              JAVA_INT.withName("operations"),
              JAVA_INT.withName("signals"),
              JAVA_LONG.withName("heartbeat_ns"),
              JAVA_LONG.withName("dead_after_ns"),
              JAVA_INT.withName("channels"),
              JAVA_INT.withName("device_only"),
              JAVA_INT.withName("sleeps_at_once"),
              JAVA_INT.withName("workers"))
          .withName("vbn_fabric_options");

  /** {@code vbn_operation}. */
  public static final StructLayout OPERATION =
      structLayout(
              JAVA_INT.withName("kind"),
              JAVA_INT.withName("flags"),
              ADDRESS.withName("local"),
              JAVA_LONG.withName("local_offset"),
              ADDRESS.withName("remote"),
              JAVA_LONG.withName("offset"),
              JAVA_LONG.withName("length"),
              JAVA_LONG.withName("operand"),
              JAVA_LONG.withName("swap"),
              JAVA_LONG.withName("cookie"),
              JAVA_INT.withName("signal"),
              JAVA_INT.withName("reserved"))
          .withName("vbn_operation");

  /** {@code vbn_done}. */
  public static final StructLayout DONE =
      structLayout(
              JAVA_LONG.withName("cookie"),
              JAVA_LONG.withName("offset"),
              JAVA_LONG.withName("length"),
              JAVA_INT.withName("key"),
              JAVA_INT.withName("peer"),
              JAVA_INT.withName("outcome"),
              JAVA_INT.withName("kind"),
              JAVA_INT.withName("status"),
              JAVA_INT.withName("reserved"))
          .withName("vbn_done");

  /** {@code vbn_signal}. */
  public static final StructLayout SIGNAL =
      structLayout(
              JAVA_LONG.withName("link"), JAVA_INT.withName("peer"), JAVA_INT.withName("value"))
          .withName("vbn_signal");

  /** {@code vbn_link_counters}. */
  public static final StructLayout LINK_COUNTERS =
      structLayout(
              JAVA_INT.withName(Structs.STRUCT_BYTES),
              JAVA_INT.withName("peer"),
              JAVA_INT.withName("relinks"),
              JAVA_INT.withName("reserved"),
              JAVA_LONG.withName("puts"),
              JAVA_LONG.withName("gets"),
              JAVA_LONG.withName("atomics"),
              JAVA_LONG.withName("flushes"),
              JAVA_LONG.withName("signals"),
              JAVA_LONG.withName("put_bytes"),
              JAVA_LONG.withName("got_bytes"),
              JAVA_LONG.withName("by_mapping"),
              JAVA_LONG.withName("by_device"),
              JAVA_LONG.withName("no_room"),
              JAVA_LONG.withName("refused"),
              JAVA_LONG.withName("failed"))
          .withName("vbn_link_counters");

  static final List<StructLayout> ALL = List.of(OPTIONS, OPERATION, DONE, SIGNAL, LINK_COUNTERS);

  private FabricStructs() {}
}
