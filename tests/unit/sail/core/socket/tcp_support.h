// Helpers for tests of TCP and the layers above.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/socket/tcp.h"
#include "tests/support/loop_test.h"

namespace sail {

inline const Address kAnyPort{"127.0.0.1", 0};

inline std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Stores everything it reads, at most `piece` bytes at a time.
struct Collector : TcpReader {
  explicit Collector(size_t piece = 65536) : buffer(piece) {}
  std::span<uint8_t> read_buffer() override { return buffer; }
  void on_read(size_t count) override {
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(count));
    if (then) then();
  }
  void on_closed(const Error& error) override {
    EXPECT_FALSE(closed) << "on_closed came twice";
    closed = error;
    if (then) then();
  }
  std::string text() const { return {bytes.begin(), bytes.end()}; }

  std::vector<uint8_t> buffer;
  std::vector<uint8_t> bytes;
  std::optional<Error> closed;
  std::function<void()> then;
};

// Returns the client's and the server's end of a connection.
inline std::pair<std::unique_ptr<TcpConnection>, std::unique_ptr<TcpConnection>> connect_pair(
    Loop& loop) {
  std::pair<std::unique_ptr<TcpConnection>, std::unique_ptr<TcpConnection>> ends;
  auto listening = TcpListener::listen(loop, kAnyPort,
                                       [&](auto accepted) { ends.second = std::move(accepted); });
  EXPECT_TRUE(listening);
  if (!listening) return ends;
  const auto guard = TcpConnection::connect(loop, (*listening)->address(),
                                            [&](Result<std::unique_ptr<TcpConnection>> connected) {
                                              EXPECT_TRUE(connected);
                                              if (connected) ends.first = std::move(*connected);
                                            });
  EXPECT_TRUE(run_until(loop, [&] { return ends.first && ends.second; }));
  return ends;
}

}  // namespace sail
