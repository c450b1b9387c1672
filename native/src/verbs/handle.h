// SPDX-License-Identifier: Apache-2.0
//
// How every verbs object is owned.
//
// Verbs objects must be destroyed in the reverse order of their making: a queue pair before its
// completion queues, these before their channel, everything before the device. Here that order does
// not depend on the order in which a program happens to let go of them: each object shares the
// ownership of what it was made from, so a parent is destroyed after its last child. Outside, each
// object has one owner and can only be moved.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "base/result.h"
#include "verbs/provider.h"

namespace verbena::verbs {

/// What all objects of one opened device have in common.
struct OpenDevice {
  const Provider& provider;
  std::string name;
  ibv_device_attr limits;
  std::shared_ptr<ibv_context> context;
};

/// Destructors cannot return errors. A destruction that failed leaked an object and is counted
/// here, since the start of the process; by construction it can only fail on a device that has
/// gone.
unsigned long failedDestructions();
void noteDestruction(int code);

/// Takes ownership of `raw`; `parents` are let go only after it has been destroyed.
template <typename T, typename... Parents>
std::shared_ptr<T> own(T* raw, int (*destroy)(T*), Parents... parents) {
  return std::shared_ptr<T>(raw, [destroy, keep = std::make_tuple(std::move(parents)...)](
                                     T* object) { noteDestruction(destroy(object)); });
}

/// The common part of the owners. A moved-from handle may only be assigned to or destroyed.
template <typename T>
class Handle {
 public:
  Handle(Handle&&) noexcept = default;
  Handle& operator=(Handle&&) noexcept = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  /// For the inline functions of <infiniband/verbs.h>; not to be destroyed by the caller.
  T* get() const { return object_.get(); }

  /// A share in the ownership, for what is made from this object.
  const std::shared_ptr<T>& share() const { return object_; }
  const std::shared_ptr<const OpenDevice>& device() const { return device_; }
  const Provider& provider() const { return device_->provider; }

 protected:
  Handle(std::shared_ptr<const OpenDevice> device, std::shared_ptr<T> object)
      : device_(std::move(device)), object_(std::move(object)) {}
  ~Handle() = default;

 private:
  // Declared in this order so that the object goes before its device.
  std::shared_ptr<const OpenDevice> device_;
  std::shared_ptr<T> object_;
};

}  // namespace verbena::verbs
