// SPDX-License-Identifier: Apache-2.0
#include "fabric_perf_side.h"

#include <sys/random.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace verbena::bench {
namespace {

constexpr uint64_t kPatienceNs = 30'000'000'000;

uint64_t offsetOf(uint64_t bytes, uint64_t i) {
  return i % (kRegionBytes / bytes) * bytes;
}

std::span<std::byte> part(const vbn_region* region, uint64_t bytes, uint64_t i) {
  auto* memory = static_cast<std::byte*>(vbn_region_memory(region));
  return {memory + offsetOf(bytes, i), bytes};
}

void check(const vbn_done& done) {
  if (done.outcome == VBN_OUTCOME_DONE) return;
  char text[256];
  vbn_done_sentence(&done, text, sizeof text);
  die(kFabricPerf, text);
}

/// Else memory that both map would be measured under the wire's name.
void checkThatAllGoesByTheDevice(vbn_fabric* node, uint64_t link) {
  if (vbn_fabric_way(node, link, nullptr, 0) == 0) return;
  die(kFabricPerf, "the link that is to go over TCP goes by mapped memory, or has gone");
}

void serve(const std::string& device, const WireOfTcp* tcp, int line) {
  if (tcp != nullptr) setenv("VERBENA_SOFTNIC_DIR", tcp->folder.c_str(), 1);
  Side side(device, 1, tcp);
  Introduction own{};
  std::snprintf(own.address, sizeof own.address, "%s", vbn_fabric_address(side.node));
  must(vbn_region_share(side.region, 0, kRegionBytes,
                        VBN_REMOTE_GET | VBN_REMOTE_PUT | VBN_REMOTE_ATOMIC, own.key));
  if (write(line, &own, sizeof own) != sizeof own) return;
  for (;;) {  // until it is killed
    vbn_done none;
    vbn_fabric_arm(side.node);
    vbn_fabric_poll(side.node, &none, 1);
    vbn_fabric_wait(side.node, 1'000'000'000);
  }
}

}  // namespace

void must(vbn_status status) {
  if (status != VBN_OK) die(kFabricPerf, vbn_error());
}

Side::Side(const std::string& device, uint32_t id, const WireOfTcp* tcp) {
  vbn_wishes wishes{sizeof wishes, 0, device.c_str(), -1, 0, -1, -1, 0, 0, nullptr};
  vbn_fabric_options given{};
  given.struct_bytes = sizeof given;
  given.node_id = id;
  given.listen = "127.0.0.1:0";
  given.device = &wishes;
  // Both are on this host, and would use memory that they both map. On softnic that is its way.
  given.device_only = tcp != nullptr || device != "softnic" ? 1 : 0;
  if (tcp != nullptr) {
    wishes.listen = tcp->near;
    given.key = tcp->key.data();
    given.key_bytes = tcp->key.size();
  }
  must(vbn_fabric_open(&given, &node));
  must(vbn_region_allocate(node, kRegionBytes, &region));
}

Side::~Side() {
  vbn_fabric_close(node);
  vbn_region_free(region);
}

Target::Target(const std::string& device, const WireOfTcp* tcp) {
  if (pipe(line_) != 0) die(kFabricPerf, "no pipe");
  process_.emplace(kFabricPerf, [&] { serve(device, tcp, line_[1]); });
  close(line_[1]);
}

Target::~Target() {
  close(line_[0]);
}

Introduction Target::introduction() const {
  Introduction far{};
  if (read(line_[0], &far, sizeof far) != sizeof far) {
    die(kFabricPerf, "the other process ended too early");
  }
  return far;
}

Measured::Measured(const std::string& device, const Target& target, const WireOfTcp* tcp)
    : side_(device, 2, tcp) {
  Introduction far = target.introduction();
  must(vbn_remote_open(far.key, sizeof far.key, &remote_));
  must(vbn_fabric_add_peer(side_.node, 1, far.address));
  must(vbn_fabric_link(side_.node, 1, kPatienceNs, &link_));
  if (tcp != nullptr) checkThatAllGoesByTheDevice(side_.node, link_);
  must(vbn_region_allocate(side_.node, kRegionBytes, &elsewhere_));
  std::ranges::fill(memory(kRegionBytes, 0), std::byte{1});
  std::ranges::fill(elsewhere(kRegionBytes, 0), std::byte{2});
}

Measured::~Measured() {
  vbn_remote_free(remote_);
  vbn_region_free(elsewhere_);
}

vbn_operation Measured::operation(uint32_t kind, uint64_t bytes) const {
  vbn_operation made{};
  made.kind = kind;
  made.local = side_.region;
  made.remote = remote_;
  made.length = bytes;
  return made;
}

vbn_operation Measured::at(uint32_t kind, uint64_t bytes, uint64_t i) const {
  vbn_operation made = operation(kind, bytes);
  made.local_offset = made.offset = offsetOf(bytes, i);
  return made;
}

std::span<std::byte> Measured::memory(uint64_t bytes, uint64_t i) const {
  return part(side_.region, bytes, i);
}

std::span<std::byte> Measured::elsewhere(uint64_t bytes, uint64_t i) const {
  return part(elsewhere_, bytes, i);
}

void Measured::run(const vbn_operation& one) {
  uint32_t posted = 0;
  must(vbn_fabric_post(side_.node, link_, &one, 1, &posted));
  vbn_done done{};
  while (vbn_fabric_poll(side_.node, &done, 1) == 0) continue;
  check(done);
}

uint32_t Measured::post(std::span<const vbn_operation> some) {
  uint32_t taken = 0;
  must(vbn_fabric_post(side_.node, link_, some.data(), static_cast<uint32_t>(some.size()), &taken));
  return taken;
}

uint32_t Measured::poll() {
  std::array<vbn_done, 64> done;
  uint32_t count = vbn_fabric_poll(side_.node, done.data(), done.size());
  for (uint32_t i = 0; i < count; i++) check(done[i]);
  return count;
}

}  // namespace verbena::bench
