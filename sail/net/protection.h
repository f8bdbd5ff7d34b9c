// Whether what goes between this process and a peer is protected from those who read or change what
// is on its way: unless the peer is on this machine.
#pragma once

#include <string_view>

#include "sail/net/tcp.h"

namespace sail {

// wish: "always" or "never" by those who test or measure.
bool is_protected(const Address& peer, std::string_view wish);
// As VITRAIL_TLS wishes.
bool is_protected(const Address& peer);

}  // namespace sail
