// SPDX-License-Identifier: Apache-2.0
#include "launcher.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>

#include "agent_process.h"
#include "base/clock.h"
#include "descendants.h"
#include "input.h"
#include "job/announcements.h"
#include "job/bytes.h"
#include "job/contract.h"
#include "job/key_file.h"
#include "job/table.h"
#include "outlets.h"
#include "placement.h"
#include "report.h"
#include "signals.h"

extern char** environ;

namespace verbena::launch {
namespace {

constexpr uint32_t kGreatestExitStatus = 255;
constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kFirstProgressNs = 3 * kNsPerSecond;
constexpr uint64_t kProgressNs = 10 * kNsPerSecond;
/// How long what has started an agent may outlast its stream.
constexpr uint64_t kPatienceNs = 5 * kNsPerSecond;
/// How long output that nobody reads holds up the end of a job that was killed by its user.
constexpr uint64_t kReaderPatienceNs = kNsPerSecond;
/// How long agents have to end such a job, before they are ended themselves: longer than they wait
/// for what the kernel does not let go of.
constexpr uint64_t kForcePatienceNs = 5 * kNsPerSecond;
constexpr int kTimedOut = 124;
constexpr int kOwnFailure = 125;
constexpr size_t kMostNoise = 64 << 10;

struct RankState {
  size_t agent = 0;
  uint32_t command = 0;
  LastLines lastLines;
};

class Launcher {
 public:
  explicit Launcher(const Options& options);
  int run(std::vector<Placed> placed);

 private:
  void startAgents(std::vector<Placed> placed);
  StartOrder orderFor(const AgentProcess& agent) const;
  void round();
  void watch(job::Poll& poll);
  void lookAtDeadlines();
  void lookAtSilence(uint64_t now);
  void lookAtReaders(uint64_t now);
  void lookAtForce(uint64_t now);
  void sayProgress();

  void takeFrames(AgentProcess& agent);
  void greet(AgentProcess& agent);
  void handle(AgentProcess& agent, const job::Frame& frame);
  void takeOutput(AgentProcess& agent, const job::Frame& frame);
  void noteEnd(const AgentProcess& agent, const job::End& end, const std::string& sentence);
  void noteLoss(AgentProcess& agent, const std::string& because = "");
  bool hasRank(const AgentProcess& agent, uint32_t rank) const;
  bool hasLivingRank(const AgentProcess& agent) const;
  std::string nameOf(uint32_t rank) const;

  void takeSignals();
  void passOn(int signal);
  void pause();
  void reap();

  void fail(Reason reason, bool atOnce = false);
  uint32_t graceMs() const;
  void endWithin(uint32_t graceMs);
  void finish(uint32_t graceMs);
  void awaitProcesses();
  bool allGreeted() const;
  bool isOver() const;

  const Options& options_;
  const uint64_t startedNs_ = base::monotonicNs();
  const OpenFiles files_;
  Signals signals_;
  std::string jobId_;
  std::string key_;
  std::deque<AgentProcess> agents_;
  std::vector<RankState> ranks_;
  std::optional<job::Announcements> announcements_;
  std::optional<Input> input_;
  Input::PassOn passInputOn_;
  Outlets outlets_;
  uint64_t progressNs_ = startedNs_ + kFirstProgressNs;
  bool isFinishing_ = false;
  bool isTerminated_ = false;  ///< SIGTERM has come: ranks have the grace to end
  int interrupts_ = 0;
  std::optional<uint64_t> giveUpOutputNs_;
  std::optional<uint64_t> forceNs_;
  std::optional<Reason> reason_;
};

job::BytesOut number(uint32_t value) {
  return std::move(job::BytesOut().number(value));
}

Launcher::Launcher(const Options& options)
    : options_(options),
      signals_({SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT}),
      outlets_(options.output, options.outputFolder) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);  // output that is too long for its file is an error
  passInputOn_ = [this](std::span<const std::byte> bytes) {
    for (AgentProcess& agent : agents_) {
      bool isFirst = &agent == &agents_[ranks_[0].agent];
      if (options_.readers != Readers::all && !isFirst) continue;
      agent.stream().send(job::FrameKind::input, 0, bytes);
    }
  };
}

