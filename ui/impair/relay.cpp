#include "ui/impair/relay.h"

#include <utility>

#include "ui/impair/tcp_relay.h"
#include "ui/impair/udp_relay.h"

namespace sail {
namespace {

// The system chooses a port that is free for TCP; it is almost always free for UDP too.
constexpr int kPortTries = 16;

}  // namespace

struct Relay::Impl {
  Lane to_target;
  Lane to_client;
  std::unique_ptr<TrafficLog> log;
  TcpRelay tcp;
  std::unique_ptr<TcpListener> listener;
  std::unique_ptr<UdpRelay> udp;

  Impl(Loop& loop, const Impairment& impairment)
      : to_target{PacketPath(impairment), {}},
        to_client{PacketPath(backward(impairment)), {}},
        tcp(loop, to_target, to_client) {}
  Result<void> listen(Loop& loop, const Address& at);
};

Result<void> Relay::Impl::listen(Loop& loop, const Address& at) {
  auto listening = TcpListener::listen(
      loop, at, [this](std::unique_ptr<TcpConnection> client) { tcp.take(std::move(client)); }, {},
      {.tls = TlsUse::kAsItComes});
  if (!listening) return std::move(listening.error());
  auto bound = UdpSocket::bind(loop, (*listening)->address());
  if (!bound) return std::move(bound.error());
  listener = *std::move(listening);
  udp = std::make_unique<UdpRelay>(loop, *std::move(bound), to_target, to_client);
  return {};
}

Relay::Relay(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Relay::~Relay() = default;

Result<std::unique_ptr<Relay>> Relay::start(Loop& loop, const Address& listen,
                                            const Impairment& impairment) {
  auto impl = std::make_unique<Impl>(loop, impairment);
  Result<void> listening = impl->listen(loop, listen);
  for (int i = 1; i < kPortTries && listen.port == 0 && !listening; ++i) {
    listening = impl->listen(loop, listen);
  }
  if (!listening) return std::move(listening.error());
  return std::unique_ptr<Relay>(new Relay(std::move(impl)));
}

Address Relay::address() const {
  return impl_->listener->address();
}

Result<void> Relay::set_target(const Address& target) {
  if (auto taken = impl_->udp->set_target(target); !taken) return taken;
  impl_->tcp.set_target(target);
  return {};
}

void Relay::set_impairment(const Impairment& impairment) {
  impl_->to_target.path.set(impairment);
  impl_->to_client.path.set(backward(impairment));
}

Result<void> Relay::log_traffic(const std::string& path) {
  auto log = TrafficLog::open(path);
  if (!log) return std::move(log.error());
  impl_->log = *std::move(log);
  impl_->tcp.set_log(impl_->log.get());
  impl_->udp->set_log(impl_->log.get());
  return {};
}

void Relay::overhear(std::function<void(std::span<const uint8_t>)> listener) {
  impl_->udp->set_listener(std::move(listener));
}

RelayCounters Relay::counters() const {
  return {.to_target = impl_->to_target.counters,
          .to_client = impl_->to_client.counters,
          .connections = impl_->tcp.connections(),
          .clients = impl_->udp->clients(),
          .overruns = impl_->udp->overruns(),
          .refused = impl_->tcp.refused() + impl_->udp->refused()};
}

}  // namespace sail
