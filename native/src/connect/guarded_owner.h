// SPDX-License-Identifier: Apache-2.0
//
// An owner of links that may lack memory.
#pragma once

#include <cerrno>
#include <exception>
#include <string>
#include <utility>

#include "connect/link.h"

namespace verbena::connect {

/// What the owner throws where a link is made is an error like any other: it costs that link.
class GuardedOwner final : public LinkOwner {
 public:
  explicit GuardedOwner(LinkOwner& owner) : owner_(owner) {}

  base::Result<LinkEnd> create(const NewLink& link) override {
    try {
      return owner_.create(link);
    } catch (const std::exception& failure) {
      return lacking("create a link with node " + std::to_string(link.peer), failure);
    }
  }
  base::Result<void> connect(LinkId id, const LinkEnd& far) override {
    try {
      return owner_.connect(id, far);
    } catch (const std::exception& failure) {
      return lacking("connect a link", failure);
    }
  }
  void ready(LinkId id) override { owner_.ready(id); }
  void close(LinkId id, const std::string& reason) override { owner_.close(id, reason); }

 private:
  static base::Error lacking(std::string operation, const std::exception& failure) {
    return {std::move(operation), "", ENOMEM, failure.what()};
  }

  LinkOwner& owner_;
};

}  // namespace verbena::connect
