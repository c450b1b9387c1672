// SPDX-License-Identifier: Apache-2.0
//
// A farm of simulations on FastFlow: how many steps does a random walk take to leave an interval? A
// source gives walks to workers, a sink adds up what comes of them. Each group of FastFlow is a
// process; this program starts them all.
//
//   fastflow-simulation [PROCESSES [PROTOCOL]]     2 or 4, VERBENA or TCP
#include <arpa/inet.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "verbena/mtcl.hpp"

#include <ff/dff.hpp>

namespace {

constexpr uint64_t kWalks = 10'000;
constexpr int kHalf = 300;                // from the middle to an end
constexpr uint64_t kSteps = 909'911'130;  // of all walks; kWalks * kHalf * kHalf, says theory

// ------------------------------------------------------------------ the farm

struct Walk {
  uint64_t seed = 0;
  uint64_t steps = 0;

  template <typename Archive>
  void serialize(Archive& archive) {
    archive(seed, steps);
  }
};

/// SplitMix64: the next 64 random bits.
uint64_t next(uint64_t& state) {
  uint64_t bits = state += 0x9E37'79B9'7F4A'7C15;
  bits = (bits ^ bits >> 30) * 0xBF58'476D'1CE4'E5B9;
  bits = (bits ^ bits >> 27) * 0x94D0'49BB'1331'11EB;
  return bits ^ bits >> 31;
}

uint64_t stepsOf(uint64_t seed) {
  uint64_t bits = 0;
  uint64_t steps = 0;
  for (int place = 0; place > -kHalf && place < kHalf; steps++) {
    bits = steps % 64 == 0 ? next(seed) : bits >> 1;
    place += (bits & 1) != 0 ? 1 : -1;
  }
  return steps;
}

class Source final : public ff::ff_monode_t<Walk> {
  Walk* svc(Walk* /*none*/) override {
    for (uint64_t seed = 0; seed < kWalks; seed++) ff_send_out(new Walk{seed});
    return EOS;
  }
};

class Worker final : public ff::ff_monode_t<Walk> {
  Walk* svc(Walk* walk) override {
    walk->steps = stepsOf(walk->seed);
    return walk;
  }
};

class Sink final : public ff::ff_minode_t<Walk> {
 public:
  bool isRight() const { return walks_ == kWalks && steps_ == kSteps; }
  void print() const {
    std::printf("%llu walks of %llu steps, all in all\n", static_cast<unsigned long long>(walks_),
                static_cast<unsigned long long>(steps_));
  }

 private:
  Walk* svc(Walk* walk) override {
    walks_++;
    steps_ += walk->steps;
    delete walk;
    return GO_ON;
  }

  uint64_t walks_ = 0;
  uint64_t steps_ = 0;
};

/// With two processes the workers are beside the sink, with four they are two processes.
std::vector<std::string> groupsOf(int processes) {
  if (processes == 2) return {"source", "rest"};
  return {"source", "workers1", "workers2", "sink"};
}

/// One group of the farm.
int run(int argc, char** argv) {
  if (ff::DFF_Init(argc, argv) < 0) return 1;
  Source source;
  Sink sink;
  Worker first;
  Worker second;
  ff::ff_a2a rest;
  rest.add_firstset(std::vector<Worker*>{&first, &second});
  rest.add_secondset(std::vector<Sink*>{&sink});
  ff::ff_pipeline farm;
  farm.add_stage(&source);
  farm.add_stage(&rest);

  source.createGroup("source");
  std::string self = ff::DFF_getMyGroup();
  bool isWhole = std::getenv("SIMULATION_PROCESSES") == std::string("2");
  if (isWhole) {
    rest.createGroup("rest");
  } else {
    rest.createGroup("workers1") << &first;
    rest.createGroup("workers2") << &second;
    rest.createGroup("sink") << &sink;
  }
  if (farm.run_and_wait_end() < 0) return 1;
  if (self != "rest" && self != "sink") return 0;
  sink.print();
  return sink.isRight() ? 0 : 1;
}

// ------------------------------------------------------------------ its processes

/// A port that nobody has now.
int freePort() {
  int socket = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  bool hasOne = bind(socket, any, length) == 0 && getsockname(socket, any, &length) == 0;
  close(socket);
  if (!hasOne) throw std::runtime_error("no port is free");
  return ntohs(address.sin_port);
}

/// What FastFlow reads: which protocol, and where each group listens.
std::string writeConfiguration(const std::vector<std::string>& groups,
                               const std::string& protocol) {
  std::string path =
      std::filesystem::temp_directory_path() / ("simulation-" + std::to_string(getpid()) + ".json");
  std::ofstream file(path);
  file << "{ \"groups\" : [\n";
  for (const std::string& group : groups) {
    file << "  { \"name\" : \"" << group << "\", \"endpoint\" : \"localhost:" << freePort()
         << "\" }" << (group == groups.back() ? "\n" : ",\n");
  }
  file << "], \"protocol\" : \"" << protocol << "\" }\n";
  return path;
}

void start(const char* program, const std::string& configuration, const std::string& group) {
  if (fork() != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string config = "--DFF_Config=" + configuration;
  std::string name = "--DFF_GName=" + group;
  execl(program, program, config.c_str(), name.c_str(), nullptr);
  _exit(127);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

int startAll(int processes, const std::string& protocol) {
  setenv("SIMULATION_PROCESSES", std::to_string(processes).c_str(), 1);
  std::vector<std::string> groups = groupsOf(processes);
  std::string configuration = writeConfiguration(groups, protocol);
  auto begin = std::chrono::steady_clock::now();
  for (const std::string& group : groups) start("/proc/self/exe", configuration, group);
  bool isRight = true;
  for (int status = 0; wait(&status) > 0;) isRight = isRight && status == 0;
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  std::filesystem::remove(configuration);
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  std::printf("%s, %d processes: %.3f s, of processors %.3f s: %s\n", protocol.c_str(), processes,
              elapsed.count(), seconds(used.ru_utime) + seconds(used.ru_stime),
              isRight ? "right" : "WRONG");
  return isRight ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  bool isGroup = argc > 1 && std::string(argv[1]).rfind("--DFF_", 0) == 0;
  if (isGroup) {
    MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
    return run(argc, argv);
  }
  int processes = argc > 1 ? std::atoi(argv[1]) : 4;
  if (processes != 2 && processes != 4) {
    std::fprintf(stderr, "usage: %s [2|4 [VERBENA|TCP]]\n", argv[0]);
    return 2;
  }
  return startAll(processes, argc > 2 ? argv[2] : "VERBENA");
}