int Launcher::run(std::vector<Placed> placed) {
  auto key = job::freshKey();
  for (const Placed& each : placed) ranks_.resize(ranks_.size() + each.ranks.size());
  auto size = static_cast<uint32_t>(ranks_.size());
  announcements_.emplace(size);
  auto opened = outlets_.open(size);
  if (!key || !opened) {
    say((!key ? key.error() : opened.error()).sentence());
    return kOwnFailure;
  }
  key_ = *key;
  // Made as keys are, but not of this one: the name is no secret.
  jobId_ = job::freshKey().value().substr(0, 16);
  startAgents(std::move(placed));
  while (!isOver()) round();
  awaitProcesses();
  outlets_.closeFiles();
  // What ranks wrote last may have failed when they had all ended.
  if (!reason_ && outlets_.failure()) reason_ = {kOwnFailure, outlets_.failure()->sentence()};
  if (!reason_) return 0;
  // Which of a process and its stream ends first is chance: so the sentence is made now.
  std::string end = reason_->agent ? agents_[*reason_->agent].endText() : "";
  if (!end.empty()) reason_->sentence += ": " + end;
  bool isStuck = giveUpOutputNs_ && !takesSentences(kReaderPatienceNs / kNsPerMs);
  if (isStuck) return reason_->exitStatus;
  report(*reason_, reason_->rank ? &ranks_[*reason_->rank].lastLines : nullptr);
  return reason_->exitStatus;
}

void Launcher::startAgents(std::vector<Placed> placed) {
  for (Placed& each : placed) {
    for (const RankOrder& rank : each.ranks) {
      ranks_[rank.rank].agent = agents_.size();
      ranks_[rank.rank].command = rank.command;
    }
    agents_.emplace_back(std::move(each));
  }
  input_.emplace(options_.readers == Readers::all ? agents_.size() : 1);
  for (AgentProcess& agent : agents_) {
    auto started = agent.start(options_, signals_, files_);
    if (!started) return fail({kOwnFailure, started.error().sentence()});
  }
}

StartOrder Launcher::orderFor(const AgentProcess& agent) const {
  StartOrder order{jobId_,
                   key_,
                   static_cast<uint32_t>(ranks_.size()),
                   agents_.size() > 1,
                   options_.bindToCores,
                   options_.readers,
                   ranks_.size() == 1 && options_.output == OutputMode::merged,
                   agent.isElsewhere() ? options_.lostAfterSeconds : 0,
                   options_.interface,
                   {},
                   agent.ranks()};
  std::vector<std::string> common;
  for (char** each = environ; *each != nullptr; each++) {
    std::string_view variable(*each);
    // A key of the user's own stays here: the job has another one.
    bool isKey = variable.starts_with("VERBENA_CLUSTER_KEY=");
    if (variable.starts_with("VERBENA_") && !isKey) common.emplace_back(variable);
  }
  if (getenv(job::kStartTimeout) == nullptr) {
    common.push_back(std::string(job::kStartTimeout) + "=" +
                     std::to_string(options_.startTimeoutSeconds));
  }
  for (const Segment& segment : options_.segments) {
    Command command = segment.command;
    if (command.folder.empty()) command.folder = std::filesystem::current_path().string();
    command.variables.insert(command.variables.begin(), common.begin(), common.end());
    order.commands.push_back(std::move(command));
  }
  return order;
}

bool Launcher::isOver() const {
  auto isConnected = [](const AgentProcess& agent) { return agent.isConnected(); };
  return std::none_of(agents_.begin(), agents_.end(), isConnected) && outlets_.isEmpty();
}

void Launcher::round() {
  job::Poll poll;
  watch(poll);
  poll.wait();
  lookAtDeadlines();
  if (outlets_.failure() && !isFinishing_) fail({kOwnFailure, outlets_.failure()->sentence()});
  bool allEnded = announcements_->ended() == ranks_.size();
  if (allEnded && !isFinishing_) finish(0);
}

void Launcher::watch(job::Poll& poll) {
  poll.watch(signals_.fd(), POLLIN, [this] { takeSignals(); });
  for (AgentProcess& agent : agents_) {
    agent.stream().watch(poll, [this, &agent] { takeFrames(agent); });
  }
  outlets_.watch(poll);
  AgentProcess& first = agents_[ranks_[0].agent];
  bool isFirstReady = options_.readers == Readers::first && first.greeted;
  bool hasReaders = options_.readers == Readers::all ? allGreeted() : isFirstReady;
  if (hasReaders && first.stream().isOpen()) input_->watch(poll, passInputOn_);
  for (const AgentProcess& agent : agents_) {
    if (agent.isConnected()) poll.until(agent.silence.due());
  }
  if (giveUpOutputNs_) poll.until(*giveUpOutputNs_);
  if (forceNs_) poll.until(*forceNs_);
  if (!isFinishing_ && !allGreeted()) {
    poll.until(std::min(progressNs_, startedNs_ + options_.startTimeoutSeconds * kNsPerSecond));
  }
  if (!isFinishing_ && options_.timeoutSeconds) {
    poll.until(startedNs_ + *options_.timeoutSeconds * kNsPerSecond);
  }
}

