#include "sail/core/wall/witness.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace sail {
namespace {

constexpr std::string_view kScheme = "etcd://";
constexpr std::string_view kTlsScheme = "etcds://";
constexpr size_t kLongestWitness = 512;
constexpr size_t kMostServers = 7;  // etcd's advice for a cluster

bool is_plain(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '.' || letter == '_';
}

bool is_host(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    return std::ranges::all_of(host, [](char c) { return is_plain(c) || c == ':'; });
  }
  return !host.empty() && std::ranges::all_of(host, is_plain);
}

bool is_server(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view digits = text.substr(colon + 1);
  uint16_t port = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, port);
  return error == std::errc() && rest == end && port != 0 && is_host(text.substr(0, colon));
}

std::optional<Witness> parse_witness(std::string_view text) {
  Witness witness{.tls = text.starts_with(kTlsScheme)};
  if (!witness.tls && !text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(witness.tls ? kTlsScheme.size() : kScheme.size());
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    witness.prefix = text.substr(slash);
    text = text.substr(0, slash);
  }
  if (witness.prefix == "/") witness.prefix.clear();
  const auto fits = [](char c) { return is_plain(c) || c == '/'; };
  if (!std::ranges::all_of(witness.prefix, fits) || witness.prefix.ends_with('/')) {
    return std::nullopt;
  }
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    const std::string_view server = text.substr(0, comma);
    if (!is_server(server) || witness.servers.size() == kMostServers) return std::nullopt;
    witness.servers.emplace_back(server);
    if (more) text.remove_prefix(comma + 1);
  }
  return witness;
}

}  // namespace

std::string Witness::text() const {
  return fmt::format("{}{}{}", tls ? kTlsScheme : kScheme, fmt::join(servers, ","), prefix);
}

Witness read_witness(JsonFields& fields, const char* name) {
  auto witness = parse_witness(fields.string(name, kLongestWitness));
  if (!witness) {
    fields.mistake(
        name,
        "must name the servers of one etcd cluster (at most 7) and may have a prefix for "
        "keys, such as \"etcd://head3:2379,head4:2379/hall\", or with TLS \"etcds://head3:2379\"");
  }
  return std::move(witness).value_or(Witness{});
}

}  // namespace sail
