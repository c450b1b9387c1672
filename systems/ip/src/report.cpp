// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <array>
#include <functional>
#include <sstream>

#include "network.h"

namespace verbena::ip {
namespace {

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

}  // namespace verbena::ip
