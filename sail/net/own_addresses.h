// This host's addresses for others.
#pragma once

#include <string>
#include <vector>

namespace sail {

// Those of its networks, IPv4 first: neither loopback nor link-local. A listener at `host` takes
// connections at them: "0.0.0.0" at those of IPv4, "::" at all, and another one at itself alone.
std::vector<std::string> own_addresses(const std::string& host);

}  // namespace sail
