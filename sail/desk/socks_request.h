// What a browser says to its proxy, SOCKS 5 without a password (RFC 1928). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/base/result.h"

namespace sail {

// The longest that either may be.
constexpr size_t kMostSocksBytes = 262;

// How many of the bytes are the greeting; nothing: there are more to come. kBadData: it is none, or
// it wants a password.
Result<std::optional<size_t>> read_socks_greeting(std::span<const uint8_t> bytes);
constexpr std::array<uint8_t, 2> kSocksWelcome{5, 0};

struct SocksRequest {
  size_t bytes = 0;  // of the request
  std::string host;  // a numeric address, or a name of letters, digits and -._
  uint16_t port = 0;
};
// Nothing: there are more bytes to come. kBadData: it is no request for a connection.
Result<std::optional<SocksRequest>> read_socks_request(std::span<const uint8_t> bytes);

// Refusals have one reason only, so that pages learn nothing of what is there and refused.
enum class SocksAnswer : uint8_t { kConnected = 0, kRefused = 5 };
constexpr std::array<uint8_t, 10> socks_answer(SocksAnswer answer) {
  return {5, static_cast<uint8_t>(answer), 0, 1, 0, 0, 0, 0, 0, 0};
}

}  // namespace sail
