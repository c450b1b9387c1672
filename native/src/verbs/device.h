// SPDX-License-Identifier: Apache-2.0
//
// Devices and opened devices.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verbs/handle.h"

namespace verbena::verbs {

/// A device that a provider listed; nothing has been opened yet. Can be copied.
class Device {
 public:
  /// All devices of a provider; none is an empty list.
  /// They are opened with `wiring`.
  static base::Result<std::vector<Device>> list(const Provider& provider,
                                                const Wiring& wiring = {});

  const Provider& provider() const { return *provider_; }
  ibv_device* get() const { return device_; }
  std::string name() const { return provider_->get_device_name(device_); }
  const Wiring& wiring() const { return *wiring_; }
  __be64 guid() const { return provider_->get_device_guid(device_); }

 private:
  Device(const Provider& provider, std::shared_ptr<ibv_device*> list, ibv_device* device,
         std::shared_ptr<const Wiring> wiring)
      : provider_(&provider), list_(std::move(list)), device_(device), wiring_(std::move(wiring)) {}

  const Provider* provider_;
  std::shared_ptr<ibv_device*> list_;  // a device is valid as long as its list, or while it is open
  ibv_device* device_;
  std::shared_ptr<const Wiring> wiring_;  // one for all copies: it holds a secret
};

/// An open device.
class Context : public Handle<ibv_context> {
 public:
  static base::Result<Context> open(const Device& listed);

  const std::string& name() const { return device()->name; }
  /// As read when the device was opened.
  const ibv_device_attr& limits() const { return device()->limits; }

  /// `port` counts from 1.
  base::Result<ibv_port_attr> queryPort(uint8_t port) const;
  /// ENODATA for an entry that is not in use.
  base::Result<ibv_gid_entry> queryGid(uint8_t port, uint32_t index) const;
  /// In host byte order; 0 for an entry that is not in use.
  base::Result<uint16_t> queryPkey(uint8_t port, uint16_t index) const;

 private:
  using Handle::Handle;
};

}  // namespace verbena::verbs
