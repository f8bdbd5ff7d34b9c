#include "receiver/intake/packet_port.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "tests/support/held_port.h"
#include "tests/support/loop_test.h"
#include "tests/unit/receiver/intake/packet_peer.h"

namespace receiver {
namespace {

constexpr uint32_t kPortStream = 5;

class TakesAll final : public PacketPort::Session {
 public:
  uint32_t stream() const override { return kPortStream; }
  PacketPort::Taken on_packet(const sail::PacketHeader& header,
                              const sail::Datagram& /*datagram*/) override {
    numbers.push_back(header.number);
    return taken;
  }
  std::vector<uint64_t> numbers;
  PacketPort::Taken taken = PacketPort::Taken::kYes;
};

sail::UdpPeer peer_at(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sail::UdpPeer peer;
  std::memcpy(peer.socket_address.data(), &address, sizeof(address));
  return peer;
}

class PacketPortTest : public testing::Test {
 protected:
  PacketPortTest() {
    auto port = PacketPort::bind(loop_, {"127.0.0.1", 0}, log_);
    EXPECT_TRUE(port) << port.error().message;
    port_ = *std::move(port);
    secret_ = port_->add(session_);
    peer_.emplace(loop_, port_->address(), kPortStream, secret_);
  }
  sail::PacketHeader header(sail::PacketType type) {
    sail::PacketHeader header = peer_->next_header();
    header.type = type;
    return header;
  }
  void send(const sail::PacketHeader& header, size_t bytes = sail::kProbeBytes) {
    std::vector<uint8_t> datagram(sail::kProbeBytes);
    sail::encode_to(datagram, header, sail::Probe{});
    datagram.resize(bytes);
    peer_->send_datagram(datagram);
  }

  sail::Loop loop_;
  sail::Log log_{"test", sail::LogLevel::kOff};
  std::unique_ptr<PacketPort> port_;
  TakesAll session_;
  uint64_t secret_ = 0;
  std::optional<PacketPeer> peer_;
};

TEST_F(PacketPortTest, WhatIsForNoSessionIsCountedByItsCause) {
  using sail::PacketType;
  send(header(PacketType::kProbe));
  send(header(PacketType::kProbe), 5);
  send(header(static_cast<PacketType>(9)));
  sail::PacketHeader wrong = header(PacketType::kSource);
  wrong.secret ^= 1;
  send(wrong);
  wrong = header(PacketType::kSource);
  wrong.stream += 1;
  send(wrong);
  send(header(PacketType::kFeedback));
  send(header(PacketType::kParity));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return session_.numbers.size() == 2; }));
  EXPECT_EQ(session_.numbers, (std::vector<uint64_t>{1, 7}));
  EXPECT_EQ(port_->dropped().foreign, 2U);
  EXPECT_EQ(port_->dropped().unknown_secret, 1U);
  EXPECT_EQ(port_->dropped().wrong_stream, 1U);
  EXPECT_EQ(port_->dropped().wrong_type, 1U);
  EXPECT_EQ(port_->dropped().bad_fields, 0U);
  session_.taken = PacketPort::Taken::kBadFields;
  send(header(PacketType::kSource));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return port_->dropped().bad_fields == 1; }));
  session_.taken = PacketPort::Taken::kForged;
  send(header(PacketType::kSource));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return port_->dropped().forged == 1; }));
}

TEST_F(PacketPortTest, WhoSendsWhatIsForNoSessionIsToldOnceAMinute) {
  const sail::Log log("test", sail::LogLevel::kWarning);
  auto port = PacketPort::bind(loop_, {"127.0.0.1", 0}, log);
  ASSERT_TRUE(port);
  PacketPeer stranger(loop_, (*port)->address(), kPortStream, secret_);
  testing::internal::CaptureStderr();
  // Datagrams of `vitrail doctor` are only counted.
  stranger.send_datagram(sail::kTestDatagram);
  ASSERT_TRUE(sail::run_until(loop_, [&] { return (*port)->dropped().foreign == 1; }));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  for (uint64_t count = 2; count <= 4; ++count) {
    stranger.send_datagram(std::vector<uint8_t>(9));
    ASSERT_TRUE(sail::run_until(loop_, [&] { return (*port)->dropped().foreign == count; }));
  }
  const std::string reported = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(reported, '\n'), 1) << reported;
  EXPECT_NE(reported.find("the last from 127.0.0.1:"), std::string::npos) << reported;
}

TEST_F(PacketPortTest, HostsThatSendWhatIsForNoSessionAreCountedOnceEach) {
  PacketPeer again(loop_, port_->address(), kPortStream, secret_);  // from another port
  for (PacketPeer* peer : {&*peer_, &again}) peer->send_datagram(std::vector<uint8_t>(9));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return port_->dropped().foreign == 2; }));
  EXPECT_EQ(port_->senders(), (PacketPort::Senders{{"127.0.0.1", 2}}));
}

TEST_F(PacketPortTest, AHostIsCountedOnceIfItsAddressHasTwoForms) {
  auto port = PacketPort::bind(loop_, {"::", 0}, log_);
  ASSERT_TRUE(port) << port.error().message;
  const sail::HeldPort held(loop_);
  const sail::Address group{"239.77.3.253", held.number()};
  (*port)->listen_to_tests(group, true);
  const auto alone = sail::UdpSocket::connect(loop_, {"127.0.0.1", (*port)->address().port});
  const auto to_all = sail::UdpSocket::connect_to_group(loop_, group, "127.0.0.1", 1);
  ASSERT_TRUE(alone && to_all);
  const std::span<const uint8_t> part(sail::kTestDatagram);
  const sail::OutgoingDatagram datagram{.parts = {&part, 1}, .bytes = part.size()};
  for (const auto& socket : {alone->get(), to_all->get()}) socket->send({&datagram, 1});
  ASSERT_TRUE(sail::run_until(loop_, [&] { return (*port)->dropped().foreign == 2; }));
  EXPECT_EQ((*port)->senders(), (PacketPort::Senders{{"127.0.0.1", 2}}));
}

TEST_F(PacketPortTest, FewHostsThatSendWhatIsForNoSessionAreKnown) {
  auto port = PacketPort::bind(loop_, {"127.0.0.1", 0}, log_);
  ASSERT_TRUE(port);
  for (size_t i = 1; i <= PacketPort::kMostSenders + 2; ++i) {
    const auto sender = sail::UdpSocket::bind(loop_, {fmt::format("127.0.0.{}", i), 0});
    ASSERT_TRUE(sender);
    const std::vector<uint8_t> bytes(9);
    (*sender)->send_to(peer_at((*port)->address().port), bytes);
    ASSERT_TRUE(sail::run_until(loop_, [&] { return (*port)->dropped().foreign == i; }));
  }
  EXPECT_EQ((*port)->senders().size(), PacketPort::kMostSenders);
}

TEST_F(PacketPortTest, SecretsDifferAndEndWithTheirSession) {
  TakesAll other;
  const uint64_t secret = port_->add(other);
  EXPECT_NE(secret, secret_);
  port_->remove(secret_);
  send(header(sail::PacketType::kProbe));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return port_->dropped().unknown_secret == 1; }));
  EXPECT_TRUE(session_.numbers.empty());
}

TEST_F(PacketPortTest, PortThatIsTakenIsAConflict) {
  const auto second = PacketPort::bind(loop_, port_->address(), log_);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, sail::ErrorCode::kConflict);
}

}  // namespace
}  // namespace receiver
