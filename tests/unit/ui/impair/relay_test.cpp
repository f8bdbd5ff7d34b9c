// A relay between real sockets on loopback.
#include "ui/impair/relay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "sail/core/socket/udp.h"
#include "sail/core/time/clock.h"
#include "tests/unit/sail/core/socket/tcp_support.h"
#include "ui/impair/udp_relay.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

// A padded datagram that starts with a number.
Bytes numbered(uint32_t number, size_t size = 200) {
  Bytes bytes(size, static_cast<uint8_t>(number * 31));
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

struct Inbox : UdpReader {
  void on_datagrams(std::span<const Datagram> datagrams) override {
    for (const Datagram& datagram : datagrams) {
      uint32_t number = 0;
      std::memcpy(&number, datagram.bytes.data(), sizeof number);
      numbers.push_back(number);
      arrived_ns.push_back(datagram.arrived_ns);
      from.push_back(datagram.from);
      whole = whole && std::ranges::equal(datagram.bytes, numbered(number, datagram.bytes.size()));
    }
  }
  std::vector<uint32_t> numbers;
  std::vector<int64_t> arrived_ns;
  std::vector<UdpPeer> from;
  bool whole = true;  // bytes are unchanged
};

size_t send(UdpSocket& socket, uint32_t first, uint32_t count, size_t size = 200) {
  std::vector<Bytes> all;
  std::vector<std::span<const uint8_t>> parts;
  std::vector<OutgoingDatagram> outgoing;
  for (uint32_t i = 0; i < count; ++i) all.push_back(numbered(first + i, size));
  parts.reserve(count);
  for (const Bytes& bytes : all) {
    parts.emplace_back(bytes);
    outgoing.push_back({{&parts.back(), 1}, size});
  }
  return socket.send(outgoing);
}

class RelayTest : public testing::Test {
 protected:
  void start(std::string_view impairment, bool with_target = true) {
    auto started = Relay::start(loop_, kAnyPort, *parse_impairment(impairment));
    ASSERT_TRUE(started) << started.error().message;
    relay_ = std::move(*started);
    // TCP and UDP use the same port number; try again if it is taken in TCP.
    listener_.reset();
    while (!listener_) {
      target_ = *UdpSocket::bind(loop_, kAnyPort);
      auto listener = TcpListener::listen(loop_, target_->address(),
                                          [this](auto accepted) { far_ = std::move(accepted); });
      if (listener) listener_ = *std::move(listener);
    }
    target_->grow_receive_buffer(4 << 20);
    target_->start_reading(at_target_);
    if (with_target) set_target();
  }
  void set_target() { EXPECT_TRUE(relay_->set_target(target_->address())); }
  std::unique_ptr<UdpSocket> client(Inbox* inbox = nullptr) {
    auto socket = *UdpSocket::connect(loop_, relay_->address());
    if (inbox != nullptr) socket->start_reading(*inbox);
    return socket;
  }
  // Sends in portions that fit a socket's buffer.
  void send_all(UdpSocket& socket, uint32_t count) {
    constexpr uint32_t kPortion = 50;
    for (uint32_t at = 0; at < count; at += kPortion) {
      send(socket, at, kPortion);
      const uint64_t wanted = at + kPortion;
      ASSERT_TRUE(run_until(loop_, [&] { return relay_->counters().to_target.packets == wanted; }));
    }
  }
  void connect_through() {
    guard_ = TcpConnection::connect(loop_, relay_->address(), [this](auto connected) {
      ASSERT_TRUE(connected);
      near_ = std::move(*connected);
    });
    ASSERT_TRUE(run_until(loop_, [this] { return near_ && far_; }));
  }

  Loop loop_;
  std::unique_ptr<Relay> relay_;
  Inbox at_target_;
  std::unique_ptr<UdpSocket> target_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<TcpConnection> near_;
  std::unique_ptr<TcpConnection> far_;
  std::shared_ptr<void> guard_;
};

TEST_F(RelayTest, DatagramsPassBothWaysWithoutChange) {
  start("none");
  Inbox answers;
  const auto one = client(&answers);
  send(*one, 0, 40, 1400);
  send(*one, 40, 10, 57);
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers.size() == 50; }));
  EXPECT_TRUE(std::is_sorted(at_target_.numbers.begin(), at_target_.numbers.end()));
  EXPECT_TRUE(at_target_.whole);
  for (uint32_t i = 0; i < 5; ++i) target_->send_to(at_target_.from[0], numbered(i));
  ASSERT_TRUE(run_until(loop_, [&] { return answers.numbers.size() == 5; }));
  EXPECT_TRUE(answers.whole);
  const RelayCounters counters = relay_->counters();
  EXPECT_EQ(counters.to_target.packets, 50U);
  EXPECT_EQ(counters.to_target.bytes, 40U * 1400 + 10 * 57);
  EXPECT_EQ(counters.to_target.passed, 50U);
  EXPECT_EQ(counters.to_client.passed, 5U);
  EXPECT_EQ(counters.overruns, 0U);
}

