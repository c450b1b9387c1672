// SPDX-License-Identifier: Apache-2.0
#include "agent_ranks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "job/contract.h"
#include "processors.h"

namespace verbena::launch {
namespace {

constexpr size_t kReadBytes = 16 << 10;

std::string variable(const char* name, uint32_t value) {
  return std::string(name) + "=" + std::to_string(value);
}

std::vector<std::string> variablesOf(const StartOrder& order, uint32_t local) {
  return {variable(job::kRank, order.ranks[local].rank), variable(job::kSize, order.size),
          variable(job::kLocalRank, local),
          variable(job::kLocalSize, static_cast<uint32_t>(order.ranks.size())),
          variable(job::kOversubscribed, order.ranks.size() > processorCount() ? 1 : 0)};
}

}  // namespace

void AgentRanks::start(const StartOrder& order, const std::vector<std::string>& variables) {
  showsPieces_ = order.showsPieces;
  commands_ = order.commands;
  std::vector<cpu_set_t> places = order.bindToCores ? cores() : std::vector<cpu_set_t>{};
  for (uint32_t local = 0; local < order.ranks.size(); local++) {
    const RankOrder& each = order.ranks[local];
    const Command& command = order.commands[each.command];
    bool isFirst = order.readers == Readers::first && each.rank == 0;
    bool hasInput = isFirst || order.readers == Readers::all;
    RankStart start{each.rank, command.words, command.folder, {}, {}, hasInput, signals_, files_};
    for (const auto& more : {command.variables, variables, variablesOf(order, local)}) {
      start.variables.insert(start.variables.end(), more.begin(), more.end());
    }
    if (!places.empty()) start.processors = places[local % places.size()];
    RankProcess process;
    if (auto failure = RankProcess::start(start, process)) {
      events_.failed(each.rank, *failure);
    } else {
      ranks_.push_back(std::move(process));
      commandOf_.push_back(each.command);
    }
  }
}

void AgentRanks::watch(job::Poll& poll, bool hasRoom) {
  if (ranks_.empty()) return;
  for (RankProcess& rank : ranks_) {
    if (rank.beginning) poll.watch(rank.beginning.get(), POLLIN, [this, &rank] { begin(rank); });
    bool isBehind = rank.inputTaken < forgotten_ + input_.size();
    if (!rank.input || !(isBehind || inputEnded_)) continue;
    poll.watch(rank.input.get(), POLLOUT, [this, &rank] { writeInput(rank); });
  }
  if (!hasRoom) return;
  // Another one is the first each time, so that who writes much leaves room for others.
  firstWatched_ = (firstWatched_ + 1) % ranks_.size();
  for (size_t i = 0; i < ranks_.size(); i++) {
    RankProcess& rank = ranks_[(firstWatched_ + i) % ranks_.size()];
    for (size_t output = 0; output < rank.outputs.size(); output++) {
      if (!rank.outputs[output].from) continue;
      poll.watch(rank.outputs[output].from.get(), POLLIN,
                 [this, &rank, output] { readOnce(rank, output); });
    }
  }
}

void AgentRanks::begin(RankProcess& rank) {
  const Command& command = commands_[commandOf_[static_cast<size_t>(&rank - ranks_.data())]];
  if (auto failure = rank.begun(command.words[0], command.folder)) {
    events_.failed(rank.rank, *failure);
    forgetInput();
  }
}

Lines::Sink AgentRanks::sinkOf(const RankProcess& rank, size_t output) {
  return [this, number = rank.rank, stream = static_cast<uint32_t>(output) + 1](auto lines) {
    events_.output(number, stream, lines);
  };
}

/// False if there is nothing to read now, or ever again.
bool AgentRanks::readOnce(RankProcess& rank, size_t output) {
  RankProcess::Output& from = rank.outputs[output];
  std::array<char, kReadBytes> bytes;
  ssize_t got = read(from.from.get(), bytes.data(), bytes.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  Lines::Sink sink = sinkOf(rank, output);
  if (got > 0) from.lines.add({bytes.data(), static_cast<size_t>(got)}, sink);
  if (got <= 0 || showsPieces_) from.lines.finish(sink);
  if (got <= 0) from.from = {};
  return got > 0;
}

void AgentRanks::addInput(std::span<const std::byte> bytes) {
  if (bytes.empty()) inputEnded_ = true;
  input_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  forgetInput();
}

void AgentRanks::writeInput(RankProcess& rank) {
  std::string_view rest = std::string_view(input_).substr(rank.inputTaken - forgotten_);
  ssize_t written = rest.empty() ? 0 : write(rank.input.get(), rest.data(), rest.size());
  if (written < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (written > 0) rank.inputTaken += static_cast<size_t>(written);
  bool isOver = inputEnded_ && static_cast<size_t>(written) == rest.size();
  if (written < 0 || isOver) rank.input = {};  // it does not read any more, or has all
  forgetInput();
}

/// What all have taken who read.
void AgentRanks::forgetInput() {
  uint64_t taken = forgotten_ + input_.size();
  for (const RankProcess& rank : ranks_) {
    if (rank.input) taken = std::min(taken, rank.inputTaken);
  }
  if (taken == forgotten_) return;
  input_.erase(0, taken - forgotten_);
  events_.inputTaken(taken - forgotten_);
  forgotten_ = taken;
}

void AgentRanks::signalAll(int number) const {
  for (const RankProcess& rank : ranks_) rank.signal(number);
}

void AgentRanks::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) noteEnd(pid, status);
  for (RankProcess& rank : ranks_) rank.lookAtGroup();
}

void AgentRanks::noteEnd(pid_t pid, int status) {
  auto found = std::find_if(ranks_.begin(), ranks_.end(),
                            [&](const RankProcess& rank) { return rank.pid == pid && rank.lives; });
  if (found == ranks_.end()) return;  // a process that a rank has left behind
  if (found->beginning) begin(*found);
  if (!found->lives) return;  // it never was what it was to be
  found->lives = false;
  events_.ended({found->rank, status});
}

bool AgentRanks::anyLives() const {
  return std::any_of(ranks_.begin(), ranks_.end(),
                     [](const auto& rank) { return rank.lives || rank.hasGroup; });
}

bool AgentRanks::drain(const std::function<bool()>& hasRoom) {
  for (RankProcess& rank : ranks_) {
    for (size_t output = 0; output < rank.outputs.size(); output++) {
      while (rank.outputs[output].from) {
        if (!hasRoom()) return false;
        if (!readOnce(rank, output)) break;
      }
      rank.outputs[output].lines.finish(sinkOf(rank, output));
    }
  }
  return true;
}

}  // namespace verbena::launch
