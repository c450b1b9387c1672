// SPDX-License-Identifier: Apache-2.0
#include "device_under_test.h"

#include <cstdlib>

#include "devices/providers.h"

namespace verbena::conformance {
namespace {

std::string wanted() {
  const char* name = std::getenv("VERBENA_TEST_DEVICE");
  return name != nullptr && *name != '\0' ? name : "softnic";
}

}  // namespace

DeviceUnderTest::DeviceUnderTest()
    : selection_(verbs::select(verbs::survey(devices::providers()), {.device = wanted()})) {}

const DeviceUnderTest& DeviceUnderTest::get() {
  static const DeviceUnderTest device;
  return device;
}

bool DeviceUnderTest::has(KnownDifference difference) const {
  return kindOfDevice(difference) == selection().device.name().substr(0, 3);
}

}  // namespace verbena::conformance
