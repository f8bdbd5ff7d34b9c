// Expected failures are values: functions that handle peers' bytes, files or the network return a
// Result. Bugs abort (assert).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace sail {

// Stable across releases: these are the control plane's JSON-RPC error codes (manager/COMMANDS.md).
// The first five are defined by JSON-RPC 2.0.
enum class ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kUnknownMethod = -32601,
  kInvalidParams = -32602,
  kInternal = -32603,
  kUnauthorized = 1001,         // wrong or missing key
  kUnsupportedProtocol = 1002,  // no protocol version in common
  kNotFound = 1003,             // no such window, tile, receiver, file
  kConflict = 1004,             // the name or the port is taken
  kLimit = 1005,                // a limit of the protocol or of this manager would be exceeded
  kUnavailable = 1006,          // the peer that must act is not connected
  kTimeout = 1007,              // the peer that must act took too long
  kBadData = 1008,              // bytes that violate the data protocol, or a damaged file
  kIo = 1009,                   // the operating system reported an error
  kBusy = 1010,                 // the storage's read rate is reserved for other films
};

// The name that is sent with the code ("invalid_params").
const char* error_name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // a sentence that tells the user what to do

  bool operator==(const Error&) const = default;
};

// A value or an error. An error converts implicitly: `return file.error();`.
template <typename T, typename E>
class Expected : public tl::expected<T, E> {
 public:
  using tl::expected<T, E>::expected;
  Expected(E error) : tl::expected<T, E>(tl::unexpect, std::move(error)) {}
  bool operator==(const Expected&) const = default;

  // Applies `next` to the value; returns its Expected (and_then) or its value (map), or the error.
  template <typename F>
  auto and_then(F&& next) const {
    using Next = decltype(call(next));
    return this->has_value() ? call(next) : Next(this->error());
  }
  template <typename F>
  auto map(F&& next) const {
    using Next = Expected<decltype(call(next)), E>;
    if (!this->has_value()) return Next(this->error());
    if constexpr (std::is_void_v<decltype(call(next))>) {
      call(next);
      return Next();
    } else {
      return Next(call(next));
    }
  }

 private:
  template <typename F>
  auto call(F& next) const {
    if constexpr (std::is_void_v<T>) {
      return next();
    } else {
      return next(**this);
    }
  }
};

template <typename T>
using Result = Expected<T, Error>;

inline Error fail(ErrorCode code, std::string message) {
  return {code, std::move(message)};
}

}  // namespace sail