bool Launcher::allGreeted() const {
  return std::all_of(agents_.begin(), agents_.end(), [](const auto& each) { return each.greeted; });
}

void Launcher::lookAtSilence(uint64_t now) {
  for (AgentProcess& agent : agents_) {
    if (!agent.isConnected()) continue;
    if (agent.silence.signs(now)) agent.stream().send(job::FrameKind::alive, 0, {});
    if (!agent.silence.isTooLong(now)) continue;
    agent.stream().close();
    noteLoss(agent, ": nothing was heard of it for " + std::to_string(options_.lostAfterSeconds) +
                        " s (--lost-after)");
  }
}

void Launcher::lookAtReaders(uint64_t now) {
  if (!giveUpOutputNs_ || now < *giveUpOutputNs_) return;
  outlets_.giveUp();
  giveUpOutputNs_ = UINT64_MAX;
}

/// An agent that stands still is not waited for: those of this host are ended with all that comes
/// from them, others see the end of their streams.
void Launcher::lookAtForce(uint64_t now) {
  if (!forceNs_ || now < *forceNs_) return;
  forceNs_ = UINT64_MAX;
  Descendants left;  // of guards that end now
  for (AgentProcess& agent : agents_) {
    agent.done = true;
    agent.stream().close();
    if (agent.hasProcess()) agent.signal(SIGKILL);
  }
  awaitProcesses();
  left.killAll();
  killMarked(std::string(job::kId) + "=" + jobId_);
}

void Launcher::lookAtDeadlines() {
  uint64_t now = base::monotonicNs();
  lookAtSilence(now);
  lookAtReaders(now);
  lookAtForce(now);
  if (isFinishing_) return;
  if (options_.timeoutSeconds && now >= startedNs_ + *options_.timeoutSeconds * kNsPerSecond) {
    return fail({kTimedOut,
                 "the job has not ended within " + std::to_string(*options_.timeoutSeconds) +
                     " s (--timeout)",
                 {}});
  }
  if (allGreeted()) return;
  if (now >= progressNs_) sayProgress();
  if (now < startedNs_ + options_.startTimeoutSeconds * kNsPerSecond) return;
  for (const AgentProcess& agent : agents_) {
    if (agent.greeted) continue;
    fail({kOwnFailure,
          "host " + agent.host() + " has not answered within " +
              std::to_string(options_.startTimeoutSeconds) + " s (--start-timeout)",
          {}});
  }
}

void Launcher::sayProgress() {
  progressNs_ += kProgressNs;
  std::string waiting;
  size_t answered = 0;
  for (const AgentProcess& agent : agents_) {
    if (agent.greeted) {
      answered++;
    } else if (waiting.size() < 60) {
      waiting += " " + agent.host();
    }
  }
  outlets_.say(std::to_string(answered) + " of " + std::to_string(agents_.size()) +
               " hosts have answered; waiting for" + waiting);
}

// ---- what agents say

void Launcher::takeFrames(AgentProcess& agent) {
  if (!agent.greeted) greet(agent);
  while (agent.greeted) {
    std::optional<job::Frame> frame = agent.stream().next();
    if (!frame) break;
    agent.silence.heard(base::monotonicNs());
    handle(agent, *frame);
  }
  if (!agent.stream().isOpen() && !agent.done) noteLoss(agent);
}

void Launcher::greet(AgentProcess& agent) {
  std::optional<std::string> noise = agent.stream().skipBehind(job::kGreeting);
  if (!noise && agent.stream().unreadBytes() > kMostNoise) agent.stream().close();
  if (!noise) return;
  agent.greeted = true;
  if (!noise->empty()) outlets_.say("host " + agent.host() + " said at login: " + *noise);
  if (isFinishing_) return;
  job::BytesOut bytes;
  if (agent.isElsewhere()) {
    agent.silence.begin(options_.lostAfterSeconds * kNsPerSecond, base::monotonicNs());
  }
  orderFor(agent).put(bytes);
  agent.stream().send(job::FrameKind::start, 0, bytes.all());
  announcements_->add(agent.stream());
}

