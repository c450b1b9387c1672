// SPDX-License-Identifier: Apache-2.0
#include "agent.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "agent_ranks.h"
#include "base/clock.h"
#include "descendants.h"
#include "host/lender.h"
#include "host/shared_file.h"
#include "job/bytes.h"
#include "job/contract.h"
#include "job/host_address.h"
#include "job/key_file.h"
#include "job/stream.h"
#include "job/table.h"
#include "job_folder.h"
#include "publications.h"
#include "signals.h"
#include "silence.h"

namespace verbena::launch {
namespace {

constexpr uint64_t kNsPerSecond = 1'000'000'000;
constexpr uint64_t kNsPerMs = 1'000'000;
constexpr uint64_t kGlanceNs = 20 * kNsPerMs;

class Agent {
 public:
  explicit Agent(Guarded guarded);
  int run();

 private:
  void round();
  void lookAtSilence();
  void takeFrames();
  void handle(const job::Frame& frame);
  void passOn(int signal);
  void start(const StartOrder& order);
  base::Result<std::vector<std::string>> prepare(const StartOrder& order);
  std::string publish(const job::Publication& publication);
  void finish(uint32_t graceMs);
  void endRanks();
  void noteMemory(const StartOrder& order);
  void removeMemory() const;
  void sayDone();
  void send(job::FrameKind kind, uint32_t rank, const job::BytesOut& bytes);
  AgentRanks::Events events();

