// Finds out if a multicast querier (IGMP, RFC 3376; MLD, RFC 3810) is on the network. Switches with
// snooping need one: it asks now and then who is in which group, and without answers the switches
// forget the receivers. Blocks: call it on any thread except a loop's.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/text/ip_address.h"

namespace sail {

// Joins the group and leaves it, on the interface with the address `here`; a querier then asks at
// once who is still in the group. The group must have no other members on this host. Returns true
// if any query comes within three seconds. Fails with kUnavailable if this user may not see queries
// (CAP_NET_RAW) and the kernel reports none of IGMP version 1 or 2, with kInvalidParams if `here`
// is not numeric, with kIo if no interface has it or the system refuses.
Result<bool> querier_answers(const std::string& here, const IpAddress& group);

// Returns true if the packet, from the beginning of its IP header, is a query. Pure.
bool is_membership_query(std::span<const uint8_t> packet);
// Returns true if the text of /proc/net/igmp says that the interface has heard a query of IGMP
// version 1 or 2 in the last minutes. Pure.
bool reports_old_querier(const std::string& igmp, const std::string& interface);

}  // namespace sail
