// SPDX-License-Identifier: Apache-2.0
//
// What the handles of channels stand for, and how their calls come out.
#pragma once

#include <optional>
#include <stdexcept>

#include "abi/fabric_handles.h"
#include "fifo/opening.h"
#include "fifo/reader.h"
#include "fifo/writer.h"
#include "verbena/channel.h"

struct vbn_reader {
  verbena::abi::Dependence<verbena::fifo::Reader> inside;
};

struct vbn_writer {
  verbena::abi::Dependence<verbena::fifo::Writer> inside;
  std::optional<verbena::fifo::Pushing> pushing{};  // a part of it is written
};

struct vbn_opening {
  verbena::abi::Dependence<verbena::fifo::Opening> inside;
};

namespace verbena::abi {

inline fifo::Channels& channelsOf(const vbn_fabric* fabric, uint32_t worker = 0) {
  const WorkerFace& face = workerOf(fabric, worker);
  if (face.channels == nullptr) {
    throw std::invalid_argument("the fabric was opened without channels: set options.channels");
  }
  return *face.channels;
}

template <typename Body>
vbn_outcome outcomeOf(Body body) noexcept {
  vbn_outcome outcome = VBN_CHANNEL_FAILED;
  quietly([&] { outcome = static_cast<vbn_outcome>(body()); });
  return outcome;
}

}  // namespace verbena::abi
