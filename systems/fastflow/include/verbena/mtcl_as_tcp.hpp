// SPDX-License-Identifier: Apache-2.0
//
// For programs that name MTCL's protocol TCP in their code: included before all else, as by
// c++ -include verbena/mtcl_as_tcp.hpp, it puts VERBENA in its place, and they stay as they are.
#pragma once

#define DISABLE_TCP

#include "verbena/mtcl.hpp"

namespace verbena::mtcl {

inline const bool kIsTcp = (MTCL::Manager::registerType<ConnVerbena>("TCP"), true);

}  // namespace verbena::mtcl
