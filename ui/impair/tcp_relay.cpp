#include "ui/impair/tcp_relay.h"

#include <utility>

#include "ui/impair/stream_pipe.h"

namespace sail {
namespace {

constexpr int64_t kLastBytesMs = 5000;

}  // namespace

struct TcpRelay::Pair {
  std::unique_ptr<TcpConnection> client;
  std::unique_ptr<TcpConnection> target;
  std::shared_ptr<void> connecting;
  std::unique_ptr<StreamPipe> forth;
  std::unique_ptr<StreamPipe> back;
};

TcpRelay::TcpRelay(Loop& loop, Lane& to_target, Lane& to_client)
    : loop_(loop), to_target_(to_target), to_client_(to_client) {}

TcpRelay::~TcpRelay() = default;

void TcpRelay::take(std::unique_ptr<TcpConnection> client) {
  if (!target_ || pairs_.size() == kMaxConnections) {
    ++refused_;
    return;
  }
  const uint32_t id = next_++;
  auto pair = std::make_unique<Pair>();
  pair->client = std::move(client);
  pair->connecting = TcpConnection::connect(
      loop_, *target_, [this, id](auto target) { connected(id, std::move(target)); },
      {.tls = TlsUse::kAsItComes});
  pairs_.emplace(id, std::move(pair));
}

void TcpRelay::connected(uint32_t id, Result<std::unique_ptr<TcpConnection>> target) {
  if (!target) {
    pairs_.erase(id);
    return;
  }
  Pair& pair = *pairs_.at(id);
  pair.target = *std::move(target);
  // When one side closes, the other gets the remaining data and is then closed too.
  const auto end = [this, id](std::unique_ptr<TcpConnection> Pair::*other) {
    const std::unique_ptr<Pair> ended = std::move(pairs_.at(id));
    pairs_.erase(id);
    ended->forth.reset();
    ended->back.reset();
    TcpConnection::close_after_writes(std::move((*ended).*other), kLastBytesMs);
  };
  pair.forth = std::make_unique<StreamPipe>(loop_, *pair.client, *pair.target, to_target_, log_,
                                            [end] { end(&Pair::target); });
  pair.back = std::make_unique<StreamPipe>(loop_, *pair.target, *pair.client, to_client_, nullptr,
                                           [end] { end(&Pair::client); });
}

}  // namespace sail
