// SPDX-License-Identifier: Apache-2.0
#include "verbena/mtcl/hub.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "key_file.h"

namespace verbena::mtcl {
namespace {

constexpr uint64_t kPatience = 10'000'000'000;  // of who connects, for somebody who is there
/// Four pieces of a large message that goes by the device.
constexpr uint64_t kRingBytes = 256 << 10;
/// Two a dialogue. Devices with short completion queues, as the kernel's soft-RoCE (32,767), have
/// room for so many, with 64 operations each.
constexpr uint32_t kLinks = 448;
/// Rings are made ahead for so many that connect at once; others are linked a little later.
constexpr uint32_t kBacklog = 4;

/// Between two attempts to connect: processes that start together are there within milliseconds,
/// and whoever is not costs little to ask.
constexpr std::chrono::microseconds kFirstPause(250);
constexpr std::chrono::microseconds kLongestPause(50'000);

/// Where a node is that does not listen.
constexpr const char* kNowhere = "";

thread_local std::string reason;

/// Whether it was done.
bool done(vbn_status status) {
  if (status != VBN_OK) reason = vbn_error();
  return status == VBN_OK;
}

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == 0 ? nullptr : value;
}

bool refuse(const char* name, const char* value, const char* isToBe) {
  reason = std::string(name) + "=" + value + ": it is to be " + isToBe;
  return false;
}

/// Nothing but digits. Of a number too large for its place: the largest that there is.
bool isNumber(std::string_view text, uint64_t& number) {
  auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::result_out_of_range) number = std::numeric_limits<uint64_t>::max();
  return failure != std::errc::invalid_argument && rest == text.data() + text.size();
}

bool readRingBytes(uint64_t& bytes) {
  constexpr const char* kName = "VERBENA_RING_BYTES";
  constexpr uint64_t kLeast = 4096;
  constexpr uint64_t kMost = uint64_t{1} << 31;
  const char* value = setting(kName);
  bytes = kRingBytes;
  if (value == nullptr) return true;
  bool isTaken =
      isNumber(value, bytes) && bytes >= kLeast && bytes <= kMost && (bytes & (bytes - 1)) == 0;
  return isTaken || refuse(kName, value, "a power of two from 4096 to 2147483648");
}

bool readDeviceOnly(uint32_t& deviceOnly) {
  constexpr const char* kName = "VERBENA_DEVICE_ONLY";
  std::string_view value = setting(kName) == nullptr ? "0" : setting(kName);
  deviceOnly = value == "1" ? 1 : 0;
  return value == "0" || value == "1" || refuse(kName, setting(kName), "0 or 1; unset: 0");
}

bool readLinger(Dialogue::Clock::duration& linger) {
  using std::chrono::milliseconds;
  constexpr const char* kName = "VERBENA_LINGER_MS";
  constexpr auto kMost = std::chrono::duration_cast<milliseconds>(Dialogue::kWithoutEnd).count();
  const char* value = setting(kName);
  linger = Dialogue::kWithoutEnd;
  if (value == nullptr) return true;
  uint64_t number = 0;
  if (!isNumber(value, number)) {
    return refuse(kName, value, "a number of milliseconds, digits alone; unset: without end");
  }
  if (number < uint64_t{kMost}) linger = milliseconds(number);
  return true;
}

}  // namespace

/// A node, and who connects with it.
class Hub::Place : public std::enable_shared_from_this<Place> {
 public:
  /// Null if it cannot be opened.
  static std::shared_ptr<Place> open(const std::string& address) {
    auto place = std::make_shared<Place>();
    return place->openAt(address) ? std::move(place) : nullptr;
  }
  ~Place() {
    vbn_connections_free(connections);
    vbn_fabric_close(fabric);
  }

  /// Null if it cannot be; `isItself`: because this place listens there.
  std::unique_ptr<Dialogue> connect(const std::string& address, bool& isItself) {
    vbn_reader* reader = nullptr;
    vbn_writer* writer = nullptr;
    vbn_status made =
        vbn_connections_connect(connections, address.c_str(), kPatience, &reader, &writer);
    isItself = made == VBN_INVALID;
    if (!done(made)) return nullptr;
    return std::make_unique<Dialogue>(shared_from_this(), reader, writer, linger);
  }

  Dialogue::Clock::duration linger = Dialogue::kWithoutEnd;  // of each dialogue
  vbn_fabric* fabric = nullptr;
  vbn_connections* connections = nullptr;