  Descendants descendants_;
  const base::FileDescriptor guard_;
  const std::string folder_;
  base::FileDescriptor folderInUse_;
  Signals signals_;
  job::Stream stream_;
  AgentRanks ranks_;
  Publications publications_;
  host::SharedFile tableFile_;
  std::optional<job::Table> table_;
  std::vector<bool> isLocal_;
  std::set<std::string> memoryFolders_;
  int64_t room_ = job::kWindowBytes;  ///< for output
  std::optional<uint64_t> killAtNs_;
  uint32_t lostAfterSeconds_ = 0;
  Silence silence_;        ///< of a launcher on another host
  bool isPaused_ = false;  ///< it has said that it stands still
  bool isTold_ = false;    ///< the ranks have had SIGTERM
  bool ended_ = false;     ///< nothing lives any more
  bool done_ = false;      ///< and the launcher was told
  bool abandoned_ = false;
  bool hearsNothing_ = false;
};

base::FileDescriptor copyOf(int fd) {
  return base::FileDescriptor(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

Agent::Agent(Guarded guarded)
    : guard_(std::move(guarded.guard)),
      folder_(std::move(guarded.folder)),
      // A batch system ends a job by a signal to all its processes. What ends here is the ranks'
      // business, and the launcher's, whose stream then ends.
      signals_({SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}),
      stream_(copyOf(STDIN_FILENO), copyOf(STDOUT_FILENO)),
      ranks_(events(), signals_.before()) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

AgentRanks::Events Agent::events() {
  AgentRanks::Events events;
  events.ended = [this](const job::End& end) {
    send(job::FrameKind::ended, end.rank,
         job::BytesOut().number(static_cast<uint32_t>(end.status)));
    table_->end(end);
  };
  events.failed = [this](uint32_t rank, const NotStarted& why) {
    send(job::FrameKind::failed, rank,
         job::BytesOut().number(static_cast<uint32_t>(why.exitStatus)).text(why.sentence));
    table_->end({rank, why.exitStatus << 8});
  };
  events.output = [this](uint32_t rank, uint32_t stream, std::string_view lines) {
    room_ -= static_cast<int64_t>(lines.size());
    send(job::FrameKind::output, rank, job::BytesOut().number(stream).text(std::string(lines)));
  };
  events.inputTaken = [this](size_t bytes) {
    send(job::FrameKind::inputTaken, 0, job::BytesOut().number(static_cast<uint32_t>(bytes)));
  };
  return events;
}

void Agent::send(job::FrameKind kind, uint32_t rank, const job::BytesOut& bytes) {
  stream_.send(kind, rank, bytes.all());
}

std::string hostName() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

int Agent::run() {
  stream_.sendText(job::kGreeting);
  send(job::FrameKind::hello, 0, job::BytesOut().text(hostName()));
  while (!abandoned_ && !(done_ && !stream_.hasUnsent())) round();
  descendants_.killAll();
  if (hearsNothing_) {  // the launcher hears no more than the end of a stream
    std::fprintf(stderr,
                 "verbena-run: the agent on %s has heard nothing of the launcher for %u s "
                 "(--lost-after), and has ended its ranks\n",
                 hostName().c_str(), lostAfterSeconds_);
  }
  removeFolder(folder_, std::move(folderInUse_));
  // One that was made half, and lost to a sweeper that was killed: so may the guard have been.
  removeIfUnused(folder_);
  removeMemory();
  return abandoned_ ? 1 : 0;
}

/// That of ranks that were killed, which would stay until this user's next node.
void Agent::removeMemory() const {
  for (const std::string& folder : memoryFolders_) host::Lender::removeLeftovers(folder);
}

void Agent::noteMemory(const StartOrder& order) {
  memoryFolders_.insert(host::Lender::defaultFolder());
  std::string name = std::string(host::Lender::kFolderVariable) + "=";
  for (const Command& command : order.commands) {
    for (const std::string& variable : command.variables) {
      if (variable.starts_with(name)) memoryFolders_.insert(variable.substr(name.size()));
    }
  }
}

void Agent::round() {
  job::Poll poll;
  Publications::Publish publish = [this](const auto& publication) {
    return this->publish(publication);
  };
  poll.watch(guard_.get(), POLLIN, [this] { abandoned_ = true; });
  poll.watch(signals_.fd(), POLLIN, [this] {
    while (signals_.take()) {
    }
    ranks_.reap();
  });
  stream_.watch(poll, [this] { takeFrames(); });
  if (!stream_.isOpen()) abandoned_ = true;
  if (!ended_) {
    ranks_.watch(poll, room_ > 0);
    publications_.watch(poll, publish);
    // What a rank has left behind may end without a word to this process.
    if (killAtNs_) poll.until(std::min(*killAtNs_, base::monotonicNs() + kGlanceNs));
  }
  poll.until(silence_.due());
  if (!abandoned_) poll.wait();
  lookAtSilence();
  if (killAtNs_ && !ended_) ranks_.reap();
  if (killAtNs_ && !ended_ && (!ranks_.anyLives() || base::monotonicNs() >= *killAtNs_)) {
    endRanks();
  }
  if (ended_ && !done_ && ranks_.drain([this] { return room_ > 0; })) sayDone();
}

void Agent::lookAtSilence() {
  uint64_t now = base::monotonicNs();
  if (silence_.signs(now)) send(job::FrameKind::alive, 0, job::BytesOut());
  if (isPaused_) silence_.heard(now);
  if (silence_.isTooLong(now)) hearsNothing_ = abandoned_ = true;
}

void Agent::takeFrames() {
  while (std::optional<job::Frame> frame = abandoned_ ? std::nullopt : stream_.next()) {
    silence_.heard(base::monotonicNs());
    isPaused_ = false;
    handle(*frame);
  }
  if (!stream_.isOpen()) abandoned_ = true;
}

void Agent::handle(const job::Frame& frame) {
  job::BytesIn in(frame.bytes);
  switch (frame.kind) {
    case job::FrameKind::start:
      if (auto order = StartOrder::read(frame.bytes)) return start(*order);
      break;
    case job::FrameKind::input: return ranks_.addInput(frame.bytes);
    case job::FrameKind::signal: return passOn(static_cast<int>(in.number()));
    case job::FrameKind::alive: return;
    case job::FrameKind::taken: room_ += in.number(); return;
    case job::FrameKind::finish: return finish(in.number());
    case job::FrameKind::published:
      if (!table_) return;  // there are no ranks here: they could not be started
      if (frame.rank < table_->size() && frame.bytes.size() <= job::kMostBytes) {
        return table_->publish(frame.rank, frame.bytes);
      }
      break;
    case job::FrameKind::ended:
      if (!table_) return;
      if (auto end = job::End::of(frame.rank, in.number()); end && end->rank < table_->size()) {
        return table_->end(*end);
      }
      break;
    case job::FrameKind::hello:
    case job::FrameKind::output:
    case job::FrameKind::failed:
    case job::FrameKind::inputTaken:
    case job::FrameKind::done: break;
  }
  // The launcher is another version's, or none at all.
  std::fprintf(stderr, "verbena-run: the agent was told what it does not know\n");
  abandoned_ = true;
}

void Agent::passOn(int signal) {
  isPaused_ = signal == SIGTSTP;  // the launcher stops, too
  isTold_ = isTold_ || signal == SIGTERM;
  ranks_.signalAll(signal);
}

void Agent::start(const StartOrder& order) {
  lostAfterSeconds_ = order.lostAfterSeconds;
  silence_.begin(lostAfterSeconds_ * kNsPerSecond, base::monotonicNs());
  noteMemory(order);
  auto variables = prepare(order);
  if (variables) return ranks_.start(order, *variables);
  for (const RankOrder& rank : order.ranks) {
    send(job::FrameKind::failed, rank.rank,
         job::BytesOut().number(125).text(variables.error().sentence()));
  }
}

/// Makes what the ranks share. Returns the variables that all of them have.
base::Result<std::vector<std::string>> Agent::prepare(const StartOrder& order) {
  std::string address = "127.0.0.1";
  if (order.severalHosts || !order.interface.empty()) {
    // On the launcher's own host that would be how its user has come there.
    bool isElsewhere = order.lostAfterSeconds != 0;
    const char* login = isElsewhere ? std::getenv("SSH_CONNECTION") : nullptr;
    auto found = job::hostAddress(order.interface, login);
    if (!found) return found.error();
    address = *found;
  }
  auto inUse = makeFolder(folder_);
  if (!inUse) return inUse.error();
  folderInUse_ = std::move(*inUse);
  std::string keyFile = folder_ + "/" + job::kKeyName;
  if (auto written = job::writeKeyFile(keyFile, order.key); !written) return written.error();
  tableFile_ = host::SharedFile::create(folder_ + "/" + job::kTableName,
                                        job::Table::bytesFor(order.size), true);
  if (!tableFile_) return base::Error{"make the job's table", folder_, errno, ""};
  table_ = job::Table::begin(tableFile_.memory(), order.size);
  if (!publications_.open(folder_)) return base::Error{"open a socket", folder_, errno, ""};
  isLocal_.resize(order.size);
  for (const RankOrder& rank : order.ranks) isLocal_[rank.rank] = true;
  return std::vector<std::string>{
      std::string(job::kId) + "=" + order.jobId, std::string(job::kHostAddress) + "=" + address,
      std::string(job::kFolder) + "=" + folder_, std::string(job::kKeyFile) + "=" + keyFile};
}

std::string Agent::publish(const job::Publication& publication) {
  uint32_t rank = publication.rank;
  std::string name = "rank " + std::to_string(rank);
  if (rank >= isLocal_.size() || !isLocal_[rank]) return name + " does not run on this host";
  if (table_->hasPublished(rank)) {
    return name + " has published already; once is enough, and no two processes have one number";
  }
  table_->publish(rank, publication.address);
  stream_.send(job::FrameKind::published, rank, publication.address);
  return "";
}

void Agent::finish(uint32_t graceMs) {
  uint64_t killAtNs = base::monotonicNs() + graceMs * kNsPerMs;
  if (killAtNs_ && *killAtNs_ <= killAtNs) return;
  killAtNs_ = killAtNs;
  if (graceMs == 0) return;
  if (!isTold_) ranks_.signalAll(SIGTERM);
  ranks_.signalAll(SIGCONT);  // for those that were stopped
}

void Agent::endRanks() {
  auto note = [this](pid_t pid, int status) { ranks_.noteEnd(pid, status); };
  for (pid_t pid : descendants_.killAll(note)) {
    std::fprintf(stderr, "verbena-run: %s was killed and does not end; it is left behind\n",
                 describe(pid).c_str());
    note(pid, SIGKILL);
  }
  ended_ = true;
}

void Agent::sayDone() {
  send(job::FrameKind::done, 0, job::BytesOut());
  done_ = true;
}

}  // namespace

int runAgent(Guarded guarded) {
  return Agent(std::move(guarded)).run();
}

}  // namespace verbena::launch
