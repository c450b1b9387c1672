// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "world.h"

namespace verbena::shmem {
namespace {

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

std::optional<size_t> bytesIn(const std::string& text) {
  if (text.empty() || (std::isdigit(static_cast<unsigned char>(text[0])) == 0 && text[0] != '.')) {
    return std::nullopt;
  }
  char* end = nullptr;
  double number = std::strtod(text.c_str(), &end);
  std::string unit(end);
  static const std::string kUnits = "KMGT";
  double factor = 1;
  if (unit.size() == 1) {
    size_t power =
        kUnits.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
    if (power == std::string::npos) return std::nullopt;
    factor = std::pow(1024.0, static_cast<double>(power + 1));
  } else if (!unit.empty()) {
    return std::nullopt;
  }
  double bytes = number * factor;
  if (!std::isfinite(bytes) || bytes < 1 || bytes >= 0x1p62) return std::nullopt;
  return static_cast<size_t>(bytes);
}

Settings Settings::read() {
  Settings settings;
  if (isSet("SHMEM_SYMMETRIC_SIZE")) {
    std::string text = std::getenv("SHMEM_SYMMETRIC_SIZE");
    auto bytes = bytesIn(text);
    if (!bytes)
      refuse("SHMEM_SYMMETRIC_SIZE is '" + text + "'; it is to be a number of bytes such as 256M");
    settings.symmetricBytes = *bytes;
  }
  settings.showsVersion = isSet("SHMEM_VERSION");
  settings.showsInfo = isSet("SHMEM_INFO");
  if (isSet("VERBENA_SHMEM_MAPPING")) {
    std::string text = std::getenv("VERBENA_SHMEM_MAPPING");
    if (text != "on" && text != "off")
      refuse("VERBENA_SHMEM_MAPPING is '" + text + "'; it is to be on or off");
    settings.maps = text == "on";
  }
  return settings;
}

}  // namespace verbena::shmem
