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

/// What a function cannot do without. Throws for null.
template <typename T>
T& need(T* given, const char* name) {
  if (given == nullptr) throw std::invalid_argument(std::string(name) + " is null");
  return *given;
}

/// Takes a structure in from a caller whose version of it may be shorter, though not than `least`:
/// its size when the version of the ABI began. What the caller does not know is zero.
template <typename T>
T takeIn(const T* given, size_t least, const char* name) {
  uint32_t bytes = need(given, name).struct_bytes;
  if (bytes < least || bytes > sizeof(T)) {
    throw std::invalid_argument(std::string(name) + ": struct_bytes is " + std::to_string(bytes) +
                                "; in this library's version it has " + std::to_string(sizeof(T)));
  }
  T taken{};
  std::memcpy(&taken, given, bytes);
  return taken;
}

/// Hands a structure out to a caller whose version of it may be shorter.
template <typename T>
vbn_status handOut(T value, T* target) noexcept {
  if (target == nullptr) return refuse(VBN_INVALID, "the place for the result is null");
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
