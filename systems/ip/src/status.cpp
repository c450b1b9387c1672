// SPDX-License-Identifier: Apache-2.0
#include "status.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <sstream>

#include "failure.h"
#include "host/private_folder.h"

namespace verbena::ip {
namespace {

using base::FileDescriptor;

constexpr char kAsksForJson = 'j';
constexpr char kAsksForText = 't';
constexpr timeval kAnswerTime{.tv_sec = 2, .tv_usec = 0};

// ------------------------------------------------------------------ what there is to say

/// Sums of queues, or one of them.
struct Sum {
  uint64_t frames = 0;
  uint64_t bytes = 0;
  uint64_t superFrames = 0;
  std::array<uint64_t, static_cast<size_t>(Drop::count)> drops{};

  Sum& operator+=(const Traffic& more) {
    frames += more.frames;
    bytes += more.bytes;
    superFrames += more.superFrames;
    for (size_t i = 0; i < drops.size(); i++) drops[i] += more.drops[i];
    return *this;
  }
};

struct PeerSum {
  Sum out;
  Sum in;
  uint64_t batches = 0;
  uint64_t copied = 0;
  uint64_t stops = 0;

  void add(const PeerCounters& sent, const Traffic& came) {
    out += sent.out;
    in += came;
    batches += sent.batches;
    copied += sent.copied;
    stops += sent.stops;
  }
};

/// One row for each peer, or for each queue.
PeerSum sumOf(Network& network, const std::function<bool(size_t peer, size_t queue)>& isOf) {
  PeerSum sum;
  size_t queue = 0;
  for (const Queue& each : network.queues()) {
    size_t peer = 0;
    for (const Outgoing& to : each.outgoing()) {
      if (isOf(peer, queue)) sum.add(to.counters(), each.traffic(peer));
      peer++;
    }
    queue++;
  }
  return sum;
}

Sum refusedBy(Network& network) {
  Sum sum;
  for (const Queue& each : network.queues()) sum += each.refused();
  return sum;
}

uint64_t ringBytes(Network& network) {
  uint64_t readers = 0;
  for (const Queue& each : network.queues()) readers += each.readers();
  return readers * network.options().ringBytes;
}

// ------------------------------------------------------------------ as JSON

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char each : text) {
    if (each == '"' || each == '\\') out += '\\';
    out += static_cast<unsigned char>(each) < ' ' ? ' ' : each;
  }
  return out + "\"";
}

void addDrops(std::ostream& out, const Sum& sum) {
  out << "{";
  const char* comma = "";
  for (size_t i = 0; i < sum.drops.size(); i++) {
    if (sum.drops[i] == 0) continue;
    out << comma << '"' << nameOf(static_cast<Drop>(i)) << "\":" << sum.drops[i];
    comma = ",";
  }
  out << "}";
}

void addTraffic(std::ostream& out, const char* name, const Sum& sum) {
  out << '"' << name << "\":{\"frames\":" << sum.frames << ",\"bytes\":" << sum.bytes
      << ",\"super_frames\":" << sum.superFrames << ",\"drops\":";
  addDrops(out, sum);
  out << "}";
}

void addSum(std::ostream& out, const PeerSum& sum) {
  addTraffic(out, "out", sum.out);
  out << ",";
  addTraffic(out, "in", sum.in);
  out << ",\"batches\":" << sum.batches << ",\"copied\":" << sum.copied
      << ",\"stops\":" << sum.stops;
}

// ------------------------------------------------------------------ for people

void addLine(std::ostream& out, const char* direction, const Sum& sum) {
  out << "    " << direction << sum.frames << " frames, " << sum.bytes << " bytes, "
      << sum.superFrames << " super-frames";
  for (size_t i = 0; i < sum.drops.size(); i++) {
    if (sum.drops[i] != 0) {
      out << ", dropped " << sum.drops[i] << ' ' << nameOf(static_cast<Drop>(i));
    }
  }
  out << "\n";
}

void addLines(std::ostream& out, const PeerSum& sum) {
  addLine(out, "out  ", sum.out);
  addLine(out, "in   ", sum.in);
  out << "    " << sum.batches << " batches, " << sum.copied << " copied, " << sum.stops
      << " stops\n";
}

}  // namespace

std::string statusJson(Network& network) {
  std::ostringstream out;
  const NetworkOptions& options = network.options();
  InterfaceState state = network.tap().state();
  out << "{\"interface\":" << quoted(options.tap.name) << ",\"node\":" << options.node
      << ",\"mac\":" << quoted(nameOf(state.mac)) << ",\"mtu\":" << state.mtu
      << ",\"kernel_dropped\":" << state.dropped << ",\"ring_bytes\":" << ringBytes(network)
      << ",\"refused\":";
  addDrops(out, refusedBy(network));
  out << ",\"peers\":[";
  size_t number = 0;
  for (Peer& each : network.peers()) {
    size_t peer = number++;
    out << (peer == 0 ? "" : ",") << "{\"node\":" << each.node()
        << ",\"address\":" << quoted(each.endpoint().text())
        << ",\"up\":" << (each.isUp() ? "true" : "false") << ",\"way\":" << quoted(each.way())
        << ",\"last_trouble\":" << quoted(each.lastTrouble()) << ",\"mtu\":" << each.mtu() << ",";
    addSum(out, sumOf(network, [&](size_t of, size_t) { return of == peer; }));
    out << "}";
  }
  out << "],\"queues\":[";
  for (size_t queue = 0; queue < network.queues().size(); queue++) {
    out << (queue == 0 ? "{" : ",{");
    addSum(out, sumOf(network, [&](size_t, size_t of) { return of == queue; }));
    out << "}";
  }
  out << "]}\n";
  return out.str();
}