 private:
  bool openAt(const std::string& address) {
    uint64_t ringBytes = 0;
    if (!readRingBytes(ringBytes) || !readLinger(linger)) return false;
    vbn_wishes device{};
    device.struct_bytes = sizeof device;
    device.device = setting("VERBENA_DEVICE");
    device.gid_index = device.pkey = device.service_level = -1;
    vbn_fabric_options options{};
    options.struct_bytes = sizeof options;
    options.node_id = VBN_ANY_NODE;
    options.cluster = setting("VERBENA_CLUSTER");
    options.listen = address.empty() ? nullptr : address.c_str();
    options.device = &device;
    options.max_links = 1;  // with one-sided memory, which nobody has here
    options.channels = kLinks;
    std::vector<char> key;
    if (!readDeviceOnly(options.device_only) || !readKey(key)) return false;
    if (!key.empty()) options.key = reinterpret_cast<const uint8_t*>(key.data());
    options.key_bytes = key.size();
    return done(vbn_fabric_open(&options, &fabric)) &&
           done(vbn_connections_open(fabric, ringBytes, &connections));
  }

  static bool readKey(std::vector<char>& key) {
    const char* path = setting("VERBENA_KEY_FILE");
    if (path == nullptr) return true;
    std::string why = readKeyFile(path, key);
    if (!why.empty()) reason = std::string("VERBENA_KEY_FILE=") + path + ": " + why;
    return why.empty();
  }
};

std::shared_ptr<Hub::Place> Hub::place(const std::string& address) {
  std::lock_guard guard(lock_);
  std::shared_ptr<Place>& place = places_[address];
  if (place == nullptr) place = Place::open(address);
  return place;
}

/// One that is there, which costs nothing.
std::shared_ptr<Hub::Place> Hub::anyPlace() {
  {
    std::lock_guard guard(lock_);
    for (auto& [address, place] : places_) {
      if (place != nullptr) return place;
    }
  }
  return place(kNowhere);
}

const char* Hub::error() {
  return reason.c_str();
}

void Hub::close() {
  std::lock_guard guard(lock_);
  places_.clear();
}

int Hub::listen(const std::string& address) {
  std::shared_ptr<Place> at = place(address);
  bool listens = at != nullptr && done(vbn_connections_listen(at->connections, kBacklog));
  if (listens) return 0;
  errno = EADDRNOTAVAIL;
  return -1;
}

std::unique_ptr<Dialogue> Hub::accept() {
  std::lock_guard guard(lock_);
  int error = EWOULDBLOCK;
  for (auto& [address, place] : places_) {
    if (address.empty() || place == nullptr) continue;
    vbn_reader* reader = nullptr;
    vbn_writer* writer = nullptr;
    vbn_outcome got = vbn_connections_accept(place->connections, 0, &reader, &writer);
    if (got == VBN_CHANNEL_DONE) {
      return std::make_unique<Dialogue>(place, reader, writer, place->linger);
    }
    if (got == VBN_CHANNEL_WOULD_BLOCK) continue;
    reason = "accept at " + address + ": " + vbn_error();
    error = ECONNABORTED;
  }
  errno = error;
  return nullptr;
}

std::unique_ptr<Dialogue> Hub::connect(const std::string& address,
                                       Dialogue::Clock::duration patience) {
  using Clock = Dialogue::Clock;
  auto limit = Clock::now() + patience;
  for (auto pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    std::unique_ptr<Dialogue> made = connectNow(address);
    bool isToAskAgain = made == nullptr && errno == ECONNREFUSED;
    Clock::duration left = limit - Clock::now();
    if (!isToAskAgain || left <= Clock::duration::zero()) return made;
    std::this_thread::sleep_for(std::min<Clock::duration>(pause, left));
  }
}

std::unique_ptr<Dialogue> Hub::connectNow(const std::string& address) {
  std::unique_ptr<Dialogue> made;
  bool isItself = false;
  std::shared_ptr<Place> from = anyPlace();
  if (from != nullptr) made = from->connect(address, isItself);
  if (isItself && (from = place(kNowhere))) made = from->connect(address, isItself);
  if (made == nullptr) errno = from == nullptr ? EADDRNOTAVAIL : ECONNREFUSED;
  return made;
}

}  // namespace verbena::mtcl
