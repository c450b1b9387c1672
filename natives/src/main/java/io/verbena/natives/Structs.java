// SPDX-License-Identifier: Apache-2.0
package io.verbena.natives;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.util.List;

/**
 * The structs of {@code verbena.h}, member by member; a test compares them with the C compiler's.
 */
public final class Structs {

  /** The first member of each struct: its size. */
  static final String STRUCT_BYTES = "struct_bytes";

  /** {@code vbn_wishes}. */
  public static final StructLayout WISHES =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("port"),
              ADDRESS.withName("device"),
              JAVA_INT.withName("gid_index"),
              JAVA_INT.withName("family"),
              JAVA_INT.withName("pkey"),
              JAVA_INT.withName("service_level"),
              JAVA_INT.withName("mtu_bytes"),
              JAVA_INT.withName("traffic_class"),
              ADDRESS.withName("listen"))
          .withName("vbn_wishes");

  /** {@code vbn_port}. */
  public static final StructLayout PORT =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("port"),
              bytes(64).withName("device"),
              bytes(32).withName("provider"),
              JAVA_LONG.withName("node_guid"),
              JAVA_INT.withName("state"),
              JAVA_INT.withName("link_layer"),
              JAVA_INT.withName("lid"),
              JAVA_INT.withName("mtu_bytes"),
              JAVA_DOUBLE.withName("gigabits_per_second"),
              JAVA_INT.withName("gid_count"),
              JAVA_INT.withName("usable"),
              JAVA_INT.withName("chosen"),
              JAVA_INT.withName("max_queue_pairs"),
              JAVA_INT.withName("max_work_requests"),
              JAVA_INT.withName("max_sge"),
              JAVA_INT.withName("max_completions"),
              JAVA_INT.withName("max_shared_receives"),
              JAVA_LONG.withName("max_region_bytes"))
          .withName("vbn_port");

  /** {@code vbn_gid}. */
  public static final StructLayout GID =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("index"),
              bytes(16).withName("raw"),
              bytes(48).withName("text"),
              bytes(16).withName("type"),
              JAVA_INT.withName("chosen"),
              JAVA_INT.withName("reserved"))
          .withName("vbn_gid");

  /** {@code vbn_endpoint_options}. */
  public static final StructLayout ENDPOINT_OPTIONS =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("node_id"),
              JAVA_LONG.withName("incarnation"),
              ADDRESS.withName("cluster"),
              ADDRESS.withName("key"),
              JAVA_LONG.withName("key_bytes"),
              ADDRESS.withName("listen"),
              ADDRESS.withName("device"),
              JAVA_INT.withName("kernel_only"),
              JAVA_INT.withName("max_connections"),
              JAVA_INT.withName("send_work_requests"),
              JAVA_INT.withName("signal_every"),
              JAVA_INT.withName("buffer_bytes"),
              JAVA_INT.withName("buffers_per_receive"),
              JAVA_INT.withName("receive_work_requests"),
              JAVA_INT.withName("window"),
              JAVA_INT.withName("control_bytes"),
              JAVA_INT.withName("reserved"),
              JAVA_LONG.withName("heartbeat_ns"),
              JAVA_LONG.withName("dead_after_ns"),
              JAVA_LONG.withName("discovery_ns"),
              ADDRESS.withName("fabric"))
          .withName("vbn_endpoint_options");

  /** {@code vbn_news}. */
  public static final StructLayout NEWS =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("kind"),
              JAVA_LONG.withName("link"),
              JAVA_LONG.withName("incarnation"),
              JAVA_INT.withName("peer"),
              JAVA_INT.withName("dialled"),
              JAVA_INT.withName("refusal"),
              JAVA_INT.withName("service"),
              bytes(512).withName("text"))
          .withName("vbn_news");

  /** {@code vbn_arrival}, its pieces one after the other. */
  public static final StructLayout ARRIVAL =
      structLayout(
              JAVA_LONG.withName("link"),
              JAVA_LONG.withName("position"),
              JAVA_INT.withName("stream"),
              JAVA_INT.withName("bytes"),
              JAVA_INT.withName("receive"),
              JAVA_INT.withName("piece_count"),
              sequenceLayout(
                      4,
                      structLayout(JAVA_LONG.withName("start"), JAVA_LONG.withName("bytes"))
                          .withName("vbn_piece"))
                  .withName("pieces"))
          .withName("vbn_arrival");

  /** {@code vbn_counters}. */
  public static final StructLayout COUNTERS =
      structLayout(
              JAVA_INT.withName(STRUCT_BYTES),
              JAVA_INT.withName("connections"),
              JAVA_LONG.withName("links_made"),
              JAVA_LONG.withName("links_lost"),
              JAVA_LONG.withName("refused_protocol"),
              JAVA_LONG.withName("refused_identity"),
              JAVA_LONG.withName("refused_key"),
              JAVA_LONG.withName("exchange_packets_in"),
              JAVA_LONG.withName("exchange_packets_out"),
              JAVA_LONG.withName("receive_buffer_bytes"),
              JAVA_LONG.withName("bytes_per_connection"),
              JAVA_LONG.withName("completion_queue_bytes"))
          .withName("vbn_counters");

  static final List<StructLayout> ALL =
      List.of(WISHES, PORT, GID, ENDPOINT_OPTIONS, NEWS, ARRIVAL, COUNTERS);

  private Structs() {}

  private static SequenceLayout bytes(long count) {
    return sequenceLayout(count, JAVA_BYTE);
  }
}
