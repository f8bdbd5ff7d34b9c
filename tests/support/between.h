// A man in the middle between a client and a listener.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/socket/tcp.h"

namespace sail {

class Between {
 public:
  // May change bytes sent back to the client; `at` is the stream offset of the first byte.
  using Change = std::function<void(size_t at, std::span<uint8_t> bytes)>;

  // tls: with kAlways it ends TLS on both sides and forwards the plain bytes; with kAsItComes it
  // forwards the bytes as they are.
  Between(Loop& loop, Address listener, TlsUse tls = TlsUse::kAlways, Change change_back = {})
      : loop_(loop), target_(std::move(listener)), tls_(tls) {
    back_.change = std::move(change_back);
    auto listening =
        TcpListener::listen(loop, {"127.0.0.1", 0},
                            [this](auto accepted) { meet(std::move(accepted)); }, {}, {.tls = tls});
    EXPECT_TRUE(listening);
    listener_ = *std::move(listening);
  }
  Address address() const { return listener_->address(); }
  // Bytes received from the client.
  const std::string& heard() const { return forth_.heard; }

 private:
  struct Ear : TcpReader {
    std::span<uint8_t> read_buffer() override { return buffer; }
    void on_read(size_t count) override {
      const auto bytes = std::span(buffer).first(count);
      if (change) change(heard.size(), bytes);
      heard.append(bytes.begin(), bytes.end());
      if (to) to->write_copy(bytes);
    }
    void on_closed(const Error&) override { to = nullptr; }

    std::vector<uint8_t> buffer = std::vector<uint8_t>(4096);
    std::string heard;
    Change change;
    TcpConnection* to = nullptr;
  };

  void meet(std::unique_ptr<TcpConnection> accepted) {
    peer_ = std::move(accepted);
    connecting_ = TcpConnection::connect(loop_, target_,
                                         [this](auto connected) {
                                           target_side_ = *std::move(connected);
                                           forth_.to = target_side_.get();
                                           back_.to = peer_.get();
                                           peer_->start_reading(forth_);
                                           target_side_->start_reading(back_);
                                         },
                                         {.tls = tls_});
  }

  Loop& loop_;
  const Address target_;
  const TlsUse tls_;
  Ear forth_;
  Ear back_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<TcpConnection> peer_;
  std::unique_ptr<TcpConnection> target_side_;
  std::shared_ptr<void> connecting_;
};

}  // namespace sail
