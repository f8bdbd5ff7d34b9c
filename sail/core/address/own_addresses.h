// This host's addresses as seen by other hosts.
#pragma once

#include <string>
#include <vector>

namespace sail {

// Returns the addresses at which a listener on `host` accepts connections: for "0.0.0.0" all IPv4
// addresses of this host, for "::" all addresses (IPv4 first), otherwise `host` itself. Loopback
// and link-local addresses are left out.
std::vector<std::string> own_addresses(const std::string& host);

}  // namespace sail
