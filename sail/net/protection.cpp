#include "sail/net/protection.h"

#include "sail/base/environment.h"

namespace sail {

bool is_protected(const Address& peer, std::string_view wish) {
  if (wish == "always") return true;
  return wish != "never" && !is_loopback(peer.host);
}

bool is_protected(const Address& peer) {
  return is_protected(peer, environment("VITRAIL_TLS"));
}

}  // namespace sail
