#include "sail/apps/web/socks_request.h"

#include <arpa/inet.h>

#include <algorithm>
#include <string_view>

namespace sail {
namespace {

constexpr uint8_t kVersion = 5;
constexpr uint8_t kNoPassword = 0;
constexpr uint8_t kConnect = 1;
constexpr size_t kHead = 4;  // version, command, reserved, address type
constexpr size_t kPortBytes = 2;
enum : uint8_t { kOfIpv4 = 1, kOfName = 3, kOfIpv6 = 4 };

Error bad(const char* why) {
  return fail(ErrorCode::kBadData, why);
}

bool is_host_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '.' || c == '_';
  });
}

std::string numeric(int family, const uint8_t* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, bytes, text.data(), text.size()) != nullptr ? text.data() : "";
}

}  // namespace

Result<std::optional<size_t>> read_socks_greeting(std::span<const uint8_t> bytes) {
  if (!bytes.empty() && bytes[0] != kVersion) return bad("not a SOCKS 5 message");
  if (bytes.size() < 2 || bytes.size() < size_t{2} + bytes[1]) return std::optional<size_t>();
  const auto ways = bytes.subspan(2, bytes[1]);
  if (std::ranges::find(ways, kNoPassword) == ways.end())
    return bad("the client does not support access without a password");
  return std::optional<size_t>(2 + ways.size());
}

Result<std::optional<SocksRequest>> read_socks_request(std::span<const uint8_t> bytes) {
  const std::optional<SocksRequest> more;
  if (!bytes.empty() && bytes[0] != kVersion) return bad("not a SOCKS 5 message");
  if (bytes.size() > 1 && bytes[1] != kConnect) return bad("only CONNECT is supported");
  if (bytes.size() < kHead + 1) return more;
  size_t length = 0;
  switch (bytes[3]) {
    case kOfIpv4:
      length = sizeof(in_addr);
      break;
    case kOfIpv6:
      length = sizeof(in6_addr);
      break;
    case kOfName:
      length = size_t{1} + bytes[kHead];
      break;
    default:
      return bad("unknown address type");
  }
  if (bytes.size() < kHead + length + kPortBytes) return more;
  const auto address = bytes.subspan(kHead, length);
  SocksRequest request;
  if (bytes[3] == kOfName) {
    request.host.assign(address.begin() + 1, address.end());
    // Browsers may send IPv6 addresses as names.
    in6_addr ipv6{};
    if (!is_host_name(request.host) && inet_pton(AF_INET6, request.host.c_str(), &ipv6) != 1) {
      return bad("invalid host name");
    }
  } else {
    request.host = numeric(bytes[3] == kOfIpv4 ? AF_INET : AF_INET6, address.data());
  }
  const auto port = bytes.subspan(kHead + length, kPortBytes);
  request.port = static_cast<uint16_t>(port[0] << 8 | port[1]);
  request.bytes = kHead + length + kPortBytes;
  return std::optional<SocksRequest>(std::move(request));
}

}  // namespace sail
