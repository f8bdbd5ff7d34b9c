// IPv4 multicast on new UDP sockets. For sail/core/socket only.
#pragma once

#include <string>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail::multicast {

// As UdpSocket::connect_to_group() and join_group(). kInvalidParams: an address is not IPv4; kIo:
// the system refuses.
Result<void> connect(int descriptor, const Address& group, const std::string& here);
Result<void> join(int descriptor, const Address& group, const std::string& here,
                  const std::string& from);

}  // namespace sail::multicast