void Launcher::handle(AgentProcess& agent, const job::Frame& frame) {
  job::BytesIn in(frame.bytes);
  bool isOfRank = frame.kind == job::FrameKind::output || frame.kind == job::FrameKind::published ||
                  frame.kind == job::FrameKind::ended || frame.kind == job::FrameKind::failed;
  if (isOfRank && !hasRank(agent, frame.rank)) return agent.stream().refuse();
  switch (frame.kind) {
    case job::FrameKind::hello:
    case job::FrameKind::alive: return;
    case job::FrameKind::output: return takeOutput(agent, frame);
    case job::FrameKind::inputTaken:
      if (options_.readers == Readers::none) break;
      if (input_->taken(options_.readers == Readers::all ? ranks_[agent.ranks()[0].rank].agent : 0,
                        in.number())) {
        return;
      }
      break;
    case job::FrameKind::published:
      if (frame.bytes.size() > job::kMostBytes) break;
      return announcements_->publish(frame.rank, frame.bytes, &agent.stream());
    case job::FrameKind::ended: {
      auto end = job::End::of(frame.rank, in.number());
      if (!end) break;
      return noteEnd(agent, *end, nameOf(frame.rank) + " " + end->text());
    }
    case job::FrameKind::failed: {
      uint32_t status = in.number();
      if (status == 0 || status > kGreatestExitStatus) break;
      return noteEnd(agent, {frame.rank, static_cast<int>(status << 8)},
                     nameOf(frame.rank) + " could not be started: " + in.text());
    }
    case job::FrameKind::done:
      if (!isFinishing_ && hasLivingRank(agent)) break;
      agent.done = true;
      return agent.stream().close();
    case job::FrameKind::start:
    case job::FrameKind::input:
    case job::FrameKind::signal:
    case job::FrameKind::taken:
    case job::FrameKind::finish: break;
  }
  agent.stream().refuse();  // an agent does not say that
}

bool Launcher::hasRank(const AgentProcess& agent, uint32_t rank) const {
  return rank < ranks_.size() && &agents_[ranks_[rank].agent] == &agent;
}

bool Launcher::hasLivingRank(const AgentProcess& agent) const {
  return std::ranges::any_of(agent.ranks(), [this](const RankOrder& rank) {
    return !announcements_->table().hasEnded(rank.rank);
  });
}

std::string Launcher::nameOf(uint32_t rank) const {
  const RankState& state = ranks_[rank];
  return "rank " + std::to_string(rank) + " on " + agents_[state.agent].host() + " ('" +
         options_.segments[state.command].command.words[0] + "')";
}

void Launcher::takeOutput(AgentProcess& agent, const job::Frame& frame) {
  job::BytesIn in(frame.bytes);
  uint32_t stream = in.number();
  if (stream != STDOUT_FILENO && stream != STDERR_FILENO) return agent.stream().refuse();
  std::string lines = in.text();
  ranks_[frame.rank].lastLines.add(lines);
  outlets_.add(frame.rank, stream, lines, [&agent, bytes = lines.size()] {
    agent.stream().send(job::FrameKind::taken, 0, number(static_cast<uint32_t>(bytes)).all());
  });
}

void Launcher::noteEnd(const AgentProcess& agent, const job::End& end,
                       const std::string& sentence) {
  if (announcements_->table().hasEnded(end.rank)) return;
  announcements_->end(end, &agent.stream());
  if (!end.failed() || isFinishing_) return;
  Reason reason{end.exitStatus(), sentence, end.rank};
  if (isTerminated_ && end.exitStatus() == 128 + SIGKILL) {
    reason = {128 + SIGTERM, "interrupted by SIGTERM; ranks that had not ended within " +
                                 std::to_string(options_.graceSeconds) +
                                 " s (--grace) were killed, the first of them rank " +
                                 std::to_string(end.rank)};
  }
  if (!options_.goesOn) return fail(std::move(reason));
  outlets_.say(sentence + "; the job goes on");
  if (!reason_) reason_ = std::move(reason);
}

