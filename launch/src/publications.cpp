// SPDX-License-Identifier: Apache-2.0
#include "publications.h"

#include <sys/socket.h>

#include <array>

namespace verbena::launch {

bool Publications::open(const std::string& folder) {
  listener_ = job::listenForPublications(folder);
  return static_cast<bool>(listener_);
}

void Publications::watch(job::Poll& poll, const Publish& publish) {
  if (!listener_) return;
  poll.watch(listener_.get(), POLLIN, [this] { accept(); });
  for (const base::FileDescriptor& caller : callers_) {
    poll.watch(caller.get(), POLLIN, [this, fd = caller.get(), &publish] { serve(fd, publish); });
  }
}

void Publications::accept() {
  for (;;) {
    base::FileDescriptor caller(
        accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!caller) return;
    callers_.push_back(std::move(caller));
  }
}

void Publications::serve(int caller, const Publish& publish) {
  std::array<std::byte, job::kMostPublicationBytes + 1> message;
  ssize_t got = recv(caller, message.data(), message.size(), 0);
  if (got > 0) {
    auto publication = job::Publication::read(std::span(message).first(static_cast<size_t>(got)));
    std::string answer = publication ? publish(*publication) : "the message is none of a rank";
    answer.insert(answer.begin(), '.');
    send(caller, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  std::erase_if(callers_, [&](const auto& each) { return each.get() == caller; });
}

}  // namespace verbena::launch
