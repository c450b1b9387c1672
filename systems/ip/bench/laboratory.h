// SPDX-License-Identifier: Apache-2.0
//
// Two network namespaces with something between them, and a third one behind the second.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "flows.h"

namespace verbena::ip {

class Laboratory {
 public:
  /// `program`: vbn-ip. Throws Error, saying what is missing.
  explicit Laboratory(std::string program);
  ~Laboratory();

  // --- what lies between the two, one at a time; takes the former away
  void pump();
  /// `options`: of both. `apart`: as on two hosts, which share no memory.
  void fabric(const std::vector<std::string>& options, bool apart = false);
  void veth();
  /// False: it is not installed.
  bool socat();
  /// Nothing: TCP goes from one loopback address to another.
  void loopback();
  void clear();

  Place first() const { return {first_, firstAddress_}; }
  Place second() const { return {second_, secondAddress_}; }
  /// Behind the second one, by a pair of veth with an MTU of 1500.
  Place lan() const { return {lan_, "10.78.0.2"}; }
  /// Frames and packets that somebody has dropped, by what the first one says.
  uint64_t drops() const;

 private:
  void node(int number, const std::string& netns, const std::string& address,
            std::vector<std::string> options, bool apart);
  void routesToLan();

  const std::string program_;
  const std::string folder_;
  const std::string first_;
  const std::string second_;
  const std::string lan_;
  const std::string wire_;
  std::string firstAddress_;
  std::string secondAddress_;
  std::vector<pid_t> processes_;
  bool isFabric_ = false;
};

/// The output of a command. Throws Error if it fails.
std::string commandSays(const std::vector<std::string>& words);
bool isInstalled(const std::string& program);

}  // namespace verbena::ip
