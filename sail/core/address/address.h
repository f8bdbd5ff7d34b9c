// The address of a peer: as a value, and as text that people write. Nothing is resolved or
// connected here. At the end: the addresses of this host, and of a listener for a peer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

struct Address {
  std::string host;  // numeric IPv4 or IPv6 address; for connect() also a name
  uint16_t port = 0;
  std::string certificate{};  // fingerprint of the listener's certificate, if known

  bool operator==(const Address&) const = default;
};

// Parses "host:port", "[v6]:port", "host" or ":port"; missing parts come from `fallback`. Fails
// with kInvalidParams.
Result<Address> parse_address(const std::string& text, const Address& fallback);
std::string address_text(const Address& address);
// Parses the given manager address; if empty $VITRAIL_MANAGER, else 127.0.0.1:7440.
Result<Address> manager_address(const std::string& given);
// True for this host's loopback: "localhost", 127.0.0.0/8, ::1.
bool is_loopback(const std::string& host);
// Key for per-network quotas: the IPv4 address itself, or the /64 of an IPv6 address, since one
// host has all addresses of a /64.
std::string network_of(const std::string& host);
// Reports the port to the process that started a program with port 0. The file is renamed into
// place, so readers see it complete. Does nothing if the path is empty. Fails with kIo.
Result<void> write_port_file(const std::string& path, uint16_t port);

// Whether connections are encrypted with TLS 1.3. A client decides by the address that it connects
// to. A listener accepts TLS from every peer, and decides by the peer's address whether plain
// connections are allowed.
enum class TlsUse : uint8_t {
  kOffLoopback,  // only connections within this host may be plain
  kAlways,
  kNever,      // a listener still accepts TLS from clients that start it
  kAsItComes,  // bytes are passed through unchanged
};
// From $VITRAIL_TLS: "always" or "never"; else kOffLoopback.
TlsUse tls_use();
// True if traffic with this peer must be encrypted, UDP packets included.
bool is_protected(const Address& peer, TlsUse use = tls_use());

// Host of an Address to be found by mDNS: "mdns:" for any wall, or "mdns:NAME".
constexpr const char* kByMdns = "mdns:";
inline bool is_by_mdns(const Address& address) {
  return address.host.starts_with(kByMdns);
}

// Returns the addresses at which a listener on `host` accepts connections: for "0.0.0.0" all IPv4
// addresses of this host, for "::" all addresses (IPv4 first), otherwise `host` itself. Loopback
// and link-local addresses are left out.
std::vector<std::string> own_addresses(const std::string& host);

// The address of a listener for a peer. An address such as 127.0.0.1 means this host only here; for
// other hosts it means another host, or none.

// The two ends of a connection, as this host sees them.
struct Ends {
  std::string here;   // this host's address
  std::string there;  // the peer's address
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

// Whether host_for() returns the same address of each listener for both peers.
bool reach_alike(const Ends& a, const Ends& b);

// A link-local IPv6 address that came without a scope gets the scope of `local`, which is this
// host's address on the same link.
Address on_link_of(Address to, const std::string& local);

}  // namespace sail
