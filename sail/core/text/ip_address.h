// IPv4 and IPv6 addresses as values; IPv4 as ::ffff:a.b.c.d. Pure.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace sail {

struct IpAddress {
  std::array<uint8_t, 16> bytes{};  // in network order; all zero: none

  bool is_ipv4() const;
  auto operator<=>(const IpAddress&) const = default;
};

// Empty unless the text is four decimal numbers with dots, or an IPv6 address without scope.
std::optional<IpAddress> parse_ip(const std::string& text);
std::string ip_text(const IpAddress& address);

// Multicast addresses for programs: IPv4 except 224.0.0.x, which belongs to the protocols of the
// network itself; IPv6 groups that are not assigned permanently and reach beyond the host.
bool is_multicast_group(const IpAddress& address);

}  // namespace sail
