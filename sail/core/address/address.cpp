#include "sail/core/address/address.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <net/if.h>
#include <netinet/in.h>
#include <uv.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/base/environment.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kMaxHostLength = 253;  // of a DNS name
constexpr size_t kNetworkBytes = 8;     // network part of an IPv6 address

bool plausible_host(std::string_view host) {
  constexpr std::string_view kInNames = ".-_:%";  // ':' and '%' occur in IPv6 addresses
  return host.size() <= kMaxHostLength && std::all_of(host.begin(), host.end(), [&](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  kInNames.find(c) != std::string_view::npos;
         });
}

bool parse_port(std::string_view text, uint16_t& port) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end;
}

// "%eth0": the scope, which a link-local address needs; "" for other addresses.
std::string scope_text(const sockaddr_in6& address) {
  std::array<char, IF_NAMESIZE> name{};
  if (!IN6_IS_ADDR_LINKLOCAL(&address.sin6_addr) || address.sin6_scope_id == 0) return {};
  if (if_indextoname(address.sin6_scope_id, name.data()) == nullptr) {
    return fmt::format("%{}", address.sin6_scope_id);
  }
  return fmt::format("%{}", name.data());
}

}  // namespace

Result<Address> parse_address(const std::string& text, const Address& fallback) {
  const auto bad = [&text](std::string_view why) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("\"{}\" is not an address (HOST:PORT): {}", text, why));
  };
  if (text.starts_with(kByMdns)) {
    const std::string wall = text.substr(std::strlen(kByMdns));
    if (wall.size() > kMaxNameLength) return bad("the wall's name is too long");
    if (const auto mistake = name_mistake(wall)) return bad(*mistake);
    return Address{text, 0};
  }
  const std::string_view all(text);
  std::string_view host = all;
  std::string_view port_part;  // with its colon
  if (all.starts_with('[')) {
    const size_t bracket = all.find(']');
    if (bracket == std::string_view::npos) return bad("the closing bracket is missing");
    host = all.substr(1, bracket - 1);
    port_part = all.substr(bracket + 1);
    if (host.empty()) return bad("the brackets are empty");
  } else if (std::count(all.begin(), all.end(), ':') == 1) {
    const size_t colon = all.find(':');
    host = all.substr(0, colon);
    port_part = all.substr(colon);
  }
  if (!plausible_host(host)) return bad("the host name is invalid");

  Address address = fallback;
  if (!host.empty()) address.host = host;
  if (!port_part.empty() &&
      (!port_part.starts_with(':') || !parse_port(port_part.substr(1), address.port))) {
    return bad("the port must be a number from 0 to 65535");
  }
  return address;
}

Result<Address> manager_address(const std::string& given) {
  return parse_address(given.empty() ? environment("VITRAIL_MANAGER") : given,
                       {"127.0.0.1", kDefaultControlPort});
}

std::string address_text(const Address& address) {
  if (is_by_mdns(address)) return address.host;
  const bool v6 = address.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", address.host, address.port)
            : fmt::format("{}:{}", address.host, address.port);
}

bool is_loopback(const std::string& host) {
  in_addr v4{};
  // A host name may begin like an address: "127.0.0.1.evil.example".
  const bool is_v4 = inet_pton(AF_INET, host.c_str(), &v4) == 1;
  return (is_v4 && host.starts_with("127.")) || host == "::1" || host == "localhost";
}

std::string network_of(const std::string& host) {
  in6_addr v6{};
  const std::string without_zone = host.substr(0, host.find('%'));
  if (inet_pton(AF_INET6, without_zone.c_str(), &v6) != 1 || host == "::1") return host;
  std::fill(std::begin(v6.s6_addr) + kNetworkBytes, std::end(v6.s6_addr), uint8_t{0});
  std::array<char, INET6_ADDRSTRLEN> network{};
  inet_ntop(AF_INET6, &v6, network.data(), network.size());
  return fmt::format("{}/64", network.data());
}

Result<void> write_port_file(const std::string& path, uint16_t port) {
  if (path.empty()) return {};
  const std::string part = path + ".part";
  std::ofstream file(part);
  file << port << '\n';
  std::error_code error;
  if (file.flush()) std::filesystem::rename(part, path, error);
  if (!file || error) return fail(ErrorCode::kIo, "cannot write " + path);
  return {};
}

