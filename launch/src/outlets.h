// SPDX-License-Identifier: Apache-2.0
//
// Where the ranks' output goes: on, as it is or tagged, or into files.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "job/polling.h"
#include "options.h"

namespace verbena::launch {

class Outlets {
 public:
  /// Called when what was added has gone out.
  using Passed = std::function<void()>;

  Outlets(OutputMode mode, std::string folder) : mode_(mode), folder_(std::move(folder)) {}

  /// Makes the folder and the files of so many ranks, if there are to be any.
  base::Result<void> open(uint32_t ranks);
  /// A sentence of the launcher's own, on standard error.
  void say(const std::string& sentence);

  /// Whole lines of a rank. `stream`: 1 is standard output, 2 standard error.
  void add(uint32_t rank, uint32_t stream, std::string_view lines, Passed passed);
  void watch(job::Poll& poll);
  /// From here on nothing is passed on: who reads it does not.
  void giveUp();
  bool isEmpty() const { return outlets_[0].pieces.empty() && outlets_[1].pieces.empty(); }

  /// Nothing more comes.
  void closeFiles();
  /// Why output could not be written, the first time; what came after it is dropped.
  const std::optional<base::Error>& failure() const { return failure_; }

 private:
  struct Piece {
    std::string text;
    Passed passed;
  };
  /// Standard output or error of the launcher.
  struct Outlet {
    explicit Outlet(int number);
    ssize_t writeSome(std::string_view text) const;

    int number;                 ///< 1 or 2
    base::FileDescriptor open;  ///< where it goes, by a description of ours
    bool isSocket = false;
    std::deque<Piece> pieces{};
    size_t written = 0;  ///< of the first
  };

  void writeSome(Outlet& outlet);
  std::string pathOf(uint32_t rank, uint32_t stream) const;
  bool openFile(uint32_t rank, uint32_t stream);
  void addToFile(uint32_t rank, uint32_t stream, std::string_view lines);
  void fail(const std::string& object, int code);
  void drop();

  const OutputMode mode_;
  const std::string folder_;
  std::array<Outlet, 2> outlets_{Outlet(1), Outlet(2)};
  std::map<std::pair<uint32_t, uint32_t>, base::FileDescriptor> files_;
  std::optional<base::Error> failure_;
  bool isGivenUp_ = false;
};

/// The lines, each behind its rank.
std::string tagged(uint32_t rank, std::string_view lines);

}  // namespace verbena::launch
