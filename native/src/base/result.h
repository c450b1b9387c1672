// SPDX-License-Identifier: Apache-2.0
//
// Errors as values: what could not be done, to what, why, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace verbena::base {

/// "ENOMEM"; "errno 4711" for a number that has no name.
std::string errorName(int code);

/// One failed operation. Its sentence reads "cannot <operation> on <object>: <errno name>;
/// <advice>".
struct Error {
  std::string operation;  ///< with its values: "register 4294967296 bytes"
  std::string object;     ///< device, port or object: "mlx5_0"; may be empty
  int code = 0;           ///< errno value; 0 when the reason is not one
  std::string advice;     ///< the limit that was met and what to do; may be empty

  std::string sentence() const;
};

/// A T or the Error that stands in its place.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// Only of a result that is ok(): throws std::bad_variant_access of another.
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::move(std::get<0>(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }

  /// Only of a result that is not ok(), as above.
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return error_.value(); }

 private:
  std::optional<Error> error_;
};

}  // namespace verbena::base
