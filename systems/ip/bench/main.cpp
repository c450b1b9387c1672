// SPDX-License-Identifier: Apache-2.0
//
// vbn-ip-bench demo | bench [--pairs N] [--seconds S]: what 'verbena ip demo' and 'verbena bench
// ip' run.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "failure.h"
#include "flows.h"
#include "laboratory.h"

namespace verbena::ip {
namespace {

struct Settings {
  uint32_t pairs = 5;
  double seconds = 2;
};

struct Measured {
  Streamed one;
  Streamed four;
  double roundTrip = 0;
  uint64_t drops = 0;
};

struct Side {
  const char* name;
  std::function<bool(Laboratory& in)> begin;  ///< false: it cannot be here
  std::function<Place(const Laboratory& in)> from = [](auto& in) { return in.first(); };
  std::function<Place(const Laboratory& in)> to = [](auto& in) { return in.second(); };
};

using Words = std::vector<std::string>;

Side nodes(const char* name, const Words& options, bool apart = false) {
  return {name, [=](Laboratory& in) {
            in.fabric(options, apart);
            return true;
          }};
}

constexpr const char* kPump = "bare pump";
constexpr const char* kDefault = "vbn-ip";
constexpr const char* kSmall = "vbn-ip, MTU 1500";
constexpr const char* kNoSuper = "vbn-ip, MTU 1500, no super-frames";

std::vector<Side> sides() {
  auto begun = [](void (Laboratory::*begin)()) {
    return [=](Laboratory& in) {
      (in.*begin)();
      return true;
    };
  };
  std::vector<Side> all = {
      {kPump, begun(&Laboratory::pump)},
      nodes(kDefault, {}),
      nodes(kSmall, {"--mtu", "1500"}),
      nodes(kNoSuper, {"--mtu", "1500", "--super-frames", "off"}),
      nodes("... and full checksums",
            {"--mtu", "1500", "--super-frames", "off", "--checksums", "full"}),
      nodes("vbn-ip, drops when full", {"--when-full", "drop"}),
      nodes("vbn-ip, 2 queues, flow", {"--queues", "2"}),
      nodes("vbn-ip, 2 queues, cpu", {"--queues", "2", "--policy", "cpu"}),
      nodes("vbn-ip, 2 queues, round-robin", {"--queues", "2", "--policy", "round-robin"}),
      nodes("vbn-ip over softnic's TCP wire", {}, true),
      {"TCP below it", begun(&Laboratory::loopback), [](auto& in) { return in.first(); },
       [](auto& in) {
         return Place{in.first().netns, in.second().address};
       }},
      {"veth pair", begun(&Laboratory::veth)},
      {"socat over UDP", [](Laboratory& in) { return in.socat(); }},
  };
  Side out = nodes("gateway to a network of 1500", {});
  out.to = [](auto& in) { return in.lan(); };
  Side in = nodes("gateway from a network of 1500", {});
  in.from = [](auto& at) { return at.lan(); };
  in.to = [](auto& at) { return at.first(); };
  all.push_back(out);
  all.push_back(in);
  return all;
}

// ------------------------------------------------------------------ figures

/// The median, and the least and greatest.
struct Figure {
  double median = 0;
  double least = 0;
  double greatest = 0;
};

template <typename Value>
Figure figureOf(const std::vector<Measured>& all, Value value) {
  std::vector<double> values;
  for (const Measured& each : all) values.push_back(value(each));
  if (values.empty()) return {};
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

std::string words(const Figure& figure, const char* format) {
  std::array<char, 100> text;
  std::array<char, 100> pattern;
  std::snprintf(pattern.data(), pattern.size(), "%s (%s to %s)", format, format, format);
  std::snprintf(text.data(), text.size(), pattern.data(), figure.median, figure.least,
                figure.greatest);
  return text.data();
}

using Results = std::map<std::string, std::vector<Measured>>;

/// Of each round the one by the other.
template <typename Value>
Figure ratio(const Results& all, const char* above, const char* below, Value value) {
  const auto& upper = all.at(above);
  const auto& lower = all.at(below);
  std::vector<double> values;
  for (size_t i = 0; i < std::min(upper.size(), lower.size()); i++) {
    values.push_back(value(upper[i]) / value(lower[i]));
  }
  std::ranges::sort(values);
  return {values[values.size() / 2], values.front(), values.back()};
}

double rateOfOne(const Measured& each) {
  return each.one.rate();
}
double rateOfFour(const Measured& each) {
  return each.four.rate();
}
double costOf(const Measured& each) {
  return each.one.processorSecondsPerGib();
}
double tripOf(const Measured& each) {
  return each.roundTrip;
}

void printTable(const std::vector<Side>& sides, const Results& all) {
  std::printf(
      "\n| | 1 stream, GB/s | 4 streams, GB/s | processor seconds a GiB | retransmitted, 4 streams "
      "| "
      "dropped | round trip of 1 byte, us |\n|---|---|---|---|---|---|---|\n");
  for (const Side& side : sides) {
    auto found = all.find(side.name);
    if (found == all.end()) continue;
    const auto& each = found->second;
    auto retransmitted = [](auto& one) { return static_cast<double>(one.four.retransmissions); };
    auto dropped = [](auto& one) { return static_cast<double>(one.drops); };
    std::printf("| %s | %s | %s | %s | %s | %s | %s |\n", side.name,
                words(figureOf(each, rateOfOne), "%.2f").c_str(),
                words(figureOf(each, rateOfFour), "%.2f").c_str(),
                words(figureOf(each, costOf), "%.2f").c_str(),
                words(figureOf(each, retransmitted), "%.0f").c_str(),
                words(figureOf(each, dropped), "%.0f").c_str(),
                words(figureOf(each, tripOf), "%.0f").c_str());
  }
}

void printReach(const Results& all) {
  auto row = [](const char* what, const Figure& figure, const char* reach, bool isReached) {
    std::printf("| %s | %s | %s | %s |\n", what, words(figure, "%.2f").c_str(), reach,
                isReached ? "yes" : "no");
  };
  std::printf("\n| medians of ratios | | to reach | reached |\n|---|---|---|---|\n");
  Figure one = ratio(all, kDefault, kPump, rateOfOne);
  row("TCP, 1 stream / pump", one, ">= 0.7", one.median >= 0.7);
  Figure four = ratio(all, kDefault, kPump, rateOfFour);
  row("TCP, 4 streams / pump", four, ">= 0.7", four.median >= 0.7);
  Figure cost = ratio(all, kDefault, kPump, costOf);
  row("processor seconds a GiB / pump", cost, "<= 1.4", cost.median <= 1.4);
  Figure small = ratio(all, kSmall, kDefault, rateOfOne);
  row("MTU 1500 / 65520, with super-frames", small, ">= 0.85", small.median >= 0.85);
  Figure super = ratio(all, kSmall, kNoSuper, rateOfOne);
  row("super-frames on / off at MTU 1500", super, ">= 3", super.median >= 3);
  Figure lost = figureOf(all.at(kDefault), [](const Measured& each) {
    return static_cast<double>(each.drops + each.four.retransmissions);
  });
  row("drops and retransmissions, 4 streams", lost, "0", lost.median == 0);
  Figure trip = ratio(all, kDefault, kPump, tripOf);
  row("round trip of 1 byte over TCP / pump", trip, "<= 1.6", trip.median <= 1.6);
}

Measured measure(Laboratory& in, const Side& side, const Settings& settings) {
  constexpr uint32_t kRounds = 3'000;
  Measured measured;
  Place from = side.from(in);
  Place to = side.to(in);
  measured.roundTrip = roundTrip(from, to, kRounds);
  measured.one = stream(from, to, 1, settings.seconds);
  measured.four = stream(from, to, 4, settings.seconds);
  measured.drops = in.drops();
  return measured;
}

void bench(const std::string& program, const Settings& settings) {
  Laboratory laboratory(program);
  std::vector<Side> all = sides();
  Results results;
  std::printf(
      "two network namespaces of one machine, TCP with congestion control cubic, %u rounds "
      "of %.1f s each\n",
      settings.pairs, settings.seconds);
  for (uint32_t round = 0; round < settings.pairs; round++) {
    for (const Side& side : all) {
      std::fprintf(stderr, "round %u of %u: %s\n", round + 1, settings.pairs, side.name);
      if (side.begin(laboratory)) {
        results[side.name].push_back(measure(laboratory, side, settings));
      } else if (round == 0) {
        std::printf("left out: %s, which is not installed\n", side.name);
      }
    }
    std::ranges::reverse(all);
  }
  printTable(sides(), results);
  printReach(results);
}

// ------------------------------------------------------------------ the demo

void show(Laboratory& in, const char* what, double seconds) {
  Streamed streamed = stream(in.first(), in.second(), 1, seconds);
  std::printf("  %-38s %6.2f GB/s, %.2f processor seconds a GiB\n", what, streamed.rate(),
              streamed.processorSecondsPerGib());
  std::fflush(stdout);
}

void demo(const std::string& program) {
  Laboratory laboratory(program);
  std::printf(
      "Two network namespaces, each with an interface vbn0 whose frames go by the fabric.\n");
  laboratory.fabric({});
  std::printf("  a byte over TCP there and back        %6.0f us\n",
              roundTrip(laboratory.first(), laboratory.second(), 1'000));
  show(laboratory, "TCP, MTU 65520", 2);
  std::printf("What each mechanism brings:\n");
  laboratory.fabric({"--mtu", "1500"});
  show(laboratory, "MTU 1500, super-frames", 1);
  laboratory.fabric({"--mtu", "1500", "--super-frames", "off"});
  show(laboratory, "MTU 1500, none", 1);
  laboratory.fabric({"--queues", "2"});
  show(laboratory, "MTU 65520, 2 queues", 1);
  laboratory.fabric({}, true);
  show(laboratory, "as between hosts: softnic's TCP wire", 1);
  std::printf("%s", commandSays({program, "status", "--netns", laboratory.first().netns}).c_str());
}

/// Beside this one, as they are built.
std::string programToMeasure() {
  auto self = std::filesystem::read_symlink("/proc/self/exe");
  return self.parent_path().parent_path() / "bin" / "vbn-ip";
}

int run(const std::vector<std::string>& words) {
  Settings settings;
  bool isDemo = words == std::vector<std::string>{"demo"};
  bool isGood = isDemo || (words.size() % 2 == 1 && words.front() == "bench");
  for (size_t i = 1; isGood && i < words.size(); i += 2) {
    if (words[i] == "--pairs") {
      settings.pairs = static_cast<uint32_t>(std::stoul(words[i + 1]));
    } else if (words[i] == "--seconds") {
      settings.seconds = std::stod(words[i + 1]);
    } else {
      isGood = false;
    }
  }
  if (!isGood || settings.pairs == 0 || settings.seconds <= 0) {
    std::fprintf(stderr, "usage: vbn-ip-bench demo | bench [--pairs N] [--seconds S]\n");
    return 2;
  }
  isDemo ? demo(programToMeasure()) : bench(programToMeasure(), settings);
  return 0;
}

}  // namespace
}  // namespace verbena::ip

int main(int count, char** words) {
  try {
    return verbena::ip::run({words + 1, words + count});
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "vbn-ip-bench: %s\n", failure.what());
    return 1;
  }
}
