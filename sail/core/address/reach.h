// Selects the address of a listener for a peer. An address such as 127.0.0.1 means this host only
// here; for other hosts it means another host, or none. Pure.
#pragma once

#include <string>

#include "sail/core/address/address.h"

namespace sail {

// The two ends of a connection, as this host sees them.
struct Ends {
  std::string here;   // this host's address
  std::string there;  // the peer's
};
bool is_same_host(const Ends& ends);

// A listener that this host knows by the address `host`.
struct ListenerPlace {
  std::string host;
  bool is_here = false;     // on this host, by a loopback address
  std::string announced{};  // the address for other hosts; empty: none was configured
};
// The address by which that peer reaches the listener. A listener on this host is named by the
// address at which the peer reached this host. The scope of a link-local address (`%eth0`) is only
// valid on this host: see on_link_of().
std::string host_for(const Ends& peer, const ListenerPlace& listener);

// A link-local IPv6 address that came without a scope gets the scope of `local`, which is this
// host's address on the same link.
Address on_link_of(Address to, const std::string& local);

}  // namespace sail
