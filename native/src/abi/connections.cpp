// SPDX-License-Identifier: Apache-2.0
//
// Connections of two channels.
#include "fifo/connections.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "abi/channel_handles.h"
#include "abi/numbers.h"

using namespace verbena;
using abi::nanoseconds;
using abi::need;

struct vbn_connections {
  abi::Dependence<fifo::Connections> inside;
};

namespace {

fifo::Connections& inside(const vbn_connections* connections) {
  return need(connections, "the connections").inside.get("the connections");
}

/// What a connection becomes in C.
struct Places {
  Places(vbn_reader** readerAt, vbn_writer** writerAt)
      : reader(need(readerAt, "the place for the reader")),
        writer(need(writerAt, "the place for the writer")) {
    reader = nullptr;
    writer = nullptr;
  }
  void take(fifo::Connection made, const std::shared_ptr<abi::Dependents>& fabric) {
    std::unique_ptr<vbn_reader> reading(new vbn_reader{.inside = {fabric, std::move(made.reader)}});
    writer = new vbn_writer{.inside = {fabric, std::move(made.writer)}};
    reader = reading.release();
  }

  vbn_reader*& reader;
  vbn_writer*& writer;
};

}  // namespace

vbn_status vbn_connections_open(vbn_fabric* fabric, uint64_t ring_bytes,
                                vbn_connections** opened) noexcept {
  return abi::guarded([&]() -> vbn_status {
    need(opened, "the place for the connections");
    auto connections = fifo::Connections::on(abi::channelsOf(fabric), ring_bytes);
    if (!connections) return abi::refuse(connections.error());
    *opened = new vbn_connections{.inside = {fabric->dependents, std::move(*connections)}};
    return VBN_OK;
  });
}

void vbn_connections_free(vbn_connections* connections) noexcept {
  abi::quietly([&] { delete connections; });
}

vbn_status vbn_connections_listen(vbn_connections* connections, uint32_t backlog) noexcept {
  return abi::guarded([&]() -> vbn_status {
    auto listens = inside(connections).listen(backlog);
    return listens ? VBN_OK : abi::refuse(listens.error());
  });
}

vbn_outcome vbn_connections_accept(vbn_connections* connections, uint64_t timeout_ns,
                                   vbn_reader** reader, vbn_writer** writer) noexcept {
  return abi::outcomeOf([&]() -> vbn_outcome {
    Places places(reader, writer);
    fifo::Connections& from = inside(connections);
    auto accepted = timeout_ns == 0 ? from.accept() : from.accept(nanoseconds(timeout_ns));
    if (!accepted) {
      abi::refuse(accepted.error());
      return VBN_CHANNEL_FAILED;
    }
    if (!accepted->has_value()) return VBN_CHANNEL_WOULD_BLOCK;
    places.take(std::move(**accepted), connections->inside.fabric());
    return VBN_CHANNEL_DONE;
  });
}

vbn_status vbn_connections_connect(vbn_connections* connections, const char* address,
                                   uint64_t timeout_ns, vbn_reader** reader,
                                   vbn_writer** writer) noexcept {
  return abi::guarded([&]() -> vbn_status {
    Places places(reader, writer);
    need(address, "the address");
    auto made = inside(connections).connect(address, nanoseconds(timeout_ns));
    bool isItself = !made && made.error().code == ELOOP;
    if (isItself) return abi::refuse(VBN_INVALID, made.error().sentence().c_str());
    if (!made) return abi::refuse(made.error());
    places.take(std::move(*made), connections->inside.fabric());
    return VBN_OK;
  });
}
