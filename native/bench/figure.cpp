// SPDX-License-Identifier: Apache-2.0
#include "figure.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace verbena::bench {
namespace {

/// Of several rounds: the middle, the least and the greatest.
struct Spread {
  explicit Spread(std::vector<double> all) {
    std::ranges::sort(all);
    middle = all[all.size() / 2];
    least = all.front();
    greatest = all.back();
  }
  double middle, least, greatest;
};

std::vector<double> ratios(const Figure& figure) {
  std::vector<double> all;
  for (size_t i = 0; i < figure.values.size(); i++) {
    all.push_back(figure.values[i] / figure.besideValues[i]);
  }
  return all;
}

/// Bytes and large rates are told in a thousand million and a million.
void tellText(const Figure& figure) {
  std::string_view unit = figure.unit;
  double scale = unit == "ns" ? 1 : unit == "B/s" ? 1e-9 : 1e-6;
  const char* name = unit == "ns" ? "ns" : unit == "B/s" ? "GB/s" : "M/s";
  Spread value(figure.values);
  std::printf("%-22s %7llu B  %-18s  %.*f %s (%.*f to %.*f)", figure.what.c_str(),
              static_cast<unsigned long long>(figure.bytes), figure.way.c_str(), scale == 1 ? 0 : 3,
              value.middle * scale, name, scale == 1 ? 0 : 3, value.least * scale,
              scale == 1 ? 0 : 3, value.greatest * scale);
  if (figure.beside != nullptr) {
    Spread ratio(ratios(figure));
    std::printf("  %s x %.2f (%.2f to %.2f)", figure.beside, ratio.middle, ratio.least,
                ratio.greatest);
  }
  std::puts("");
}

void tellAll(const char* name, const std::vector<double>& values) {
  std::printf(",\"%s\":[", name);
  const char* comma = "";
  for (double value : values) {
    std::printf("%s%.1f", comma, value);
    comma = ",";
  }
  std::printf("]");
}

void tellJson(const Figure& figure) {
  std::printf("{\"measured\":\"%s\",\"size_bytes\":%llu,\"way\":\"%s\",\"unit\":\"%s\"",
              figure.what.c_str(), static_cast<unsigned long long>(figure.bytes),
              figure.way.c_str(), figure.unit);
  tellAll("values", figure.values);
  if (figure.beside != nullptr) {
    std::printf(",\"beside\":\"%s\"", figure.beside);
    tellAll("beside_values", figure.besideValues);
  }
  std::puts("}");
}

}  // namespace

void tell(const Figure& figure, bool json) {
  json ? tellJson(figure) : tellText(figure);
  std::fflush(stdout);
}

}  // namespace verbena::bench
