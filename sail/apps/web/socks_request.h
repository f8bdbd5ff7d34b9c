// Parser for SOCKS 5 requests without a password (RFC 1928). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

// Maximum size of a greeting or request.
constexpr size_t kMostSocksBytes = 262;

// Returns the greeting's size; empty: incomplete. kBadData: not a greeting, or it needs a password.
Result<std::optional<size_t>> read_socks_greeting(std::span<const uint8_t> bytes);
constexpr std::array<uint8_t, 2> kSocksWelcome{5, 0};

struct SocksRequest {
  size_t bytes = 0;  // size of the request
  std::string host;  // a numeric address, or a name of letters, digits and -._
  uint16_t port = 0;
};
// Empty: incomplete. kBadData: not a CONNECT request.
Result<std::optional<SocksRequest>> read_socks_request(std::span<const uint8_t> bytes);

// All refusals use one code, so that pages cannot learn what exists behind the proxy.
enum class SocksAnswer : uint8_t { kConnected = 0, kRefused = 5 };
constexpr std::array<uint8_t, 10> socks_answer(SocksAnswer answer) {
  return {5, static_cast<uint8_t>(answer), 0, 1, 0, 0, 0, 0, 0, 0};
}

}  // namespace sail