TEST_F(RelayTest, EachClientGetsItsOwnAnswers) {
  start("none");
  std::map<uint32_t, std::pair<Inbox, std::unique_ptr<UdpSocket>>> clients;
  for (uint32_t i = 0; i < 5; ++i) {
    auto& [inbox, socket] = clients[i];
    socket = client(&inbox);
    send(*socket, i, 1);
  }
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers.size() == 5; }));
  for (size_t i = 0; i < 5; ++i) {
    target_->send_to(at_target_.from[i], numbered(at_target_.numbers[i] + 100));
  }
  for (auto& [number, one] : clients) {
    Inbox& inbox = one.first;
    ASSERT_TRUE(run_until(loop_, [&] { return !inbox.numbers.empty(); }));
    EXPECT_EQ(inbox.numbers, std::vector{number + 100});
  }
  EXPECT_EQ(relay_->counters().clients, 5U);
}

TEST_F(RelayTest, ClientsBeyondTheBoundAreRefused) {
  start("none");
  std::vector<std::unique_ptr<UdpSocket>> clients;
  for (size_t i = 0; i <= UdpRelay::kMaxClients; ++i) {
    clients.push_back(client());
    send(*clients.back(), 1, 1);
  }
  ASSERT_TRUE(run_until(loop_, [&] { return relay_->counters().refused == 1; }));
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers.size() == UdpRelay::kMaxClients; }));
}

TEST_F(RelayTest, LosesDoublesAndReordersAndCountsIt) {
  start("loss=5%,burst=3,reorder=3%,duplicate=2%,delay=2ms,jitter=1ms,seed=5");
  const auto one = client();
  constexpr uint32_t kCount = 5000;
  send_all(*one, kCount);
  const LaneCounters counters = relay_->counters().to_target;
  EXPECT_EQ(counters.passed + counters.lost + counters.queue_full, kCount);
  EXPECT_EQ(counters.queue_full, 0U);
  EXPECT_GT(counters.lost, kCount / 50);
  EXPECT_GT(counters.duplicated, kCount / 100);
  EXPECT_GT(counters.held_back, kCount / 100);
  ASSERT_TRUE(run_until(loop_, [&] {
    return at_target_.numbers.size() + target_->dropped() >= counters.passed + counters.duplicated;
  }));
  ASSERT_EQ(target_->dropped(), 0U);
  EXPECT_TRUE(at_target_.whole);
  EXPECT_FALSE(std::is_sorted(at_target_.numbers.begin(), at_target_.numbers.end()));
  const std::set<uint32_t> different(at_target_.numbers.begin(), at_target_.numbers.end());
  EXPECT_EQ(different.size(), counters.passed);
}

TEST_F(RelayTest, NothingComesBeforeItsDelay) {
  start("delay=30ms");
  Inbox answers;
  const auto one = client(&answers);
  const int64_t sent = steady_now_ns();
  send(*one, 0, 20);
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers.size() == 20; }));
  constexpr int64_t kClocksDiffer = 1'000'000;
  EXPECT_GE(at_target_.arrived_ns.front() - sent, 30'000'000 - kClocksDiffer);
  target_->send_to(at_target_.from[0], numbered(1));
  ASSERT_TRUE(run_until(loop_, [&] { return !answers.numbers.empty(); }));
  EXPECT_GE(answers.arrived_ns.front() - sent, 60'000'000 - kClocksDiffer) << "each way";
}

TEST_F(RelayTest, ALimitedRateDropsWhatItDoesNotCarryUntilItEnds) {
  start("rate=1mbit,queue=10ms");
  const auto one = client();
  send(*one, 0, 200, 1000);
  ASSERT_TRUE(run_until(loop_, [&] { return relay_->counters().to_target.packets == 200; }));
  const LaneCounters limited = relay_->counters().to_target;
  EXPECT_GT(limited.queue_full, 100U);
  EXPECT_GE(limited.passed, 1U);
  relay_->set_impairment({});
  send(*one, 200, 200, 1000);
  ASSERT_TRUE(run_until(
      loop_, [&] { return relay_->counters().to_target.passed == limited.passed + 200; }));
  EXPECT_EQ(relay_->counters().to_target.queue_full, limited.queue_full);
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers.size() == limited.passed + 200; }));
}

