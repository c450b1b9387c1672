/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the structs of verbena.h and verbena/fabric.h as this compiler lays them out:
 * "STRUCT BYTES", then "STRUCT.MEMBER OFFSET BYTES" for each member.
 */
#include <stddef.h>
#include <stdio.h>

#include "verbena.h"
#include "verbena/fabric.h"

#define STRUCT(type) printf("%s %zu\n", #type, sizeof(type))
#define MEMBER(type, name) \
  printf("%s.%s %zu %zu\n", #type, #name, offsetof(type, name), sizeof(((type*)0)->name))

static void printWishes(void) {
  STRUCT(vbn_wishes);
  MEMBER(vbn_wishes, struct_bytes);
  MEMBER(vbn_wishes, port);
  MEMBER(vbn_wishes, device);
  MEMBER(vbn_wishes, gid_index);
  MEMBER(vbn_wishes, family);
  MEMBER(vbn_wishes, pkey);
  MEMBER(vbn_wishes, service_level);
  MEMBER(vbn_wishes, mtu_bytes);
  MEMBER(vbn_wishes, traffic_class);
  MEMBER(vbn_wishes, listen);
}

static void printPort(void) {
  STRUCT(vbn_port);
  MEMBER(vbn_port, struct_bytes);
  MEMBER(vbn_port, port);
  MEMBER(vbn_port, device);
  MEMBER(vbn_port, provider);
  MEMBER(vbn_port, node_guid);
  MEMBER(vbn_port, state);
  MEMBER(vbn_port, link_layer);
  MEMBER(vbn_port, lid);
  MEMBER(vbn_port, mtu_bytes);
  MEMBER(vbn_port, gigabits_per_second);
  MEMBER(vbn_port, gid_count);
  MEMBER(vbn_port, usable);
  MEMBER(vbn_port, chosen);
  MEMBER(vbn_port, max_queue_pairs);
  MEMBER(vbn_port, max_work_requests);
  MEMBER(vbn_port, max_sge);
  MEMBER(vbn_port, max_completions);
  MEMBER(vbn_port, max_shared_receives);
  MEMBER(vbn_port, max_region_bytes);
}

static void printGid(void) {
  STRUCT(vbn_gid);
  MEMBER(vbn_gid, struct_bytes);
  MEMBER(vbn_gid, index);
  MEMBER(vbn_gid, raw);
  MEMBER(vbn_gid, text);
  MEMBER(vbn_gid, type);
  MEMBER(vbn_gid, chosen);
  MEMBER(vbn_gid, reserved);
}

static void printEndpointOptions(void) {
  STRUCT(vbn_endpoint_options);
  MEMBER(vbn_endpoint_options, struct_bytes);
  MEMBER(vbn_endpoint_options, node_id);
  MEMBER(vbn_endpoint_options, incarnation);
  MEMBER(vbn_endpoint_options, cluster);
  MEMBER(vbn_endpoint_options, key);
  MEMBER(vbn_endpoint_options, key_bytes);
  MEMBER(vbn_endpoint_options, listen);
  MEMBER(vbn_endpoint_options, device);
  MEMBER(vbn_endpoint_options, kernel_only);
  MEMBER(vbn_endpoint_options, max_connections);
  MEMBER(vbn_endpoint_options, send_work_requests);
  MEMBER(vbn_endpoint_options, signal_every);
  MEMBER(vbn_endpoint_options, buffer_bytes);
  MEMBER(vbn_endpoint_options, buffers_per_receive);
  MEMBER(vbn_endpoint_options, receive_work_requests);
  MEMBER(vbn_endpoint_options, window);
  MEMBER(vbn_endpoint_options, control_bytes);
  MEMBER(vbn_endpoint_options, reserved);
  MEMBER(vbn_endpoint_options, heartbeat_ns);
  MEMBER(vbn_endpoint_options, dead_after_ns);
  MEMBER(vbn_endpoint_options, discovery_ns);
  MEMBER(vbn_endpoint_options, fabric);
}

static void printNews(void) {
  STRUCT(vbn_news);
  MEMBER(vbn_news, struct_bytes);
  MEMBER(vbn_news, kind);
  MEMBER(vbn_news, link);
  MEMBER(vbn_news, incarnation);
  MEMBER(vbn_news, peer);
  MEMBER(vbn_news, dialled);
  MEMBER(vbn_news, refusal);
  MEMBER(vbn_news, service);
  MEMBER(vbn_news, text);
}

static void printArrival(void) {
  STRUCT(vbn_arrival);
  MEMBER(vbn_arrival, link);
  MEMBER(vbn_arrival, position);
  MEMBER(vbn_arrival, stream);
  MEMBER(vbn_arrival, bytes);
  MEMBER(vbn_arrival, receive);
  MEMBER(vbn_arrival, piece_count);
  MEMBER(vbn_arrival, pieces);
}

static void printCounters(void) {
  STRUCT(vbn_counters);
  MEMBER(vbn_counters, struct_bytes);
  MEMBER(vbn_counters, connections);
  MEMBER(vbn_counters, links_made);
  MEMBER(vbn_counters, links_lost);
  MEMBER(vbn_counters, refused_protocol);
  MEMBER(vbn_counters, refused_identity);
  MEMBER(vbn_counters, refused_key);
  MEMBER(vbn_counters, exchange_packets_in);
  MEMBER(vbn_counters, exchange_packets_out);
  MEMBER(vbn_counters, receive_buffer_bytes);
  MEMBER(vbn_counters, bytes_per_connection);
  MEMBER(vbn_counters, completion_queue_bytes);
}

static void printFabricOptions(void) {
  STRUCT(vbn_fabric_options);
  MEMBER(vbn_fabric_options, struct_bytes);
  MEMBER(vbn_fabric_options, node_id);
  MEMBER(vbn_fabric_options, incarnation);
  MEMBER(vbn_fabric_options, cluster);
  MEMBER(vbn_fabric_options, key);
  MEMBER(vbn_fabric_options, key_bytes);
  MEMBER(vbn_fabric_options, listen);
  MEMBER(vbn_fabric_options, device);
  MEMBER(vbn_fabric_options, kernel_only);
  MEMBER(vbn_fabric_options, max_links);
  MEMBER(vbn_fabric_options, operations);
  MEMBER(vbn_fabric_options, signals);
  MEMBER(vbn_fabric_options, heartbeat_ns);
  MEMBER(vbn_fabric_options, dead_after_ns);
  MEMBER(vbn_fabric_options, channels);
  MEMBER(vbn_fabric_options, device_only);
  MEMBER(vbn_fabric_options, sleeps_at_once);
  MEMBER(vbn_fabric_options, workers);
}

static void printOperation(void) {
  STRUCT(vbn_operation);
  MEMBER(vbn_operation, kind);
  MEMBER(vbn_operation, flags);
  MEMBER(vbn_operation, local);
  MEMBER(vbn_operation, local_offset);
  MEMBER(vbn_operation, remote);
  MEMBER(vbn_operation, offset);
  MEMBER(vbn_operation, length);
  MEMBER(vbn_operation, operand);
  MEMBER(vbn_operation, swap);
  MEMBER(vbn_operation, cookie);
  MEMBER(vbn_operation, signal);
  MEMBER(vbn_operation, reserved);
}

static void printDone(void) {
  STRUCT(vbn_done);
  MEMBER(vbn_done, cookie);
  MEMBER(vbn_done, offset);
  MEMBER(vbn_done, length);
  MEMBER(vbn_done, key);
  MEMBER(vbn_done, peer);
  MEMBER(vbn_done, outcome);
  MEMBER(vbn_done, kind);
  MEMBER(vbn_done, status);
  MEMBER(vbn_done, reserved);
}

static void printSignal(void) {
  STRUCT(vbn_signal);
  MEMBER(vbn_signal, link);
  MEMBER(vbn_signal, peer);
  MEMBER(vbn_signal, value);
}

static void printLinkCounters(void) {
  STRUCT(vbn_link_counters);
  MEMBER(vbn_link_counters, struct_bytes);
  MEMBER(vbn_link_counters, peer);
  MEMBER(vbn_link_counters, relinks);
  MEMBER(vbn_link_counters, reserved);
  MEMBER(vbn_link_counters, puts);
  MEMBER(vbn_link_counters, gets);
  MEMBER(vbn_link_counters, atomics);
  MEMBER(vbn_link_counters, flushes);
  MEMBER(vbn_link_counters, signals);
  MEMBER(vbn_link_counters, put_bytes);
  MEMBER(vbn_link_counters, got_bytes);
  MEMBER(vbn_link_counters, by_mapping);
  MEMBER(vbn_link_counters, by_device);
  MEMBER(vbn_link_counters, no_room);
  MEMBER(vbn_link_counters, refused);
  MEMBER(vbn_link_counters, failed);
}

int main(void) {
  printWishes();
  printPort();
  printGid();
  printEndpointOptions();
  printNews();
  printArrival();
  printCounters();
  printFabricOptions();
  printOperation();
  printDone();
  printSignal();
  printLinkCounters();
  return 0;
}
