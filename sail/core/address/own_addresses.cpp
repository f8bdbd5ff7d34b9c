#include "sail/core/address/own_addresses.h"

#include <netinet/in.h>
#include <uv.h>

#include <algorithm>
#include <span>

#include "sail/core/address/socket_address.h"

namespace sail {

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

}  // namespace sail