bool is_protected(const Address& peer, TlsUse use) {
  if (use == TlsUse::kOffLoopback) return !is_loopback(peer.host);
  return use == TlsUse::kAlways;
}

TlsUse tls_use() {
  const std::string wanted = environment("VITRAIL_TLS");
  if (wanted == "always") return TlsUse::kAlways;
  return wanted == "never" ? TlsUse::kNever : TlsUse::kOffLoopback;
}

std::optional<sockaddr_storage> numeric_socket_address(const Address& address) {
  sockaddr_storage storage{};
  auto* v4 = reinterpret_cast<sockaddr_in*>(&storage);
  if (uv_ip4_addr(address.host.c_str(), address.port, v4) == 0) return storage;
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&storage);
  if (uv_ip6_addr(address.host.c_str(), address.port, v6) == 0) return storage;
  return std::nullopt;
}

Address address_from(const sockaddr* socket_address) {
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (socket_address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(socket_address);
    uv_ip4_name(v4, host.data(), host.size());
    return {host.data(), ntohs(v4->sin_port)};
  }
  if (socket_address->sa_family != AF_INET6) return {};
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(socket_address);
  const uint16_t port = ntohs(v6->sin6_port);
  if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
    sockaddr_in v4{};
    constexpr size_t kMappedPrefix = 12;  // bytes before the IPv4 address
    std::memcpy(&v4.sin_addr, v6->sin6_addr.s6_addr + kMappedPrefix, sizeof v4.sin_addr);
    uv_ip4_name(&v4, host.data(), host.size());
  } else {
    uv_ip6_name(v6, host.data(), host.size());
  }
  return {host.data() + scope_text(*v6), port};
}

Address address_of(int descriptor, int (*ask)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* address = reinterpret_cast<sockaddr*>(&storage);
  return ask(descriptor, address, &size) == 0 ? address_from(address) : Address{};
}

socklen_t socket_address_size(const sockaddr* socket_address) {
  return socket_address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

std::vector<std::string> own_addresses(const std::string& host) {
  const bool all = host == "::";
  if (!all && host != "0.0.0.0") return {host};
  uv_interface_address_t* interfaces = nullptr;
  int count = 0;
  if (uv_interface_addresses(&interfaces, &count) != 0) return {};
  std::vector<std::string> addresses;
  for (const int family : {AF_INET, AF_INET6}) {
    if (family == AF_INET6 && !all) break;
    for (const auto& one : std::span(interfaces, static_cast<size_t>(count))) {
      const auto* address = reinterpret_cast<const sockaddr*>(&one.address);
      if (one.is_internal != 0 || address->sa_family != family) continue;
      std::string text = address_from(address).host;
      const bool link_local = text.starts_with("169.254.") || text.find('%') != std::string::npos;
      if (!link_local && std::ranges::find(addresses, text) == addresses.end()) {
        addresses.push_back(std::move(text));
      }
    }
  }
  uv_free_interface_addresses(interfaces, count);
  return addresses;
}

namespace {

bool is_link_local(const std::string& host) {
  in6_addr v6{};
  return inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &v6) == 1 &&
         IN6_IS_ADDR_LINKLOCAL(&v6);
}

std::string without_scope(const std::string& host) {
  return is_link_local(host) ? host.substr(0, host.find('%')) : host;
}

}  // namespace

bool is_same_host(const Ends& ends) {
  return is_loopback(ends.there) || ends.here == ends.there;
}

std::string host_for(const Ends& peer, const ListenerPlace& listener) {
  if (is_same_host(peer)) return listener.host;
  if (!listener.announced.empty()) return listener.announced;
  return without_scope(listener.is_here ? peer.here : listener.host);
}

bool reach_alike(const Ends& a, const Ends& b) {
  return is_same_host(a) ? is_same_host(b) : !is_same_host(b) && a.here == b.here;
}

Address on_link_of(Address to, const std::string& local) {
  const size_t scope = local.find('%');
  if (scope == std::string::npos || to.host.find('%') != std::string::npos) return to;
  if (is_link_local(to.host)) to.host += local.substr(scope);
  return to;
}

}  // namespace sail
