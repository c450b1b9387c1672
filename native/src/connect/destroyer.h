// SPDX-License-Identifier: Apache-2.0
//
// The thread on which the ends of drained links go. A device may take a second for each, where a
// peer is stopped in the middle of a copy; signs of life do not wait for that.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"
#include "connect/link.h"

namespace verbena::connect {

class Destroyer final {
 public:
  explicit Destroyer(LinkOwner& owner) : owner_(owner) {}
  base::Result<void> start();
  /// Returns when all are destroyed that were given to it.
  ~Destroyer();

  /// That many links more will be given to it: there is room then. Any thread.
  void expect(size_t links);
  /// LinkOwner::destroy() follows for one that was expected. Any thread; needs no memory.
  void destroy(LinkId id);

 private:
  void run();

  LinkOwner& owner_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<LinkId> drained_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace verbena::connect
