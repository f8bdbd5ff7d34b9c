// Discovery of managers: DNS-SD over multicast DNS (RFC 6763, 6762), using the host's Avahi daemon.
// The service is "_vitrail._tcp", and its TXT record contains "wall=NAME".
//
// Anybody on the network can announce a manager. So the addresses found are only candidates:
// programs accept only a manager that proves the wall's key, and do not search without a key.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"

namespace sail {

// kInvalidRequest: mDNS is used without a key, so that no manager could prove itself.
Result<void> check_mdns_key(const Address& wanted, const WallKey& key);

// Maximum time of a search while the daemon responds.
constexpr int64_t kMdnsSearchMs = 3000;

// Returns addresses of managers of that wall in this host's own networks. The order is random, so
// that retries reach every manager, whatever false ones announce. Blocks for about a second, or as
// long as the daemon hangs: not for the loop's thread. kUnavailable: no daemon or no manager.
Result<std::vector<Address>> find_by_mdns(const Address& wanted);

// Announces the manager during the object's lifetime, and again after the daemon restarts. Uses its
// own thread, because calls to the daemon block.
class MdnsAnnouncement {
 public:
  // listen: the manager's listening address.
  MdnsAnnouncement(std::string wall, const Address& listen, const Log& log);
  ~MdnsAnnouncement();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
