// SPDX-License-Identifier: Apache-2.0
//
// The device that the suite runs on.
#pragma once

#include "known_differences.h"
#include "verbs/selection.h"

namespace verbena::conformance {

/// VERBENA_TEST_DEVICE: the name of a device, or "softnic" (the default). A device that is named
/// must be there: without it the tests fail.
class DeviceUnderTest {
 public:
  static const DeviceUnderTest& get();

  const verbs::Selection& selection() const { return selection_.value(); }
  bool found() const { return selection_.ok(); }
  /// Only of a device that was not found.
  std::string why() const { return selection_.error().sentence(); }

  /// Whether the device is known to differ from the specification in this.
  bool has(KnownDifference difference) const;

 private:
  DeviceUnderTest();

  base::Result<verbs::Selection> selection_;
};

}  // namespace verbena::conformance
