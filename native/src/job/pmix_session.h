// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "job/pmix_abi.h"
#include "job/surroundings.h"

namespace verbena::job {

/// A process as a client of the PMIx server that has started it, by libpmix, which is opened only
/// now. One thread.
class PmixSession {
 public:
  /// Fails if there is no libpmix, or one of a version whose structures are not known.
  static base::Result<std::unique_ptr<PmixSession>> begin(const Variables& variables);
  /// Says goodbye: so the server does not hold this process' end for a failure.
  ~PmixSession();
  PmixSession(const PmixSession&) = delete;
  PmixSession& operator=(const PmixSession&) = delete;

  uint32_t rank() const { return self_.rank; }
  /// What the server says of the job, or of this process.
  base::Result<uint32_t> numberOfJob(const char* key) const;
  base::Result<uint32_t> numberOfSelf(const char* key) const;

  /// Puts down a text, which others have after exchange().
  base::Result<void> put(const char* key, std::string text);
  /// What a rank has put down.
  base::Result<std::string> textOf(uint32_t rank, const char* key) const;
  /// Waits for all ranks of the job, each of which calls this.
  base::Result<void> exchange(std::chrono::nanoseconds patience);

 private:
  struct Library {
    pmix::Init init;
    pmix::Finalize finalize;
    pmix::Get get;
    pmix::Put put;
    pmix::Commit commit;
    pmix::FenceNb fence;
    pmix::GetVersion version;
    pmix::ErrorString errorText;
  };

  static base::Result<Library> open(const Variables& variables);
  explicit PmixSession(const Library& library) : library_(library) {}
  base::Error failed(const char* call, pmix::Status status, const std::string& object = "") const;
  base::Result<uint32_t> number(pmix::Rank rank, const char* key) const;
  pmix::Process process(pmix::Rank rank) const;

  const Library library_;
  pmix::Process self_{};
  bool isStuck_ = false;  ///< a call is still under way: nothing may be called any more
};

}  // namespace verbena::job
