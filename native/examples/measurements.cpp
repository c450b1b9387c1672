// SPDX-License-Identifier: Apache-2.0
//
// A station reads measurements that a sensor, a process of its own, writes: both where they lie.
//
//   measurements
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <verbena/channel.hpp>

namespace {

using namespace std::chrono_literals;
using verbena::Outcome;

constexpr uint32_t kStation = 2;
constexpr uint32_t kChannel = 5;
constexpr uint64_t kCount = 100'000;
constexpr std::chrono::seconds kPatience{60};

struct Measurement {
  uint64_t number;
  double value;
};

verbena::Fabric open(uint32_t node) {
  vbn_fabric_options options{};
  options.node_id = node;
  options.listen = "127.0.0.1:0";
  options.channels = 4;
  return verbena::Fabric(options);
}

/// Whoever goes without close() is lost to the reader.
void measure(const std::string& station) {
  verbena::Fabric sensor = open(1);
  sensor.addPeer(kStation, station);
  verbena::ChannelWriter writer(sensor, kStation, kChannel, kPatience);
  for (uint64_t i = 0; i < kCount; i++) {
    std::span<std::byte> place;
    if (writer.claim(sizeof(Measurement), place, kPatience) != Outcome::done) return;
    Measurement taken{i, 0.5 * static_cast<double>(i)};
    std::memcpy(place.data(), &taken, sizeof taken);
    writer.publish(sizeof taken);
  }
  static_cast<void>(writer.close(kPatience));
}

/// Whether all have come.
bool add(verbena::ChannelReader& reader) {
  double sum = 0;
  uint64_t next = 0;
  std::span<const std::byte> message;
  Outcome got = Outcome::done;
  while ((got = reader.peek(message, kPatience)) == Outcome::done) {
    Measurement taken{};
    std::memcpy(&taken, message.data(), sizeof taken);
    reader.release();  // the writer may write there again
    if (taken.number == next) next++;
    sum += taken.value;
  }
  std::string how = got == Outcome::ended ? "all there are" : reader.lostBecause();
  std::printf("%llu measurements in order, sum %.1f: %s\n", static_cast<unsigned long long>(next),
              sum, how.c_str());
  return got == Outcome::ended && next == kCount;
}

/// The sensor is another process; it starts before this one has threads, and hears an address.
pid_t startSensor(int* station) {
  int line[2];
  if (pipe(line) != 0) return -1;
  *station = line[1];
  pid_t sensor = fork();
  if (sensor != 0) return sensor;
  close(line[1]);
  char address[64] = {};
  if (read(line[0], address, sizeof address - 1) > 0) measure(address);
  return 0;
}

}  // namespace

int main() try {
  int line = -1;
  pid_t sensor = startSensor(&line);
  if (sensor <= 0) return sensor == 0 ? 0 : 1;
  verbena::Fabric station = open(kStation);
  verbena::ChannelReader reader(station, kChannel, 1 << 16);
  std::string address = station.address();
  if (write(line, address.data(), address.size()) < 0) return 1;
  bool all = add(reader);
  int status = 0;
  waitpid(sensor, &status, 0);
  return all && status == 0 ? 0 : 1;
} catch (const verbena::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
