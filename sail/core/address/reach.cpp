#include "sail/core/address/reach.h"

#include <arpa/inet.h>

#include <utility>

namespace sail {
namespace {

bool is_link_local(const std::string& host) {
  in6_addr v6{};
  return inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), &v6) == 1 &&
         IN6_IS_ADDR_LINKLOCAL(&v6);
}

std::string without_scope(const std::string& host) {
  return is_link_local(host) ? host.substr(0, host.find('%')) : host;
}

}  // namespace

bool is_same_host(const Ends& ends) {
  return is_loopback(ends.there) || ends.here == ends.there;
}

std::string host_for(const Ends& peer, const ListenerPlace& listener) {
  if (is_same_host(peer)) return listener.host;
  if (!listener.announced.empty()) return listener.announced;
  return without_scope(listener.is_here ? peer.here : listener.host);
}

Address on_link_of(Address to, const std::string& local) {
  const size_t scope = local.find('%');
  if (scope == std::string::npos || to.host.find('%') != std::string::npos) return to;
  if (is_link_local(to.host)) to.host += local.substr(scope);
  return to;
}

}  // namespace sail
