// Expected failures as values. Bugs abort (assert); peer bytes, files and the network return a
// Result.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace sail {

// Stable across releases: these are the JSON-RPC error codes of the control plane
// (manager/COMMANDS.md). The first five are JSON-RPC 2.0's own.
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
  kLimit = 1005,                // a bound of the protocol or of this manager would be passed
  kUnavailable = 1006,          // the peer that should act is not there
  kTimeout = 1007,              // the peer that should act did not in time
  kBadData = 1008,              // bytes that break the data protocol, or a damaged file
  kIo = 1009,                   // the operating system said no
};

// The name that travels beside the code ("invalid_params").
const char* error_name(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // a sentence that a person can act on

  bool operator==(const Error&) const = default;
};

// A value, or why there is none. What went wrong is returned as it is: `return file.error();`.
template <typename T, typename E>
class Expected : public tl::expected<T, E> {
 public:
  using tl::expected<T, E>::expected;
  Expected(E error) : tl::expected<T, E>(tl::unexpect, std::move(error)) {}
  bool operator==(const Expected&) const = default;

  // What comes next with the value, as that returns it (and_then), or as a value (map).
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
