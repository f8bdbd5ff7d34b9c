#include "sail/core/wall/multicast.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "sail/core/text/ipv4.h"

namespace sail {
namespace {

constexpr int kShortestPrefix = 8;

std::optional<MulticastRange> parse_range(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto first = parse_ipv4(text.substr(0, slash));
  MulticastRange range{.first = first.value_or(0)};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + slash + 1, end, range.prefix);
  if (error != std::errc() || rest != end || range.prefix < kShortestPrefix || range.prefix > 32) {
    return std::nullopt;
  }
  const uint64_t last = range.first + range.count() - 1;
  if (range.first % range.count() != 0 || !is_multicast_group(range.first) || last > UINT32_MAX ||
      !is_multicast_group(static_cast<uint32_t>(last))) {
    return std::nullopt;
  }
  return range;
}

}  // namespace

std::string MulticastRange::text() const {
  return fmt::format("{}/{}", ipv4_text(first), prefix);
}

MulticastRange read_multicast(JsonFields& fields, const char* name) {
  constexpr size_t kLongest = 18;
  const auto range = parse_range(fields.string(name, kLongest));
  if (!range) {
    fields.mistake(name,
                   "must be a range of IPv4 multicast addresses from 224.0.1.0 to "
                   "239.255.255.255, such as \"239.1.2.0/24\"");
  }
  return range.value_or(MulticastRange{});
}

}  // namespace sail
