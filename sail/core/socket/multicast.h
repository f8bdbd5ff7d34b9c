// Multicast on new UDP sockets. For sail/core/socket only.
#pragma once

#include <string>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail::multicast {

// As the functions of UdpSocket. kInvalidParams: an address is not numeric, or
// of another version of IP than the group; kIo: the system refuses.
Result<void> connect(int descriptor, const Address& group, const std::string& here, int hops);
Result<void> join(int descriptor, const Address& group, const std::string& here,
                  const std::string& from);
Result<void> join_from_all(int descriptor, const Address& group, bool loopback);

}  // namespace sail::multicast
