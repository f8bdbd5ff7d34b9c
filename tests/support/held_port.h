// A UDP port of loopback for a test's multicast groups: no other test gets the port while this
// object holds it, so tests that run beside each other do not get each other's datagrams.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "sail/core/socket/udp.h"

namespace sail {

class HeldPort {
 public:
  explicit HeldPort(Loop& loop) {
    auto socket = UdpSocket::bind(loop, {"127.0.0.1", 0});
    EXPECT_TRUE(socket) << socket.error().message;
    if (socket) socket_ = *std::move(socket);
  }
  uint16_t number() const { return socket_ ? socket_->address().port : 0; }

 private:
  std::unique_ptr<UdpSocket> socket_;
};

}  // namespace sail