std::string statusText(Network& network) {
  std::ostringstream out;
  const NetworkOptions& options = network.options();
  InterfaceState state = network.tap().state();
  out << options.tap.name << ": node " << options.node << ", " << nameOf(state.mac) << ", MTU "
      << state.mtu << ", " << network.queues().size() << " queues, " << ringBytes(network)
      << " bytes of rings; the kernel has dropped " << state.dropped << "\n";
  addLine(out, "for no peer  ", refusedBy(network));
  size_t number = 0;
  for (Peer& each : network.peers()) {
    size_t peer = number++;
    out << "  node " << each.node() << " at " << each.endpoint().text() << ": "
        << (each.isUp() ? "by " : "away: ") << each.way();
    if (each.mtu() != 0 && each.mtu() != options.tap.mtu) out << "; its MTU is " << each.mtu();
    if (each.isUp() && !each.lastTrouble().empty()) out << "; before: " << each.lastTrouble();
    out << "\n";
    addLines(out, sumOf(network, [&](size_t of, size_t) { return of == peer; }));
  }
  for (size_t queue = 0; queue < network.queues().size(); queue++) {
    out << "  queue " << queue << "\n";
    addLines(out, sumOf(network, [&](size_t, size_t of) { return of == queue; }));
  }
  return out.str();
}

// ------------------------------------------------------------------ the socket

namespace {

std::string folder() {
  const char* runtime = geteuid() == 0 ? "/run" : std::getenv("XDG_RUNTIME_DIR");
  return std::string(runtime == nullptr ? "/tmp" : runtime) + "/verbena-ip-" +
         std::to_string(geteuid());
}

sockaddr_un addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    fail("use the socket", path, ENAMETOOLONG, "a shorter name of the interface or its namespace");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

FileDescriptor newSocket() {
  FileDescriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made) fail("make a socket", "", errno);
  setsockopt(made.get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTime, sizeof kAnswerTime);
  setsockopt(made.get(), SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
  return made;
}

}  // namespace

std::string socketPath(const std::string& name, const std::string& netns) {
  if (name.find('/') != std::string::npos || netns.find('/') != std::string::npos) {
    fail("take the name '" + name + "' in '" + netns + "'", "", 0, "a name has no '/'");
  }
  std::string space = netns.empty() ? "/proc/self/ns/net" : "/run/netns/" + netns;
  struct stat about {};
  if (stat(space.c_str(), &about) != 0) {
    fail("enter the network namespace", netns, errno, "'ip netns list' has those that are there");
  }
  return folder() + "/" + std::to_string(about.st_ino) + "-" + name;
}

StatusServer::StatusServer(const std::string& path) : path_(path), socket_(newSocket()) {
  if (!host::makePrivateFolder(folder())) {
    fail("make the folder", folder(), errno, "it has to be this user's alone");
  }
  lock_ = FileDescriptor(open((folder() + "/lock-" + path.substr(path.rfind('/') + 1)).c_str(),
                              O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock_ || flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    fail("take the interface", path, errno, "another vbn-ip has it");
  }
  unlink(path.c_str());
  sockaddr_un address = addressOf(path);
  if (bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket_.get(), 4) != 0) {
    fail("listen at", path, errno);
  }
}

StatusServer::~StatusServer() {
  unlink(path_.c_str());
}

void StatusServer::answer(Network& network) {
  FileDescriptor asked(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!asked) return;
  setsockopt(asked.get(), SOL_SOCKET, SO_RCVTIMEO, &kAnswerTime, sizeof kAnswerTime);
  setsockopt(asked.get(), SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
  char question = 0;
  if (read(asked.get(), &question, 1) != 1) return;
  std::string text;
  try {
    text = question == kAsksForJson ? statusJson(network) : statusText(network);
  } catch (const std::exception& failure) {
    text = std::string(failure.what()) + "\n";  // the interface is gone, and so will be the network
  }
  for (size_t sent = 0; sent < text.size();) {
    ssize_t more = send(asked.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (more <= 0) return;
    sent += static_cast<size_t>(more);
  }
}

std::string askForStatus(const std::string& path, bool json) {
  FileDescriptor asking = newSocket();
  sockaddr_un address = addressOf(path);
  char question = json ? kAsksForJson : kAsksForText;
  if (connect(asking.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      send(asking.get(), &question, 1, MSG_NOSIGNAL) != 1) {
    fail("ask", path, errno, "no vbn-ip of this user has an interface of this name and namespace");
  }
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    ssize_t got = read(asking.get(), part.data(), part.size());
    if (got < 0) fail("hear from", path, errno);
    if (got == 0) return text;
    text.append(part.data(), static_cast<size_t>(got));
  }
}

}  // namespace verbena::ip
