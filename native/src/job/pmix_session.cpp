// SPDX-License-Identifier: Apache-2.0
#include "job/pmix_session.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "job/contract.h"

namespace verbena::job {
namespace {

constexpr const char* kOperation = "meet the other ranks by PMIx";
constexpr const char* kUsualName = "libpmix.so.2";
constexpr uint32_t kOldestVersion = 3;
constexpr uint32_t kNewestVersion = 5;

/// A value that the library has made; freed as it says.
struct Free {
  void operator()(pmix::Value* value) const {
    if (value->type == pmix::kString) std::free(value->string);
    std::free(value);
  }
};
using OwnedValue = std::unique_ptr<pmix::Value, Free>;

std::optional<uint64_t> numberIn(const pmix::Value& value) {
  switch (value.type) {
    case pmix::kSize: return value.size;
    case pmix::kInt: return static_cast<uint64_t>(value.integer);
    case pmix::kInt32: return static_cast<uint64_t>(value.int32);
    case pmix::kInt64: return static_cast<uint64_t>(value.int64);
    case pmix::kUint:
    case pmix::kUint32:
    case pmix::kRank: return value.uint32;
    case pmix::kUint16: return value.uint16;
    case pmix::kUint64: return value.uint64;
    default: return std::nullopt;
  }
}

/// "OpenPMIx 4.2.2, repo rev: ..." is 4.
uint32_t majorOf(const std::string& version) {
  size_t at = std::min(version.find_first_of("0123456789"), version.size());
  uint32_t number = 0;
  std::from_chars(version.data() + at, version.data() + version.size(), number);
  return number;
}

template <typename Function>
bool find(void* library, const char* name, Function& into, std::string& missing) {
  into = reinterpret_cast<Function>(dlsym(library, name));
  if (into == nullptr) missing = name;
  return into != nullptr;
}

/// What a fence that may outlast its caller writes to.
struct Outcome {
  std::mutex mutex;
  std::condition_variable came;
  std::optional<pmix::Status> status;
};
using SharedOutcome = std::shared_ptr<Outcome>;

extern "C" void noteOutcome(pmix::Status status, void* what) {
  std::unique_ptr<SharedOutcome> outcome(static_cast<SharedOutcome*>(what));
  std::lock_guard lock((*outcome)->mutex);
  (*outcome)->status = status;
  (*outcome)->came.notify_all();
}

}  // namespace

base::Result<PmixSession::Library> PmixSession::open(const Variables& variables) {
  const char* chosen = variables(kPmixLibrary);
  std::string name = chosen != nullptr && *chosen != '\0' ? chosen : kUsualName;
  // Its plug-ins look for its symbols among those of the whole process.
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) {
    return base::Error{
        kOperation, name, 0,
        std::string(dlerror()) + "; install libpmix, or say by " + kPmixLibrary + " where it is"};
  }
  Library library{};
  std::string missing;
  bool isWhole = find(handle, "PMIx_Get_version", library.version, missing) &&
                 find(handle, "PMIx_Error_string", library.errorText, missing) &&
                 find(handle, "PMIx_Init", library.init, missing) &&
                 find(handle, "PMIx_Finalize", library.finalize, missing) &&
                 find(handle, "PMIx_Get", library.get, missing) &&
                 find(handle, "PMIx_Put", library.put, missing) &&
                 find(handle, "PMIx_Commit", library.commit, missing) &&
                 find(handle, "PMIx_Fence_nb", library.fence, missing);
  if (!isWhole) return base::Error{kOperation, name, 0, "it has no function " + missing};
  std::string version = library.version();
  uint32_t number = majorOf(version);
  if (number >= kOldestVersion && number <= kNewestVersion) return library;
  return base::Error{kOperation, name, 0,
                     "it is '" + version + "'; versions " + std::to_string(kOldestVersion) +
                         " to " + std::to_string(kNewestVersion) + " are known"};
}

