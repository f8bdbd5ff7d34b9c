// The way of a web page's connections: a proxy on loopback (SOCKS 5), by which some addresses are
// not reached. What counts is the address to which a name has led, not the name: nothing is sent
// there and nothing said of what is there. A thread of its own; what is public is for the thread
// that made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"

namespace sail {

// The numeric addresses of a host, as the system finds them; none when it finds none. Blocks.
std::vector<std::string> addresses_of(const std::string& host);
// Whether it leads to this machine or no further than its link, where services of clouds are; true
// of what is no numeric address.
bool is_near(const std::string& address);

class PageGate {
 public:
  // Both are called on the gate's thread. Whether nobody reaches a numeric address:
  using IsClosed = std::function<bool(const std::string& address)>;
  // Where somebody wanted to go.
  using OnRefused = std::function<void(const std::string& host)>;
  static Result<std::unique_ptr<PageGate>> start(IsClosed is_closed, OnRefused on_refused);
  ~PageGate();
  PageGate(const PageGate&) = delete;
  PageGate& operator=(const PageGate&) = delete;

  uint16_t port() const { return port_; }

  // One that comes later takes the place of the oldest that has asked for nothing yet, or none.
  static constexpr size_t kMostVisitors = 256;

 private:
  class Visitor;

  PageGate(IsClosed is_closed, OnRefused on_refused);
  void accept(std::unique_ptr<TcpConnection> connection);
  void forget(uint32_t number);

  const IsClosed is_closed_;
  const OnRefused on_refused_;
  uint16_t port_ = 0;

  // Of the gate's thread.
  Loop loop_;
  std::unique_ptr<TcpListener> listener_;
  std::map<uint32_t, std::unique_ptr<Visitor>> visitors_;  // by their number
  uint32_t next_ = 0;
  std::thread thread_;
};

}  // namespace sail
