// SPDX-License-Identifier: Apache-2.0
//
// Between C and the inside: no exception leaves, every failure has a text.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "verbena.h"

namespace verbena::abi {

/// Keeps the text for vbn_error() of this thread and returns the status.
vbn_status refuse(vbn_status status, const char* text) noexcept;

/// Runs the body of an ABI function. What it throws for an argument that it does not take is
/// std::invalid_argument.
template <typename Body>
vbn_status guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::invalid_argument& refused) {
    return refuse(VBN_INVALID, refused.what());
  } catch (const std::exception& failure) {
    return refuse(VBN_FAILED, failure.what());
  } catch (...) {
    return refuse(VBN_FAILED, "an exception of unknown type");
  }
}

/// Hands a structure out to a caller whose version of it may be shorter.
template <typename T>
vbn_status handOut(T value, T* target) noexcept {
  uint32_t room = target->struct_bytes;
  if (room < sizeof(uint32_t) || room > sizeof(T)) {
    return refuse(VBN_INVALID,
                  "struct_bytes is not the size of a structure of this library's version");
  }
  value.struct_bytes = room;
  std::memcpy(target, &value, room);
  return VBN_OK;
}

/// Cuts what does not fit; always ends with a zero byte.
template <size_t Size>
void copyText(char (&target)[Size], const std::string& text) noexcept {
  size_t length = std::min(text.size(), Size - 1);
  std::memcpy(target, text.data(), length);
  target[length] = '\0';
}

}  // namespace verbena::abi