/// Its stream has ended, and it has not said that all is done.
void Launcher::noteLoss(AgentProcess& agent, const std::string& because) {
  agent.done = true;
  std::string what =
      "host " + agent.host() + (agent.greeted ? " is lost" : " could not be reached") + because;
  size_t index = ranks_[agent.ranks()[0].rank].agent;
  if (!isFinishing_) {
    Reason reason{.exitStatus = kOwnFailure, .sentence = what};
    if (because.empty()) reason.agent = index;  // its process says more
    fail(std::move(reason));
  }
  // Guard and agent may have been killed at one blow.
  if (!agent.isElsewhere()) killMarked(std::string(job::kId) + "=" + jobId_);
  for (const RankOrder& rank : agent.ranks()) noteEnd(agent, {rank.rank, SIGKILL}, what);
}

// ---- signals and processes

void Launcher::takeSignals() {
  while (std::optional<int> signal = signals_.take()) {
    switch (*signal) {
      case SIGCHLD: reap(); break;
      case SIGTSTP: pause(); break;
      default: passOn(*signal);
    }
  }
}

void Launcher::passOn(int signal) {
  bool isEnding = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  if (isEnding && (++interrupts_ >= 2 || !allGreeted())) {
    std::string when = interrupts_ >= 2 ? " for the second time: all ranks were killed"
                                        : " before all hosts had answered";
    return fail({128 + signal, std::string("interrupted by SIG") + sigabbrev_np(signal) + when},
                true);
  }
  for (AgentProcess& agent : agents_) {
    if (!agent.greeted) continue;
    agent.stream().send(job::FrameKind::signal, 0, number(static_cast<uint32_t>(signal)).all());
  }
  // Ranks may take it, and end well, or heed it not.
  if (signal != SIGTERM) return;
  isTerminated_ = true;
  endWithin(graceMs());
}

/// Ctrl-Z: the ranks stop, then the launcher.
void Launcher::pause() {
  passOn(SIGTSTP);
  for (AgentProcess& agent : agents_) agent.stream().flush();
  raise(SIGSTOP);
}

void Launcher::reap() {
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    for (AgentProcess& agent : agents_) {
      if (agent.pid() == pid) agent.noteEnd(status);
    }
  }
}

// ---- the end

/// The first reason counts. Without a grace also if the end is under way already.
void Launcher::fail(Reason reason, bool atOnce) {
  if (!reason_) reason_ = std::move(reason);
  if (atOnce) {
    uint64_t now = base::monotonicNs();
    giveUpOutputNs_ = now + kReaderPatienceNs;
    forceNs_ = now + kForcePatienceNs;
    return finish(0);
  }
  if (!isFinishing_) finish(graceMs());
}

uint32_t Launcher::graceMs() const {
  uint64_t grace = uint64_t{options_.graceSeconds} * 1000;
  return static_cast<uint32_t>(std::min<uint64_t>(grace, UINT32_MAX));
}

/// Ranks that have not ended by then are killed.
void Launcher::endWithin(uint32_t graceMs) {
  for (AgentProcess& agent : agents_) {
    if (agent.greeted) agent.stream().send(job::FrameKind::finish, 0, number(graceMs).all());
  }
}

void Launcher::finish(uint32_t graceMs) {
  isFinishing_ = true;
  endWithin(graceMs);
  for (AgentProcess& agent : agents_) {
    if (!agent.greeted) {
      agent.done = true;
      // Nothing was started there. What comes up late sees the end of its stream.
      agent.stream().close();
      if (agent.hasProcess() && agent.isElsewhere()) agent.signal(SIGTERM);
    }
  }
}

/// What has started the agents ends with them. A guard of this host is waited for, because it ends
/// what is left; a shell that does not end by itself is ended.
void Launcher::awaitProcesses() {
  uint64_t deadlineNs = base::monotonicNs() + kPatienceNs;
  auto isThere = [](const AgentProcess& agent) { return agent.hasProcess(); };
  for (reap(); std::any_of(agents_.begin(), agents_.end(), isThere); reap()) {
    job::Poll poll;
    poll.watch(signals_.fd(), POLLIN, [this] {
      while (signals_.take()) {
      }
    });
    if (base::monotonicNs() < deadlineNs) {
      poll.until(deadlineNs);
    } else if (forceNs_) {
      return;  // killed, and the kernel does not let go of it
    } else {
      for (const AgentProcess& agent : agents_) {
        if (agent.hasProcess() && agent.isElsewhere()) agent.signal(SIGKILL);
      }
    }
    poll.wait();
  }
}

}  // namespace

int launch(const Options& options) {
  auto placed = place(options);
  if (!placed) {
    say(placed.error().sentence());
    return 2;
  }
  return Launcher(options).run(std::move(*placed));
}

}  // namespace verbena::launch