TEST_F(RelayTest, StreamsPassBothWaysWholeThroughAnyPath) {
  for (const char* impairment :
       {"none", "loss=5%,delay=2ms,jitter=2ms,both", "rate=400mbit,queue=5ms,both"}) {
    start(impairment);
    connect_through();
    std::mt19937 random(3);
    Bytes sent(3'000'000);
    std::generate(sent.begin(), sent.end(), [&] { return static_cast<uint8_t>(random()); });
    Collector at_far;
    Collector at_near;
    far_->start_reading(at_far);
    near_->start_reading(at_near);
    near_->write_copy(sent);
    far_->write_copy(std::span(sent).first(100'000));
    ASSERT_TRUE(run_until(loop_, [&] {
      return at_far.bytes.size() == sent.size() && at_near.bytes.size() == 100'000;
    })) << impairment;
    EXPECT_TRUE(at_far.bytes == sent);
    EXPECT_TRUE(std::equal(at_near.bytes.begin(), at_near.bytes.end(), sent.begin()));
    EXPECT_EQ(relay_->counters().to_target.stream_bytes, sent.size());
    EXPECT_EQ(relay_->counters().to_target.stream_sent_again > 0,
              std::string_view(impairment).starts_with("loss"));
    near_.reset();
    ASSERT_TRUE(run_until(loop_, [&] { return at_far.closed.has_value(); })) << "the end, too";
    far_.reset();
  }
}

TEST_F(RelayTest, TheLastBytesComeBeforeTheEnd) {
  start("delay=20ms");
  connect_through();
  Collector at_near;
  near_->start_reading(at_near);
  far_->write_copy(as_bytes("last words"));
  far_.reset();
  ASSERT_TRUE(run_until(loop_, [&] { return at_near.closed.has_value(); }));
  EXPECT_EQ(at_near.text(), "last words");
}

TEST_F(RelayTest, AStreamThatNobodyReadsMakesItsSenderWait) {
  start("none");
  connect_through();
  const Bytes chunk(1 << 20);
  // More than the relay's and the sockets' buffers together.
  constexpr size_t kMegabytes = 64;
  for (size_t i = 0; i < kMegabytes; ++i) near_->write_copy(chunk);
  constexpr int kLooks = 20;
  size_t before = 0;
  int same = 0;
  ASSERT_TRUE(run_until(loop_, [&] {
    const size_t unsent = near_->unsent_bytes();
    same = unsent == before ? same + 1 : 0;
    before = unsent;
    return same == kLooks;
  })) << "it stands still";
  EXPECT_GT(near_->unsent_bytes(), size_t{16} << 20);
  Collector at_far(1 << 20);
  far_->start_reading(at_far);
  EXPECT_TRUE(run_until(loop_, [&] { return at_far.bytes.size() == kMegabytes << 20; }));
}

TEST_F(RelayTest, WithoutATargetItRefusesAndThenTakesThem) {
  start("none", false);
  const auto one = client();
  send(*one, 0, 3);
  Collector at_near;
  guard_ = TcpConnection::connect(loop_, relay_->address(), [&](auto connected) {
    near_ = std::move(*connected);
    near_->start_reading(at_near);
  });
  ASSERT_TRUE(run_until(loop_, [&] { return at_near.closed.has_value(); }));
  ASSERT_TRUE(run_until(loop_, [&] { return relay_->counters().refused == 4; }));
  near_.reset();
  set_target();
  connect_through();
  send(*one, 5, 1);
  ASSERT_TRUE(run_until(loop_, [&] { return at_target_.numbers == std::vector{5U}; }));
}

TEST_F(RelayTest, ATargetThatIsNotThereClosesTheConnection) {
  start("none");
  listener_.reset();
  target_.reset();
  Collector at_near;
  guard_ = TcpConnection::connect(loop_, relay_->address(), [&](auto connected) {
    near_ = std::move(*connected);
    near_->start_reading(at_near);
  });
  EXPECT_TRUE(run_until(loop_, [&] { return at_near.closed.has_value(); }));
}

TEST_F(RelayTest, ATargetIsANumericAddress) {
  start("none");
  const auto named = relay_->set_target({"localhost", 7440});
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().code, ErrorCode::kInvalidParams);
}

TEST_F(RelayTest, AnOccupiedPortIsAConflict) {
  start("none");
  EXPECT_EQ(Relay::start(loop_, relay_->address(), {}).error().code, ErrorCode::kConflict);
  EXPECT_EQ(Relay::start(loop_, target_->address(), {}).error().code, ErrorCode::kConflict);
}

}  // namespace
}  // namespace sail
