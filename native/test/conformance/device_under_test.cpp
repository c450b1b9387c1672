// SPDX-License-Identifier: Apache-2.0
#include "device_under_test.h"

#include "../test_device.h"
#include "devices/providers.h"

namespace verbena::conformance {

DeviceUnderTest::DeviceUnderTest()
    : selection_(verbs::select(verbs::survey(devices::providers()), {.device = testDevice()})) {}

const DeviceUnderTest& DeviceUnderTest::get() {
  static const DeviceUnderTest device;
  return device;
}

bool DeviceUnderTest::has(KnownDifference difference) const {
  return kindOfDevice(difference) == selection().device.name().substr(0, 3);
}

}  // namespace verbena::conformance
