// SPDX-License-Identifier: Apache-2.0
#include "laboratory.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "failure.h"
#include "pump.h"

namespace verbena::ip {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartTime = 10s;

/// Its output goes to `output`, if there is one.
pid_t start(const std::vector<std::string>& words, int output = -1) {
  pid_t child = fork();
  if (child < 0) fail("start", words.front(), errno);
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (output >= 0) dup2(output, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& each : words) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

void command(const std::string& text) {
  commandSays(wordsOf(text));
}

template <typename Ready>
void await(const std::string& what, Ready ready) {
  auto deadline = std::chrono::steady_clock::now() + kStartTime;
  while (!ready()) {
    if (std::chrono::steady_clock::now() > deadline) {
      fail("wait for " + what, "", 0, "it has not come within 10 s");
    }
    std::this_thread::sleep_for(10ms);
  }
}

std::string newFolder() {
  std::string path = std::filesystem::temp_directory_path() / "vbn-ip-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) fail("make a folder", path, errno);
  return path;
}

std::string newName(const char* what) {
  return "vbnip-" + std::to_string(getpid()) + "-" + what;
}

}  // namespace

bool isInstalled(const std::string& program) {
  std::string path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  path += ":/usr/sbin:/sbin";
  for (size_t at = 0; at < path.size();) {
    size_t end = std::min(path.find(':', at), path.size());
    if (access((path.substr(at, end - at) + "/" + program).c_str(), X_OK) == 0) return true;
    at = end + 1;
  }
  return false;
}

std::string commandSays(const std::vector<std::string>& words) {
  std::array<int, 2> line;
  if (pipe2(line.data(), O_CLOEXEC) != 0) fail("make a pipe", "", errno);
  pid_t child = start(words, line[1]);
  close(line[1]);
  std::string said;
  std::array<char, 4096> part;
  ssize_t got = 0;
  while ((got = read(line[0], part.data(), part.size())) > 0) {
    said.append(part.data(), static_cast<size_t>(got));
  }
  close(line[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) return said;
  std::string all;
  for (const std::string& each : words) all += (all.empty() ? "" : " ") + each;
  fail("run", all, 0, "it says why above");
}

Laboratory::Laboratory(std::string program)
    : program_(std::move(program)),
      folder_(newFolder()),
      first_(newName("a")),
      second_(newName("b")),
      lan_(newName("lan")),
      wire_(newName("wire")) {
  if (geteuid() != 0) fail("make network namespaces", "", EPERM, "it needs root");
  if (!isInstalled("ip")) fail("run", "ip", ENOENT, "apt-get install iproute2");
  if (access("/dev/net/tun", F_OK) != 0) fail("open", "/dev/net/tun", errno, "modprobe tun");
  for (const std::string& each : {first_, second_, lan_, wire_}) {
    command("ip netns add " + each);
    command("ip -n " + each + " link set lo up");
    command("ip netns exec " + each + " sysctl -qw net.ipv6.conf.default.accept_dad=0");
  }
  command("ip -n " + second_ + " link add lan0 type veth peer name eth0 netns " + lan_);
  command("ip -n " + second_ + " address add 10.78.0.1/24 dev lan0");
  command("ip -n " + lan_ + " address add 10.78.0.2/24 dev eth0");
  command("ip -n " + second_ + " link set lan0 up");
  command("ip -n " + lan_ + " link set eth0 up");
  command("ip -n " + lan_ + " route add 10.77.0.0/24 via 10.78.0.1");
  command("ip netns exec " + second_ + " sysctl -qw net.ipv4.ip_forward=1");
  command("ip -n " + wire_ + " address add 10.98.0.1/32 dev lo");
  command("ip -n " + wire_ + " address add 10.98.0.2/32 dev lo");
  std::ofstream(folder_ + "/key") << "of the laboratory alone";
  chmod((folder_ + "/key").c_str(), 0600);
}

Laboratory::~Laboratory() {
  clear();
  for (const std::string& each : {first_, second_, lan_, wire_}) {
    try {
      command("ip netns del " + each);
    } catch (const Error&) {  // it has not been made
    }
  }
  std::filesystem::remove_all(folder_);
}

void Laboratory::clear() {
  for (pid_t each : processes_) kill(each, SIGTERM);
  for (pid_t each : processes_) waitpid(each, nullptr, 0);
  processes_.clear();
  isFabric_ = false;
  for (const std::string& netns : {first_, second_}) {
    for (const char* name : {"vbn0", "pump0", "pair0", "tunnel0"}) {
      pid_t deleting = start({"sh", "-c", "ip -n " + netns + " link del " + name + " 2>/dev/null"});
      waitpid(deleting, nullptr, 0);
    }
  }
}

void Laboratory::pump() {
  clear();
  firstAddress_ = "10.77.0.1";
  secondAddress_ = "10.77.0.2";
  auto tap = [](const std::string& netns, const std::string& address, uint32_t node) {
    return TapOptions{.name = "pump0",
                      .netns = netns,
                      .addresses = {IpAddress::parse("the address", address + "/24")},
                      .mac = macOf(node)};
  };
  processes_.push_back(startPump(tap(first_, firstAddress_, 1), tap(second_, secondAddress_, 2)));
  routesToLan();
}

void Laboratory::routesToLan() {
  command("ip -n " + first_ + " route replace 10.78.0.0/24 via " + secondAddress_);
}

void Laboratory::node(int number, const std::string& netns, const std::string& address,
                      std::vector<std::string> options, bool apart) {
  std::vector<std::string> words = {"ip", "netns", "exec", wire_};
  if (apart) {
    for (const char* each :
         {"unshare", "-m", "sh", "-c", "mount -t tmpfs none /dev/shm && exec \"$@\"", "sh"}) {
      words.emplace_back(each);
    }
  }
  for (const std::string& each :
       {program_, std::string("up"), std::string("--node"), std::to_string(number),
        std::string("--peers"), folder_ + "/peers", std::string("--netns"), netns,
        std::string("--address"), address + "/24", std::string("--key"), folder_ + "/key"}) {
    words.push_back(each);
  }
  words.insert(words.end(), options.begin(), options.end());
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  processes_.push_back(start(words, nowhere));
  close(nowhere);
}

void Laboratory::fabric(const std::vector<std::string>& options, bool apart) {
  clear();
  std::string network = apart ? "10.98.0." : "127.0.0.";
  std::ofstream(folder_ + "/peers") << "1 " << network << "1:4801\n2 " << network << "2:4802\n";
  firstAddress_ = "10.77.0.1";
  secondAddress_ = "10.77.0.2";
  node(1, first_, firstAddress_, options, apart);
  node(2, second_, secondAddress_, options, apart);
  isFabric_ = true;
  for (const std::string& netns : {first_, second_}) {
    await("the nodes of vbn-ip", [&] {
      try {
        std::string says = commandSays(
            {"sh", "-c", program_ + " status --json --netns " + netns + " 2>/dev/null || true"});
        return says.find("\"up\":true") != std::string::npos;
      } catch (const Error&) {
        return false;
      }
    });
  }
  routesToLan();
}

void Laboratory::veth() {
  clear();
  firstAddress_ = "10.77.0.1";
  secondAddress_ = "10.77.0.2";
  command("ip -n " + first_ + " link add pair0 type veth peer name pair0 netns " + second_);
  for (const auto& [netns, address] :
       {std::pair(first_, firstAddress_), std::pair(second_, secondAddress_)}) {
    command("ip -n " + netns + " address add " + address + "/24 dev pair0");
    command("ip -n " + netns + " link set pair0 up mtu 65520");
  }
}

bool Laboratory::socat() {
  if (!isInstalled("socat")) return false;
  clear();
  firstAddress_ = "10.77.0.1";
  secondAddress_ = "10.77.0.2";
  auto tunnel = [&](const std::string& netns, const std::string& address, const std::string& name,
                    const std::string& far) {
    std::vector<std::string> words = wordsOf("ip netns exec " + wire_ + " socat");
    words.push_back(far);
    words.push_back("TUN,tun-name=" + name);
    processes_.push_back(start(words));
    await("socat's device", [&] {
      pid_t looking =
          start({"sh", "-c", "ip -n " + wire_ + " link show " + name + " >/dev/null 2>&1"});
      int status = 0;
      waitpid(looking, &status, 0);
      return status == 0;
    });
    command("ip -n " + wire_ + " link set " + name + " netns " + netns + " name tunnel0");
    command("ip -n " + netns + " address add " + address + "/24 dev tunnel0");
    command("ip -n " + netns + " link set tunnel0 up");
  };
  tunnel(first_, firstAddress_, "left", "UDP-DATAGRAM:127.0.0.1:4802,bind=127.0.0.1:4801");
  tunnel(second_, secondAddress_, "right", "UDP-DATAGRAM:127.0.0.1:4801,bind=127.0.0.1:4802");
  return true;
}

void Laboratory::loopback() {
  clear();
  firstAddress_ = secondAddress_ = "127.0.0.1";
}

uint64_t Laboratory::drops() const {
  if (!isFabric_) return 0;
  std::string says = commandSays({program_, "status", "--json", "--netns", first_});
  uint64_t sum = 0;
  auto add = [&](const std::string& name) {
    std::string key = "\"" + name + "\":";
    // Of the peers, who come before the queues.
    size_t end = says.find("\"queues\"");
    for (size_t at = 0; (at = says.find(key, at)) < end; at += key.size()) {
      sum += std::strtoull(says.c_str() + at + key.size(), nullptr, 10);
    }
  };
  for (const char* each : {"kernel_dropped", "peer-is-slow", "no-room", "kernel"}) add(each);
  return sum;
}

}  // namespace verbena::ip
