#include "sail/core/rpc/service_peer.h"

#include <fmt/core.h>

namespace sail {

std::string ServicePeer::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     address_text(rpc_.peer_address()));
}

}  // namespace sail