base::Result<std::unique_ptr<PmixSession>> PmixSession::begin(const Variables& variables) {
  auto library = open(variables);
  if (!library) return library.error();
  std::unique_ptr<PmixSession> session(new PmixSession(*library));
  session->isStuck_ = true;  // until it has begun there is no goodbye
  pmix::Status status = library->init(&session->self_, nullptr, 0);
  if (status != pmix::kSuccess) return session->failed("PMIx_Init", status);
  session->isStuck_ = false;
  return session;
}

PmixSession::~PmixSession() {
  if (!isStuck_) library_.finalize(nullptr, 0);
}

base::Error PmixSession::failed(const char* call, pmix::Status status,
                                const std::string& object) const {
  std::string text = std::string(call) + " says " + library_.errorText(status);
  return base::Error{kOperation, object, 0, text};
}

pmix::Process PmixSession::process(pmix::Rank rank) const {
  pmix::Process process = self_;
  process.rank = rank;
  return process;
}

base::Result<uint32_t> PmixSession::number(pmix::Rank rank, const char* key) const {
  pmix::Process of = process(rank);
  pmix::Value* got = nullptr;
  pmix::Status status = library_.get(&of, key, nullptr, 0, &got);
  if (status != pmix::kSuccess) return failed("PMIx_Get", status, key);
  OwnedValue value(got);
  auto number = numberIn(*value);
  if (number && *number <= kMostRanks) return static_cast<uint32_t>(*number);
  return base::Error{kOperation, key, 0, "it is no number, or above " + std::to_string(kMostRanks)};
}

base::Result<uint32_t> PmixSession::numberOfJob(const char* key) const {
  return number(pmix::kAllRanks, key);
}

base::Result<uint32_t> PmixSession::numberOfSelf(const char* key) const {
  return number(self_.rank, key);
}

base::Result<void> PmixSession::put(const char* key, std::string text) {
  pmix::Value value{};
  value.type = pmix::kString;
  value.string = text.data();
  pmix::Status status = library_.put(pmix::kToAll, key, &value);
  if (status != pmix::kSuccess) return failed("PMIx_Put", status, key);
  status = library_.commit();
  if (status != pmix::kSuccess) return failed("PMIx_Commit", status, key);
  return {};
}

base::Result<std::string> PmixSession::textOf(uint32_t rank, const char* key) const {
  pmix::Process of = process(rank);
  pmix::Value* got = nullptr;
  pmix::Status status = library_.get(&of, key, nullptr, 0, &got);
  if (status != pmix::kSuccess) return failed("PMIx_Get", status, key);
  OwnedValue value(got);
  if (value->type == pmix::kString && value->string != nullptr) return std::string(value->string);
  return base::Error{kOperation, key, EPROTO, "it is no text"};
}

base::Result<void> PmixSession::exchange(std::chrono::nanoseconds patience) {
  pmix::Process all = process(pmix::kAllRanks);
  pmix::Info collect{};
  std::strncpy(collect.key, pmix::kCollect, sizeof collect.key - 1);
  collect.value.type = pmix::kBool;
  collect.value.flag = true;
  auto outcome = std::make_shared<Outcome>();
  auto told = std::make_unique<SharedOutcome>(outcome);
  pmix::Status status = library_.fence(&all, 1, &collect, 1, noteOutcome, told.get());
  if (status != pmix::kSuccess) return failed("PMIx_Fence_nb", status);
  SharedOutcome* callbacks = told.release();  // the callback frees it
  std::unique_lock lock(outcome->mutex);
  if (!outcome->came.wait_for(lock, patience, [&] { return outcome->status.has_value(); })) {
    isStuck_ = true;
    static auto& stillAwaited = *new std::vector<SharedOutcome*>;  // PMIx may yet call back
    stillAwaited.push_back(callbacks);
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    return base::Error{kOperation, "", ETIMEDOUT,
                       "within " + std::to_string(seconds.count()) + " s (" + kStartTimeout +
                           ") some have not opened their job"};
  }
  if (*outcome->status == pmix::kSuccess) return {};
  return failed("PMIx_Fence_nb", *outcome->status);
}

}  // namespace verbena::job
