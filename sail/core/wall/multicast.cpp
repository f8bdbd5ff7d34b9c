#include "sail/core/wall/multicast.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace sail {
namespace {

constexpr int kIpv4Bits = 32;
constexpr int kIpv6Bits = 128;
// Kind and reach of an address are in these bits.
constexpr int kShortestIpv4Prefix = 8;
constexpr int kShortestIpv6Prefix = 16;

// Bits in which the addresses differ.
int own_bits(const MulticastRange& range) {
  return (range.first.is_ipv4() ? kIpv4Bits : kIpv6Bits) - range.prefix;
}

// No bit after the prefix is set.
bool begins_at_prefix(const MulticastRange& range) {
  const auto& bytes = range.first.bytes;
  for (int bit = 0; bit < own_bits(range); ++bit) {
    if ((bytes[bytes.size() - 1 - static_cast<size_t>(bit / 8)] >> (bit % 8) & 1) != 0)
      return false;
  }
  return true;
}

std::optional<MulticastRange> parse_range(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto first = parse_ip(text.substr(0, slash));
  if (!first) return std::nullopt;
  MulticastRange range{.first = *first};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, range.prefix);
  const int shortest = first->is_ipv4() ? kShortestIpv4Prefix : kShortestIpv6Prefix;
  if (error != std::errc() || rest != end || range.prefix < shortest || own_bits(range) < 0) {
    return std::nullopt;
  }
  if (!is_multicast_group(range.first) || !begins_at_prefix(range)) return std::nullopt;
  return range;
}

}  // namespace

uint64_t MulticastRange::count() const {
  return uint64_t{1} << std::min(own_bits(*this), kIpv4Bits);
}

IpAddress MulticastRange::group(uint64_t number) const {
  IpAddress address = first;
  for (auto byte = address.bytes.rbegin(); number != 0; ++byte, number >>= 8) {
    *byte = static_cast<uint8_t>(*byte | (number & 0xff));
  }
  return address;
}

std::optional<IpAddress> MulticastRange::test_group() const {
  return count() > 1 ? std::optional(group(count() - 1)) : std::nullopt;
}

std::string MulticastRange::text() const {
  return fmt::format("{}/{}", ip_text(first), prefix);
}

MulticastRange read_multicast(JsonFields& fields, const char* name) {
  constexpr size_t kLongest = 49;
  const auto range = parse_range(fields.string(name, kLongest));
  if (!range) {
    fields.mistake(name,
                   "must be a range of multicast addresses, such as \"239.1.2.0/24\" (from "
                   "224.0.1.0 to 239.255.255.255) or \"ff18::4:0/112\" (ff1 or ff3, then a reach "
                   "from 2 to e); bits after the prefix must be 0");
  }
  return range.value_or(MulticastRange{});
}

}  // namespace sail
