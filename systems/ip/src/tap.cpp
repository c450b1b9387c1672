// SPDX-License-Identifier: Apache-2.0
#include "tap.h"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>

#include "failure.h"
#include "steering.h"

namespace verbena::ip {
namespace {

using base::FileDescriptor;

constexpr const char* kDevice = "/dev/net/tun";
/// Frames that wait in the kernel while nobody reads; beyond them it drops.
constexpr uint32_t kQueueLength = 4096;
// Of newer headers.
constexpr unsigned kSuperFramesOfUdp = 0x20 | 0x40;  // TUN_F_USO4 | TUN_F_USO6

/// Does `work` in the namespace, by a thread of its own; what it throws is thrown here.
template <typename Work>
void inNamespace(const std::string& netns, Work work) {
  if (netns.empty()) return work();
  std::string path = "/run/netns/" + netns;
  FileDescriptor there(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!there) {
    fail("enter the network namespace", netns, errno, "'ip netns list' has those that are there");
  }
  std::exception_ptr failure;
  std::thread([&] {
    try {
      if (setns(there.get(), CLONE_NEWNET) != 0) {
        fail("enter the network namespace", netns, errno, "it needs CAP_SYS_ADMIN");
      }
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }).join();
  if (failure) std::rethrow_exception(failure);
}

ifreq requestFor(const std::string& name) {
  ifreq request{};
  if (name.empty() || name.size() >= sizeof request.ifr_name) {
    fail("name an interface '" + name + "'", "", 0, "a name has 1 to 15 characters");
  }
  std::memcpy(request.ifr_name, name.data(), name.size());
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR | IFF_MULTI_QUEUE;
  return request;
}

FileDescriptor openQueue(const std::string& name) {
  FileDescriptor queue(open(kDevice, O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!queue) {
    fail("open", kDevice, errno,
         errno == ENOENT || errno == ENODEV ? "the kernel has no TUN/TAP: modprobe tun"
                                            : "it needs CAP_NET_ADMIN: run it as root");
  }
  ifreq request = requestFor(name);
  if (ioctl(queue.get(), TUNSETIFF, &request) == 0) return queue;
  int error = errno;
  std::string advice;
  if (error == EPERM) advice = "it needs CAP_NET_ADMIN: run it as root";
  if (error == EBUSY) advice = "another process has it: 'vbn-ip status' asks that one";
  if (error == E2BIG)
    advice = "it has as many queues as a TAP can have, or another process has them";
  if (error == EINVAL) {
    advice =
        "there is an interface of this name that is no TAP with several queues and virtio's "
        "headers: take another name, or make it so: ip tuntap add " +
        name + " mode tap multi_queue vnet_hdr";
  }
  fail("open the TAP device", name, error, advice);
}

void set(const FileDescriptor& queue, unsigned long option, int value, const char* what) {
  if (ioctl(queue.get(), option, &value) != 0) fail("set " + std::string(what), "", errno);
}

}  // namespace

Tap::Tap(const TapOptions& options) {
  inNamespace(options.netns, [&] { open(options); });
  isInOurNamespace_ = options.netns.empty();
}

void Tap::open(const TapOptions& options) {
  for (uint32_t i = 0; i < options.queues; i++) {
    queues_.push_back(openQueue(options.name));
    set(queues_.back(), TUNSETVNETHDRSZ, kHeaderBytes, "the length of virtio's header");
    set(queues_.back(), TUNSETVNETLE, 1, "the order of its bytes");
  }
  setOffloads(options);
  steer(options.policy, options.queues);
  if (ioctl(queues_.front().get(), TUNSETPERSIST, 1) != 0) {
    fail("let the device stay", options.name, errno);
  }
  interface_ = static_cast<int>(if_nametoindex(options.name.c_str()));
  netlink_.emplace();
  netlink_->bringUp(interface_, options.mac, options.mtu, kQueueLength);
  for (const IpAddress& each : options.addresses) netlink_->addAddress(interface_, each);
}

void Tap::setOffloads(const TapOptions& options) {
  unsigned offloads = options.partialChecksums ? TUN_F_CSUM : 0;
  if (options.superFrames) offloads |= TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
  int queue = queues_.front().get();
  offloads_ = offloads;
  takesUdpSuperFrames_ =
      ioctl(queue, TUNSETOFFLOAD, offloads | TUN_F_CSUM | kSuperFramesOfUdp) == 0;
  if (takesUdpSuperFrames_ && options.superFrames) return;
  if (ioctl(queue, TUNSETOFFLOAD, offloads) == 0) return;
  fail("leave checksums and segmentation to others", options.name, errno);
}

void Tap::leaveOutUdpSuperFrames() const {
  ioctl(queues_.front().get(), TUNSETOFFLOAD, offloads_);
}

/// The kernel itself chooses by flows.
void Tap::steer(Policy policy, uint32_t queues) {
  if (queues == 1) return;
  FileDescriptor program;
  if (policy != Policy::flow) {
    program = policy == Policy::cpu ? loadByProcessor() : loadRoundRobin();
    if (!program) {
      fail("load the program that chooses queues", "", errno,
           "'cpu' and 'round-robin' need CAP_BPF; 'flow' does not");
    }
  }
  int fd = program.get();
  if (ioctl(queues_.front().get(), TUNSETSTEERINGEBPF, &fd) != 0) {
    fail("set what chooses queues", "", errno);
  }
}

void Tap::remove(const std::string& name, const std::string& netns) {
  inNamespace(netns, [&] {
    if (if_nametoindex(name.c_str()) == 0)
      fail("remove", name, ENODEV, "there is no such interface");
    FileDescriptor queue = openQueue(name);
    if (ioctl(queue.get(), TUNSETPERSIST, 0) != 0) fail("let the device go", name, errno);
  });
}

}  // namespace verbena::ip
