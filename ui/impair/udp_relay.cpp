#include "ui/impair/udp_relay.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr size_t kBatch = 256;
constexpr size_t kDatagramBufferBytes = size_t{32} << 20;

}  // namespace

// A client and its socket to the target.
struct UdpRelay::Flow : UdpReader {
  UdpRelay& relay;
  const uint32_t id;
  const UdpPeer client;
  std::unique_ptr<UdpSocket> socket;
  int64_t used_ns = 0;

  Flow(UdpRelay& its_relay, uint32_t its_id, const UdpPeer& its_client)
      : relay(its_relay), id(its_id), client(its_client) {}
  void on_datagrams(std::span<const Datagram> datagrams) override {
    relay.on_answers(*this, datagrams);
  }
};

UdpRelay::UdpRelay(Loop& loop, std::unique_ptr<UdpSocket> socket, Lane& to_target, Lane& to_client)
    : loop_(loop),
      socket_(std::move(socket)),
      to_target_(to_target),
      to_client_(to_client),
      timer_(loop, [this] { send_due(); }),
      forget_(loop) {
  socket_->grow_receive_buffer(kDatagramBufferBytes);
  socket_->start_reading(*this);
  forget_.start(kIdleMs / 4, kIdleMs / 4, [this] { forget_idle_clients(); });
}

UdpRelay::~UdpRelay() = default;

Result<void> UdpRelay::set_target(const Address& target) {
  const auto tried = UdpSocket::connect(loop_, target);
  if (!tried) return tried.error();
  target_ = target;
  flows_.clear();
  return {};
}

UdpRelay::Flow* UdpRelay::flow_of(uint32_t id) {
  const auto found =
      std::find_if(flows_.begin(), flows_.end(), [id](const auto& flow) { return flow->id == id; });
  return found == flows_.end() ? nullptr : found->get();
}

UdpRelay::Flow* UdpRelay::flow_of(const UdpPeer& client) {
  const auto found = std::find_if(flows_.begin(), flows_.end(),
                                  [&](const auto& flow) { return flow->client == client; });
  if (found != flows_.end()) return found->get();
  if (!target_ || flows_.size() == kMaxClients) return nullptr;
  auto connected = UdpSocket::connect(loop_, *target_);
  if (!connected) return nullptr;
  auto flow = std::make_unique<Flow>(*this, next_flow_++, client);
  flow->socket = *std::move(connected);
  flow->socket->grow_send_buffer(kDatagramBufferBytes);
  flow->socket->grow_receive_buffer(kDatagramBufferBytes);
  flow->socket->start_reading(*flow);
  flows_.push_back(std::move(flow));
  return flows_.back().get();
}

void UdpRelay::forget_idle_clients() {
  const int64_t before_ns = steady_now_ns() - kIdleMs * kMillisecondNs;
  std::erase_if(flows_, [&](const auto& flow) { return flow->used_ns < before_ns; });
}

void UdpRelay::on_datagrams(std::span<const Datagram> datagrams) {
  Flow* flow = nullptr;
  for (const Datagram& datagram : datagrams) {
    if (flow == nullptr || flow->client != datagram.from) flow = flow_of(datagram.from);
    if (flow == nullptr) {
      ++refused_;
      continue;
    }
    flow->used_ns = datagram.arrived_ns;
    if (log_ != nullptr) log_->add(datagram.arrived_ns, datagram.bytes.size());
    if (listener_) listener_(datagram.bytes);
    take(to_target_, waiting_to_target_, flow->id, datagram);
  }
  send_due();
}

void UdpRelay::on_answers(Flow& flow, std::span<const Datagram> datagrams) {
  for (const Datagram& datagram : datagrams) {
    flow.used_ns = datagram.arrived_ns;
    take(to_client_, waiting_to_client_, flow.id, datagram);
  }
  send_due();
}

void UdpRelay::take(Lane& lane, DelayedPackets& queue, uint32_t flow, const Datagram& datagram) {
  LaneCounters& counters = lane.counters;
  ++counters.packets;
  counters.bytes += datagram.bytes.size();
  const PacketPath::Passage passage = lane.path.take(datagram.arrived_ns, datagram.bytes.size());
  if (passage.outcome == PacketPath::Outcome::kLost) {
    ++counters.lost;
    return;
  }
  if (passage.outcome == PacketPath::Outcome::kQueueFull ||
      !queue.put(passage.leaves_ns, flow, datagram.bytes)) {
    ++counters.queue_full;
    return;
  }
  ++counters.passed;
  if (passage.held_back) ++counters.held_back;
  if (passage.twice && queue.put(passage.leaves_ns, flow, datagram.bytes)) ++counters.duplicated;
}

void UdpRelay::send_due() {
  const int64_t now = steady_now_ns();
  const bool all = send_to_target(now);
  send_to_clients(now);
  int64_t next = now + kGatherNs;
  if (all) {
    const auto to_target = waiting_to_target_.next_ns();
    const auto to_client = waiting_to_client_.next_ns();
    if (!to_target && !to_client) {
      timer_.stop();
      return;
    }
    next = std::max(next, std::min(to_target.value_or(INT64_MAX), to_client.value_or(INT64_MAX)));
  }
  timer_.start_at(next);
}

// Sends batches of one client's packets. Returns false if the system's buffer is full.
bool UdpRelay::send_to_target(int64_t now_ns) {
  while (true) {
    batch_.clear();
    while (batch_.size() < kBatch) {
      auto packet = waiting_to_target_.take_due(now_ns);
      if (!packet) break;
      if (!batch_.empty() && packet->flow != batch_.front()->flow) {
        waiting_to_target_.put_back(std::move(packet));
        break;
      }
      batch_.push_back(std::move(packet));
    }
    if (batch_.empty()) return true;

    parts_.clear();
    parts_.reserve(batch_.size());
    outgoing_.clear();
    for (const auto& packet : batch_) {
      parts_.emplace_back(packet->bytes);
      outgoing_.push_back({{&parts_.back(), 1}, packet->bytes.size()});
    }
    const Flow* flow = flow_of(batch_.front()->flow);
    const size_t sent = flow == nullptr ? batch_.size() : flow->socket->send(outgoing_);
    for (size_t i = 0; i < sent; ++i) waiting_to_target_.recycle(std::move(batch_[i]));
    for (size_t i = sent; i < batch_.size(); ++i) {
      waiting_to_target_.put_back(std::move(batch_[i]));
    }
    if (sent < batch_.size()) return false;
  }
}

void UdpRelay::send_to_clients(int64_t now_ns) {
  while (auto packet = waiting_to_client_.take_due(now_ns)) {
    if (const Flow* flow = flow_of(packet->flow)) socket_->send_to(flow->client, packet->bytes);
    waiting_to_client_.recycle(std::move(packet));
  }
}

}  // namespace sail
