// SPDX-License-Identifier: Apache-2.0
//
// A rank and its job.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "abi/job_handle.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::nanoseconds;
using abi::need;

static_assert(VBN_JOB_MOST_BYTES == job::kMostBytes);

namespace {

job::Job& insideOf(const vbn_job* given) {
  return *need(given, "job").inside;
}

vbn_job_end toC(const job::End& end) {
  vbn_job_end told{};
  told.rank = end.rank;
  told.status = static_cast<uint32_t>(end.exitStatus());
  return told;
}

/// What a function returns that has no status.
template <typename T, typename Body>
T answer(T otherwise, Body body) noexcept {
  T value = otherwise;
  abi::quietly([&] { value = body(); });
  return value;
}

template <typename Get>
uint32_t number(const vbn_job* given, Get get) noexcept {
  return answer<uint32_t>(0, [&] { return get(insideOf(given).place()); });
}

}  // namespace

vbn_status vbn_job_open(vbn_job** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(opened, "the place for the job");
    auto found = job::Job::open([](const char* name) { return std::getenv(name); });
    if (!found) return abi::refuse(found.error());
    *opened = new vbn_job{.inside = std::move(*found)};
    return VBN_OK;
  });
}

void vbn_job_free(vbn_job* job) noexcept {
  abi::quietly([&] { delete job; });
}

uint32_t vbn_job_rank(const vbn_job* job) noexcept {
  return number(job, [](const auto& place) { return place.rank; });
}

uint32_t vbn_job_size(const vbn_job* job) noexcept {
  return number(job, [](const auto& place) { return place.size; });
}

uint32_t vbn_job_local_rank(const vbn_job* job) noexcept {
  return number(job, [](const auto& place) { return place.localRank; });
}

uint32_t vbn_job_local_size(const vbn_job* job) noexcept {
  return number(job, [](const auto& place) { return place.localSize; });
}

uint32_t vbn_job_is_oversubscribed(const vbn_job* job) noexcept {
  return number(job, [](const auto& place) { return place.oversubscribed ? 1U : 0U; });
}

const char* vbn_job_id(const vbn_job* job) noexcept {
  return answer<const char*>(nullptr, [&] { return insideOf(job).place().id.c_str(); });
}

const char* vbn_job_host_address(const vbn_job* job) noexcept {
  return answer<const char*>(nullptr, [&] { return insideOf(job).place().hostAddress.c_str(); });
}

const uint8_t* vbn_job_key(const vbn_job* job, uint64_t* bytes) noexcept {
  return answer<const uint8_t*>(nullptr, [&]() -> const uint8_t* {
    const std::string& key = insideOf(job).key();
    need(bytes, "the place for the length") = key.size();
    return key.empty() ? nullptr : reinterpret_cast<const uint8_t*>(key.data());
  });
}

vbn_status vbn_job_publish(vbn_job* job, const void* address, uint64_t bytes) noexcept {
  return abi::guarded([&]() -> vbn_status {
    const auto* start = static_cast<const std::byte*>(address);
    if (bytes > 0) need(start, "the address");
    auto published = insideOf(job).publish(std::span(start, bytes));
    return published ? VBN_OK : abi::refuse(published.error());
  });
}

vbn_status vbn_job_address(const vbn_job* job, uint32_t rank, uint64_t timeout_ns, void* into,
                           uint64_t room, uint64_t* bytes) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(bytes, "the place for the length");
    auto address = insideOf(job).address(rank, nanoseconds(timeout_ns));
    if (!address) return abi::refuse(address.error());
    *bytes = address->size();
    if (address->size() > room) {
      std::string text = "the address has " + std::to_string(address->size()) +
                         " bytes, there is room for " + std::to_string(room);
      return abi::refuse(VBN_FAILED, text.c_str());
    }
    if (!address->empty()) {
      std::memcpy(&need(static_cast<std::byte*>(into), "the place for the address"),
                  address->data(), address->size());
    }
    return VBN_OK;
  });
}

vbn_status vbn_job_await_all(const vbn_job* job, uint64_t timeout_ns) noexcept {
  return abi::guarded([&]() -> vbn_status {
    auto all = insideOf(job).awaitAll(nanoseconds(timeout_ns));
    return all ? VBN_OK : abi::refuse(all.error());
  });
}

int32_t vbn_job_next_end(vbn_job* job, uint64_t timeout_ns, vbn_job_end* end) noexcept {
  return answer<int32_t>(-1, [&] {
    abi::checkSize(end, sizeof(vbn_job_end), "vbn_job_end");
    auto next = insideOf(job).awaitEnd(nanoseconds(timeout_ns));
    if (!next) return 0;
    abi::handOut(toC(*next), end, "vbn_job_end");
    return 1;
  });
}

int32_t vbn_job_end_at(const vbn_job* job, uint32_t number, uint64_t timeout_ns,
                       vbn_job_end* end) noexcept {
  return answer<int32_t>(-1, [&] {
    abi::checkSize(end, sizeof(vbn_job_end), "vbn_job_end");
    auto found = insideOf(job).end(number, nanoseconds(timeout_ns));
    if (!found) return 0;
    abi::handOut(toC(*found), end, "vbn_job_end");
    return 1;
  });
}
