// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "world.h"

namespace verbena::shmem {
namespace {

const char* valueOf(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

/// SHMEM_NAME, or else SMA_NAME, as it was called up to 1.3.
std::string nameOf(const std::string& setting) {
  return (valueOf("SHMEM_" + setting) != nullptr ? "SHMEM_" : "SMA_") + setting;
}

const char* standard(const std::string& setting) {
  return valueOf(nameOf(setting));
}

size_t bytesOf(const std::string& name, const std::string& text) {
  auto bytes = bytesIn(text);
  if (!bytes) refuse(name + " is '" + text + "'; it is to be a number of bytes such as 256M");
  return *bytes;
}

bool isOn(const std::string& name) {
  const char* value = valueOf(name);
  std::string text = value == nullptr ? "on" : value;
  if (text != "on" && text != "off") refuse(name + " is '" + text + "'; it is to be on or off");
  return text == "on";
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

/// Any value switches debugging on.
uint32_t Settings::secondsIn(const std::string& text) {
  constexpr uint32_t kUsual = 10;
  uint32_t seconds = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  bool isNumber = code == std::errc() && end == text.data() + text.size();
  return isNumber && seconds > 0 ? seconds : kUsual;
}

Settings Settings::read() {
  Settings settings;
  if (const char* text = standard("SYMMETRIC_SIZE"))
    settings.symmetricBytes = bytesOf(nameOf("SYMMETRIC_SIZE"), text);
  if (const char* text = valueOf("VERBENA_SHMEM_POOL_SIZE"))
    settings.poolBytes = std::string(text) == "0" ? 0 : bytesOf("VERBENA_SHMEM_POOL_SIZE", text);
  settings.showsVersion = standard("VERSION") != nullptr;
  settings.showsInfo = standard("INFO") != nullptr;
  if (const char* text = standard("DEBUG")) settings.reportsAfter = secondsIn(text);
  settings.maps = isOn("VERBENA_SHMEM_MAPPING");
  if (const char* name = valueOf("VERBENA_SHMEM_DEVICE")) settings.device = name;
  settings.sharesVariables = isOn("VERBENA_SHMEM_VARIABLES");
  return settings;
}

}  // namespace verbena::shmem
