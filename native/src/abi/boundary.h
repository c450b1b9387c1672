// SPDX-License-Identifier: Apache-2.0
//
// Between C and the inside: no exception leaves, every failure has a text.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "base/fork.h"
#include "verbena.h"

namespace verbena::abi {

/// Nothing is done there, not even freed: the other process goes on with what both have.
inline constexpr const char* kForked =
    "this process was forked from one with open nodes or jobs, whose threads and connections it "
    "does not have: fork before these are opened, or call exec in the new process";

/// Keeps the text for vbn_error() of this thread and returns the status.
vbn_status refuse(vbn_status status, const char* text) noexcept;

/// Runs the body of an ABI function. What it throws for an argument that it does not take is
/// std::invalid_argument.
template <typename Body>
vbn_status guarded(Body body) noexcept {
  if (base::isForked.load(std::memory_order_relaxed)) return refuse(VBN_FAILED, kForked);
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

/// For functions that have nothing to say of failure: refused arguments, and a lack of memory, in
/// which case what could not be done now is asked for again.
template <typename Body>
void quietly(Body body) noexcept {
  guarded([&] {
    body();
    return VBN_OK;
  });
}

/// What a function cannot do without. Throws for null.
template <typename T>
T& need(T* given, const char* name) {
  if (given == nullptr) throw std::invalid_argument(std::string(name) + " is null");
  return *given;
}

/// Holds the size that a caller says its version of a structure has against what this library
/// knows: at most all of it, and at least `least`, its size when the version of the ABI began.
/// Throws.
template <typename T>
void checkSize(const T* given, size_t least, const char* name) {
  uint32_t bytes = need(given, name).struct_bytes;
  if (bytes < least || bytes > sizeof(T)) {
    throw std::invalid_argument(std::string(name) + ": struct_bytes is " + std::to_string(bytes) +
                                "; in this library's version it has " + std::to_string(sizeof(T)));
  }
}

/// Takes a structure in; what the caller's version does not know is zero.
template <typename T>
T takeIn(const T* given, size_t least, const char* name) {
  checkSize(given, least, name);
  T taken{};
  std::memcpy(&taken, given, given->struct_bytes);
  return taken;
}

/// Hands a structure out, as much of it as the caller's version knows: any beginning of it.
template <typename T>
void handOut(T value, T* target, const char* name) {
  checkSize(&need(target, "the place for the result"), sizeof(target->struct_bytes), name);
  value.struct_bytes = target->struct_bytes;
  std::memcpy(target, &value, value.struct_bytes);
}

/// Cuts what does not fit; always ends with a zero byte, if there is room for any. Throws for null.
inline void copyText(char* target, size_t room, const std::string& text) {
  need(target, "the place for the text");
  if (room == 0) return;
  size_t length = std::min(text.size(), room - 1);
  std::memcpy(target, text.data(), length);
  target[length] = '\0';
}

template <size_t Size>
void copyText(char (&target)[Size], const std::string& text) {
  copyText(target, Size, text);
}

}  // namespace verbena::abi
