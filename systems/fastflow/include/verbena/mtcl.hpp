// SPDX-License-Identifier: Apache-2.0
//
// MTCL's protocol VERBENA: handles over Verbena's channels, in shared memory on one host and by
// verbs between hosts. A program includes this behind or instead of mtcl.hpp, registers it, and
// uses addresses like "VERBENA:host:port":
//
//   MTCL::Manager::registerType<verbena::mtcl::ConnVerbena>("VERBENA");
//   MTCL::Manager::init("name");
//   MTCL::Manager::listen("VERBENA:0.0.0.0:13000");
//
// hub.h says what else can be set. Nothing here is more than MTCL's names for what dialogue.h does.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <mtcl.hpp>

#include "verbena/mtcl/dialogue.h"
#include "verbena/mtcl/hub.h"

namespace verbena::mtcl {

/// One that is under way, as MTCL asks for it.
class RequestVerbena final : public MTCL::request_internal {
 public:
  RequestVerbena(std::shared_ptr<Dialogue> dialogue, std::shared_ptr<Operation> operation)
      : dialogue_(std::move(dialogue)), operation_(std::move(operation)) {}

  int test(int& isOver) override {
    if (!operation_->isOver()) dialogue_->progress();
    isOver = operation_->isOver() ? 1 : 0;
    return isOver != 0 ? operation_->result() : 0;
  }
  int wait() override { return dialogue_->wait(*operation_); }
  int make_progress() override { return dialogue_->progress(), 0; }
  ssize_t count() const override { return operation_->bytes(); }

 private:
  std::shared_ptr<Dialogue> dialogue_;
  std::shared_ptr<Operation> operation_;
};

/// Those of one pool.
class RequestsVerbena final : public MTCL::ConnRequestVector {
 public:
  explicit RequestsVerbena(std::size_t hint) { requests_.reserve(hint); }

  void add(RequestVerbena request) { requests_.push_back(std::move(request)); }
  bool testAll() override {
    bool all = true;
    int isOver = 0;
    for (RequestVerbena& each : requests_) {
      each.test(isOver);
      all = all && isOver != 0;
    }
    return all;
  }
  void waitAll() override {
    for (RequestVerbena& each : requests_) each.wait();
  }
  void reset() override { requests_.clear(); }

 private:
  std::vector<RequestVerbena> requests_;
};

class HandleVerbena final : public MTCL::Handle {
 public:
  HandleVerbena(MTCL::ConnType* protocol, std::unique_ptr<Dialogue> dialogue)
      : Handle(protocol), dialogue_(std::move(dialogue)) {}

  ssize_t send(const void* message, std::size_t bytes) override {
    return dialogue_->send(message, bytes);
  }
  ssize_t isend(const void* message, std::size_t bytes, MTCL::Request& request) override {
    return give(request, dialogue_->sendLater(message, bytes));
  }
  ssize_t isend(const void* message, std::size_t bytes, MTCL::RequestPool& pool) override {
    return give(pool, dialogue_->sendLater(message, bytes));
  }
  ssize_t probe(std::size_t& bytes, const bool waits = true) override {
    int found = dialogue_->probe(bytes, waits);
    return found > 0 ? static_cast<ssize_t>(sizeof bytes) : found;
  }
  bool peek() override { return dialogue_->isReadable(); }
  ssize_t receive(void* into, std::size_t room) override { return dialogue_->receive(into, room); }
  ssize_t ireceive(void* into, std::size_t room, MTCL::Request& request) override {
    return give(request, dialogue_->receiveLater(into, room));
  }
  ssize_t ireceive(void* into, std::size_t room, MTCL::RequestPool& pool) override {
    return give(pool, dialogue_->receiveLater(into, room));
  }

 protected:
  ssize_t sendEOS() override { return dialogue_->endSending(); }

 private:
  friend class ConnVerbena;

  ssize_t give(MTCL::Request& request, std::shared_ptr<Operation> operation) {
    request.__setInternalR(new RequestVerbena(dialogue_, std::move(operation)));
    return 0;
  }
  ssize_t give(MTCL::RequestPool& pool, std::shared_ptr<Operation> operation) {
    pool._getInternalVector<RequestsVerbena>()->add({dialogue_, std::move(operation)});
    return 0;
  }

