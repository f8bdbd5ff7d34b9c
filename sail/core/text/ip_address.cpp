#include "sail/core/text/ip_address.h"

#include <arpa/inet.h>

#include <algorithm>

namespace sail {
namespace {

constexpr std::array<uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// Flags and scope are the halves of the second byte.
bool is_ipv6_group(const IpAddress& address) {
  const int flags = address.bytes[1] >> 4;
  const int scope = address.bytes[1] & 0xf;
  return address.bytes[0] == 0xff && (flags == 1 || flags == 3) && scope >= 2 && scope <= 0xe;
}

bool is_ipv4_group(const IpAddress& address) {
  const auto& bytes = address.bytes;
  const bool of_the_network = bytes[12] == 0xe0 && bytes[13] == 0 && bytes[14] == 0;
  return bytes[12] >= 0xe0 && bytes[12] <= 0xef && !of_the_network;
}

}  // namespace

bool IpAddress::is_ipv4() const {
  return std::equal(kMapped.begin(), kMapped.end(), bytes.begin());
}

std::optional<IpAddress> parse_ip(const std::string& text) {
  IpAddress address;
  auto& bytes = address.bytes;
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + kMapped.size()) == 1) {
    std::ranges::copy(kMapped, bytes.begin());
    return address;
  }
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1 || address.is_ipv4()) {
    return std::nullopt;
  }
  return address;
}

std::string ip_text(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const auto& bytes = address.bytes;
  if (address.is_ipv4()) {
    inet_ntop(AF_INET, bytes.data() + kMapped.size(), text.data(), text.size());
  } else {
    inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  }
  return text.data();
}

bool is_multicast_group(const IpAddress& address) {
  return address.is_ipv4() ? is_ipv4_group(address) : is_ipv6_group(address);
}

}  // namespace sail
