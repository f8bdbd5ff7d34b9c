// IPv4 addresses as numbers: 239.1.2.3 is 0xef010203. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sail {

// Empty unless the text is four decimal numbers with dots.
std::optional<uint32_t> parse_ipv4(const std::string& text);
std::string ipv4_text(uint32_t address);

// Multicast addresses for programs. 224.0.0.x belongs to the protocols of the network itself.
constexpr bool is_multicast_group(uint32_t address) {
  return address >= 0xe0000100 && address <= 0xefffffff;
}

}  // namespace sail