  std::shared_ptr<Dialogue> dialogue_;
};

class ConnVerbena final : public MTCL::ConnType {
 public:
  int init(std::string) override { return 0; }
  int listen(std::string address) override {
    if (hub_.listen(address) == 0) return 0;
    MTCL_ERROR("[MTCL VERBENA]:", "listen to %s: %s\n", address.c_str(), Hub::error());
    return -1;
  }

  MTCL::Handle* connect(const std::string& address, int retries, unsigned pauseMs) override {
    // Who asks for ever so many would have a clock's time run over.
    constexpr std::uint64_t kYearMs =
        std::chrono::milliseconds(std::chrono::hours(365 * 24)).count();
    std::uint64_t pausesMs = std::uint64_t{pauseMs} * static_cast<unsigned>(std::max(retries, 0));
    std::chrono::milliseconds pauses(std::min(pausesMs, kYearMs));
    std::unique_ptr<Dialogue> dialogue = hub_.connect(address, pauses);
    if (dialogue != nullptr) return handle(std::move(dialogue));
    // Of this process, and not that others are not there: whoever runs it has to hear of that.
    if (errno == EADDRNOTAVAIL) {
      MTCL_ERROR("[MTCL VERBENA]:", "connect to %s: %s\n", address.c_str(), Hub::error());
      return nullptr;
    }
    MTCL_PRINT(100, "[MTCL VERBENA]:", "connect to %s: %s\n", address.c_str(), Hub::error());
    return nullptr;
  }

  void update() override {
    while (std::unique_ptr<Dialogue> dialogue = hub_.accept()) {
      addinQ(true, handle(std::move(dialogue)));
    }
    sayWhyNot();
    for (HandleVerbena* each : takeReadable()) addinQ(false, each);
  }

  void notify_yield(MTCL::Handle* handle) override {
    std::lock_guard guard(lock_);
    auto* yielded = static_cast<HandleVerbena*>(handle);
    if (all_.count(yielded) != 0) waiting_.insert(yielded);
  }

  /// The handle itself goes when nobody has it any more.
  void notify_close(MTCL::Handle* handle, bool closedWrite, bool closedRead) override {
    auto* closed = static_cast<HandleVerbena*>(handle);
    std::lock_guard guard(lock_);
    if (closedRead) {
      waiting_.erase(closed);
      closed->dialogue_->endReceiving();
    }
    if (closedRead && closedWrite) all_.erase(closed);
  }

  /// First all is ended that is sent: two processes that have several handles with each other would
  /// else wait at one handle each, for an end that the other one sends behind that.
  void end(bool waits = false) override {
    std::vector<std::shared_ptr<Dialogue>> dialogues;
    for (HandleVerbena* each : everyone()) {
      dialogues.push_back(each->dialogue_);
      each->close(true, false);  // it may be gone afterwards
    }
    for (HandleVerbena* each : everyone()) setAsClosed(each, waits);
    for (auto& each : dialogues) {
      each->endSending();
      each->endReceiving();
    }
    hub_.close();
  }

 private:
  MTCL::Handle* handle(std::unique_ptr<Dialogue> dialogue) {
    auto* made = new HandleVerbena(this, std::move(dialogue));
    std::lock_guard guard(lock_);
    all_.insert(made);
    return made;
  }
  /// Behind an accept() that brought none. It is asked again and again: what it says is said once.
  void sayWhyNot() {
    std::string why = errno == EWOULDBLOCK ? "" : Hub::error();
    if (why == said_) return;
    said_ = why;
    if (!why.empty()) MTCL_ERROR("[MTCL VERBENA]:", "%s\n", why.c_str());
  }
  std::set<HandleVerbena*> everyone() {
    std::lock_guard guard(lock_);
    return all_;
  }
  std::vector<HandleVerbena*> takeReadable() {
    std::vector<HandleVerbena*> readable;
    std::lock_guard guard(lock_);
    for (auto each = waiting_.begin(); each != waiting_.end();) {
      auto next = std::next(each);
      if ((*each)->peek()) readable.push_back(waiting_.extract(each).value());
      each = next;
    }
    return readable;
  }

  Hub hub_;
  std::string said_;  // of MTCL's thread
  std::mutex lock_;
  std::set<HandleVerbena*> all_;      // open in a direction
  std::set<HandleVerbena*> waiting_;  // of them: given up, until there is something to receive
};

}  // namespace verbena::mtcl
