// SPDX-License-Identifier: Apache-2.0
//
// Handles of what lives on a fabric. They are freed before the fabric is closed or afterwards: what
// they stand for ends with it at the latest, and their calls are refused from then on.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>

namespace verbena::abi {

/// A handle, as its fabric's close sees it.
class Dependent {
 public:
  virtual void end() noexcept = 0;

 protected:
  ~Dependent() = default;
};

/// Those of one fabric, which share it. Any thread.
class Dependents {
 public:
  void add(Dependent& one) {
    std::lock_guard guard(lock_);
    all_.insert(&one);
  }
  /// It has ended when this returns, by whom ever.
  void remove(Dependent& one) noexcept {
    std::lock_guard guard(lock_);
    all_.erase(&one);
    one.end();
  }
  /// Before the fabric goes.
  void endAll() noexcept {
    std::lock_guard guard(lock_);
    isClosed_.store(true, std::memory_order_release);  // pairs with isClosed()
    for (Dependent* each : all_) each->end();
    all_.clear();
  }
  bool isClosed() const { return isClosed_.load(std::memory_order_acquire); }

 private:
  std::mutex lock_;
  std::unordered_set<Dependent*> all_;
  std::atomic<bool> isClosed_{false};
};

/// What a handle stands for, as long as its fabric is open.
template <typename Inside>
class Dependence final : Dependent {
 public:
  Dependence(std::shared_ptr<Dependents> all, std::unique_ptr<Inside> inside)
      : all_(std::move(all)), inside_(std::move(inside)) {
    all_->add(*this);
  }
  ~Dependence() { all_->remove(*this); }
  Dependence(const Dependence&) = delete;
  Dependence& operator=(const Dependence&) = delete;

  const std::shared_ptr<Dependents>& fabric() const { return all_; }
  bool isOver() const { return inside_ == nullptr; }
  /// Throws where the fabric was closed.
  Inside& get(const char* name) const {
    if (isOver()) [[unlikely]] {
      throw std::runtime_error(std::string("the fabric of ") + name +
                               " was closed; nothing is left to do but to free");
    }
    return *inside_;
  }

 private:
  void end() noexcept override { inside_.reset(); }

  const std::shared_ptr<Dependents> all_;
  std::unique_ptr<Inside> inside_;
};

}  // namespace verbena::abi
