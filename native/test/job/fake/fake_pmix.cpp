// SPDX-License-Identifier: Apache-2.0
#include "fake_pmix.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "job/pmix_abi.h"

namespace pmix = verbena::job::pmix;

namespace {

constexpr pmix::Status kNotFound = -46;

std::mutex mutex;
FakePmix fake;
std::map<std::pair<pmix::Rank, std::string>, std::string> texts;
std::vector<std::pair<pmix::Done, void*>> waiting;
thread_local pmix::Rank self = 0;

pmix::Value* made(uint16_t type) {
  auto* value = static_cast<pmix::Value*>(std::calloc(1, sizeof(pmix::Value)));
  value->type = type;
  return value;
}

pmix::Value* makeNumber(uint32_t number) {
  pmix::Value* value = made(pmix::kUint32);
  value->uint32 = number;
  return value;
}

pmix::Value* makeShort(uint32_t number) {
  pmix::Value* value = made(pmix::kUint16);
  value->uint16 = static_cast<uint16_t>(number);
  return value;
}

}  // namespace

extern "C" {

FakePmix& fake_pmix_reset() {
  std::lock_guard lock(mutex);
  fake = {};
  texts.clear();
  waiting.clear();
  return fake;
}

void fake_pmix_be(uint32_t rank) {
  self = rank;
}

const char* PMIx_Get_version() {
  return fake.version;
}

const char* PMIx_Error_string(pmix::Status status) {
  return status == kNotFound ? "NOT-FOUND" : "SOMETHING-ELSE";
}

pmix::Status PMIx_Init(pmix::Process* process, pmix::Info*, size_t) {
  std::lock_guard lock(mutex);
  fake.begun++;
  std::strcpy(process->job, "made up");
  process->rank = self;
  return fake.initStatus;
}

pmix::Status PMIx_Finalize(const pmix::Info*, size_t) {
  std::lock_guard lock(mutex);
  fake.finished++;
  return pmix::kSuccess;
}

pmix::Status PMIx_Put(uint8_t, const char* key, pmix::Value* value) {
  std::lock_guard lock(mutex);
  if (fake.keepsTexts) texts[{self, key}] = value->string;
  return pmix::kSuccess;
}

pmix::Status PMIx_Commit() {
  return pmix::kSuccess;
}

pmix::Status PMIx_Get(const pmix::Process* of, const char* key, const pmix::Info*, size_t,
                      pmix::Value** value) {
  std::lock_guard lock(mutex);
  std::string name = key;
  if (name == pmix::kJobSize) {
    *value = makeNumber(fake.size);
  } else if (name == pmix::kLocalSizeOf) {
    *value = makeNumber(fake.localSize);
  } else if (name == pmix::kLocalRankOf && fake.knowsPlaces) {
    *value = makeShort(self % fake.localSize);
  } else if (auto found = texts.find({of->rank, name}); found != texts.end()) {
    *value = made(pmix::kString);
    (*value)->string = strdup(found->second.c_str());
  } else {
    return kNotFound;
  }
  return pmix::kSuccess;
}

pmix::Status PMIx_Fence_nb(const pmix::Process* processes, size_t, const pmix::Info* infos, size_t,
                           pmix::Done done, void* what) {
  std::unique_lock lock(mutex);
  bool isCollecting = std::strcmp(infos->key, pmix::kCollect) == 0 && infos->value.flag;
  if (processes->rank != pmix::kAllRanks || !isCollecting) return kNotFound;
  if (!fake.fenceEnds) return pmix::kSuccess;
  waiting.emplace_back(done, what);
  if (waiting.size() < fake.size) return pmix::kSuccess;
  auto all = std::exchange(waiting, {});
  lock.unlock();
  for (auto [each, argument] : all) each(pmix::kSuccess, argument);
  return pmix::kSuccess;
}

}  // extern "C"
