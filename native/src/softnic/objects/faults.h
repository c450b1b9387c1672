// SPDX-License-Identifier: Apache-2.0
//
// The fault script: makes chosen operations of a context go wrong, to test what stands on it.
//
//   script  = rule { ";" rule }
//   rule    = "seed=" NUMBER | kind [ "@" QP ] ":" when "=" action
//   kind    = "send" | "write" | "read" | "atomic" | "datagram" | "receive" | "any"
//   QP      = the n-th queue pair of its context, from 1; without it the rule counts on each
//   when    = N | N "-" M | N "+" | "*" | "p" FRACTION      (the n-th operation of the kind, from
//   1) action  = "fail(STATUS)"      completes with it, as in IBV_WC_STATUS without the prefix
//           | "delay(MS)"         goes out later, and everything behind it
//           | "rnr(MS)"           is refused as by a receiver that is not ready, for that time
//           | "drop" | "duplicate" | "reorder"       of a datagram; the last: behind the next one
//           | "device-fatal"      the event, and every queue pair fails
//           | "no-memory"         whoever handles it, in whatever thread, has no memory for it
//           | "port-down(MS)"     the events for down and, after that time, up again
//           | "hold(MS)"          of a one-sided operation that the initiator executes: in its
//           middle,
//                                 for that time or until there is another script
//           | "stop"              likewise: stops the process (SIGSTOP), until somebody continues
//           it
//
//   VERBENA_SOFTNIC_FAULTS="seed=7; datagram:p0.1=drop; send@1:100=fail(RETRY_EXC_ERR)"
//
// Which operations are met depends on the script alone, not on time: chance is a function of the
// seed, the rule, the queue pair's place and the count.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace verbena::softnic {

enum class OperationKind : uint8_t { Send, Write, Read, Atomic, Datagram, Receive, Any };

enum class FaultAction : uint8_t {
  None,
  Fail,
  Delay,
  NotReady,
  Drop,
  Duplicate,
  Reorder,
  DeviceFatal,
  NoMemory,
  PortDown,
  Hold,
  Stop,
};

struct Fault {
  FaultAction action = FaultAction::None;
  ibv_wc_status status = IBV_WC_SUCCESS;  // of Fail
  uint64_t durationNs = 0;                // of Delay, NotReady, PortDown, Hold
};

/// How often each rule has seen an operation of one queue pair.
struct FaultCounts {
  uint32_t qpPlace = 0;  // from 1
  std::vector<uint64_t> ofRule;
};

class FaultScript {
 public:
  /// Nothing, and the reason in `error`, if the text is not a script.
  static std::optional<FaultScript> parse(std::string_view text, std::string& error);

  /// What is to happen to the next operation of a queue pair: the first rule that meets it decides.
  Fault choose(OperationKind kind, FaultCounts& counts) const;

 private:
  struct Rule {
    OperationKind kind = OperationKind::Any;
    uint32_t qpPlace = 0;  // 0: any
    uint64_t first = 1;
    uint64_t last = UINT64_MAX;
    double probability = 1;
    Fault fault;
  };
  static bool parseRule(std::string_view text, Rule& rule, std::string& error);
  bool meets(const Rule& rule, size_t index, uint64_t count, uint32_t qpPlace) const;

  uint64_t seed_ = 0;
  std::vector<Rule> rules_;
};

/// Gives an open softnic context a script, in place of the one it had. False, and the reason in
/// `error`, if the text is not one. The empty script does nothing.
bool setFaults(ibv_context* context, std::string_view script, std::string& error);

}  // namespace verbena::softnic
