// Managers that say on their network where they are: DNS-SD over multicast DNS (RFC 6763, 6762), by
// the host's Avahi daemon. The service is "_vitrail._tcp", and its TXT record has "wall=NAME".
//
// Anybody on the network can say so. What is found here are only addresses to try: nobody is obeyed
// that does not prove the wall's key, and programs that have none do not ask.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/net/tcp.h"
#include "sail/net/wall_key.h"

namespace sail {

// "mdns:", for any wall, or "mdns:NAME": the host of an Address that is to be found in this way.
constexpr const char* kByMdns = "mdns:";
inline bool is_by_mdns(const Address& address) {
  return address.host.starts_with(kByMdns);
}

// kInvalidRequest: whoever is found in this way could not be asked to prove anything.
Result<void> check_mdns_key(const Address& wanted, const WallKey& key);

// The most that a search takes while the daemon answers.
constexpr int64_t kMdnsSearchMs = 3000;

// Where managers of that wall are, of this host's own networks, in an order of chance: so that who
// tries again gets to each of them, whatever others say. Takes about a second, or as long as the
// daemon hangs: not for the loop's thread. kUnavailable: there is no daemon, or nobody is found.
Result<std::vector<Address>> find_by_mdns(const Address& wanted);

// Says it as long as it is there, and again when the daemon was away. Has a thread of its own,
// since the daemon's answers are waited for.
class MdnsAnnouncement {
 public:
  // listen: where the manager does.
  MdnsAnnouncement(std::string wall, const Address& listen, const Log& log);
  ~MdnsAnnouncement();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
