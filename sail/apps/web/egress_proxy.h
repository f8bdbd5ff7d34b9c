// Egress filter for a web page's connections: a SOCKS 5 proxy on loopback that blocks some
// addresses. It checks the address that a name resolved to, not the name. Nothing is sent to a
// blocked address, and nothing about it is revealed. Has its own thread; its public functions are
// for the thread that created it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace sail {

// Resolves a host to numeric addresses; empty if this fails. Blocks.
std::vector<std::string> addresses_of(const std::string& host);
// Returns true if the address belongs to this machine or is link-local (cloud metadata services),
// or if it is not a numeric address.
bool is_near(const std::string& address);

class EgressProxy {
 public:
  // Both callbacks run on the proxy's thread. Returns true if a numeric address is blocked:
  using IsClosed = std::function<bool(const std::string& address)>;
  // Reports the host of a blocked request.
  using OnRefused = std::function<void(const std::string& host)>;
  static Result<std::unique_ptr<EgressProxy>> start(IsClosed is_closed, OnRefused on_refused);
  ~EgressProxy();
  EgressProxy(const EgressProxy&) = delete;
  EgressProxy& operator=(const EgressProxy&) = delete;

  uint16_t port() const { return port_; }

  // Maximum number of connections. A further one replaces the oldest that has not sent a request;
  // if there is none, it is closed.
  static constexpr size_t kMaxBrowserConnections = 256;

 private:
  class Connection;

  EgressProxy(IsClosed is_closed, OnRefused on_refused);
  void accept(std::unique_ptr<TcpConnection> connection);
  void forget(uint32_t number);

  const IsClosed is_closed_;
  const OnRefused on_refused_;
  uint16_t port_ = 0;

  // Used only by the proxy's thread.
  Loop loop_;
  std::unique_ptr<TcpListener> listener_;
  std::map<uint32_t, std::unique_ptr<Connection>> connections_;  // by connection number
  uint32_t next_ = 0;
  std::thread thread_;
};

}  // namespace sail
