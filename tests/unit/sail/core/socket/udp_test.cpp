#include "sail/core/socket/udp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/support/held_port.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes random_bytes(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
  return bytes;
}

// One datagram of each size.
std::vector<Bytes> datagrams_of(const std::vector<size_t>& sizes) {
  std::vector<Bytes> all;
  for (const size_t size : sizes) all.push_back(random_bytes(size, uint32_t(all.size())));
  return all;
}

struct Inbox : UdpReader {
  void on_datagrams(std::span<const Datagram> datagrams) override {
    for (const Datagram& datagram : datagrams) {
      bytes.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
      arrived_ns.push_back(datagram.arrived_ns);
      from.push_back(datagram.from);
    }
  }
  std::vector<Bytes> bytes;
  std::vector<int64_t> arrived_ns;
  std::vector<UdpPeer> from;
};

// Sends each datagram in two parts, all in one call.
size_t send(UdpSocket& socket, const std::vector<Bytes>& all) {
  std::vector<std::array<std::span<const uint8_t>, 2>> parts;
  for (const Bytes& bytes : all) {
    const std::span<const uint8_t> whole(bytes);
    const size_t middle = bytes.size() / 3;
    parts.push_back({whole.first(middle), whole.subspan(middle)});
  }
  std::vector<OutgoingDatagram> outgoing;
  for (size_t i = 0; i < all.size(); ++i) outgoing.push_back({parts[i], all[i].size()});
  return socket.send(outgoing);
}

// Finds the descriptor of a socket, to disable kernel features on it.
int descriptor_of(const UdpSocket& socket) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename());
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_DGRAM) {
      continue;
    }
    sockaddr_in6 bound{};
    size = sizeof bound;
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &size);
    if (ntohs(bound.sin6_port) == socket.address().port) return descriptor;  // same offset in IPv4
  }
  ADD_FAILURE() << "no such socket";
  return -1;
}

void set_option(const UdpSocket& socket, int level, int option, int value) {
  ASSERT_EQ(setsockopt(descriptor_of(socket), level, option, &value, sizeof value), 0);
}

class Udp : public testing::Test {
 protected:
  // A sender connected to a reader.
  void connect(const char* host = "127.0.0.1") {
    auto bound = UdpSocket::bind(loop_, {host, 0});
    ASSERT_TRUE(bound) << bound.error().message;
    receiver_ = std::move(*bound);
    auto connected = UdpSocket::connect(loop_, receiver_->address());
    ASSERT_TRUE(connected) << connected.error().message;
    sender_ = std::move(*connected);
    receiver_->grow_receive_buffer(4 << 20);
    receiver_->start_reading(inbox_);
  }
  void expect_arrival(const std::vector<Bytes>& sent) {
    ASSERT_TRUE(run_until(loop_, [&] { return inbox_.bytes.size() >= sent.size(); }))
        << inbox_.bytes.size() << " of " << sent.size();
    EXPECT_TRUE(inbox_.bytes == sent);
  }

  Loop loop_;
  Inbox inbox_;
  std::unique_ptr<UdpSocket> receiver_;
  std::unique_ptr<UdpSocket> sender_;
};

// With and without segmentation offload (GSO) and receive offload (GRO).
class UdpOffload : public Udp, public testing::WithParamInterface<std::tuple<bool, bool>> {
 protected:
  void connect_with_offload() {
    connect();
    // Without checksums the kernel refuses GSO.
    if (!std::get<0>(GetParam())) set_option(*sender_, SOL_SOCKET, SO_NO_CHECK, 1);
    if (!std::get<1>(GetParam())) set_option(*receiver_, SOL_UDP, UDP_GRO, 0);
  }
};

TEST_P(UdpOffload, BatchesComeOutAsTheDatagramsThatWentIn) {
  connect_with_offload();
  std::vector<size_t> sizes(700, 1400);              // more runs than fit one call
  sizes.insert(sizes.end(), {900, 900, 900, 17});    // the last of a run is shorter
  sizes.insert(sizes.end(), {17, 18, 1, 2000, 1});   // no runs
  sizes.insert(sizes.end(), {300, 300, 0, 0, 300});  // empty ones are datagrams
  sizes.insert(sizes.end(), 130, 1);
  const std::vector<Bytes> sent = datagrams_of(sizes);
  EXPECT_EQ(send(*sender_, sent), sent.size());
  expect_arrival(sent);
}

TEST_P(UdpOffload, AnySizesInAnyOrder) {
  connect_with_offload();
  std::mt19937 random(5);
  std::vector<size_t> sizes;
  while (sizes.size() < 1000) {
    sizes.insert(sizes.end(), random() % 8 + 1, random() % 4 == 0 ? random() % 9000 : 256);
  }
  const std::vector<Bytes> sent = datagrams_of(sizes);
  // Fits a receive buffer of the default size.
  constexpr size_t kAtOnce = 20;
  for (size_t at = 0; at < sent.size(); at += kAtOnce) {
    const auto first = sent.begin() + static_cast<ptrdiff_t>(at);
    const std::vector<Bytes> some(first, first + ptrdiff_t(std::min(kAtOnce, sent.size() - at)));
    EXPECT_EQ(send(*sender_, some), some.size());
    ASSERT_TRUE(run_until(loop_, [&] { return inbox_.bytes.size() == at + some.size(); }));
  }
  EXPECT_TRUE(inbox_.bytes == sent);
}

INSTANTIATE_TEST_SUITE_P(Kernel, UdpOffload, testing::Combine(testing::Bool(), testing::Bool()),
                         [](const auto& offload) {
                           return std::string(std::get<0>(offload.param) ? "Cut" : "Whole") +
                                  (std::get<1>(offload.param) ? "Joined" : "Single");
                         });

TEST_F(Udp, DatagramsMayBeAsLongAsTheProtocolHasThem) {
  connect();
  constexpr size_t kLongest = 65507;
  // Runs that together exceed one packet, and a datagram too large to send.
  std::vector<Bytes> sent = datagrams_of({kLongest, 30000, 30000, 30000, 30000, kLongest + 1, 5});
  EXPECT_EQ(send(*sender_, sent), sent.size()) << "what cannot be sent is taken, and gone";
  sent.erase(sent.end() - 2);
  expect_arrival(sent);
}

TEST_F(Udp, StampsGrowAndAreOfNow) {
  connect();
  const int64_t before = steady_now_ns();
  std::vector<Bytes> sent;
  for (int i = 0; i < 50; ++i) {
    const std::vector<Bytes> some = datagrams_of({100, 100, 50});
    send(*sender_, some);
    sent.insert(sent.end(), some.begin(), some.end());
  }
  const int64_t sent_by = steady_now_ns();
  expect_arrival(sent);
  constexpr int64_t kClocksDiffer = 1'000'000;
  EXPECT_TRUE(std::is_sorted(inbox_.arrived_ns.begin(), inbox_.arrived_ns.end()));
  EXPECT_GE(inbox_.arrived_ns.front(), before - kClocksDiffer);
  EXPECT_LE(inbox_.arrived_ns.back(), sent_by + kClocksDiffer) << "when it came, not when read";
}

TEST_F(Udp, AnswersGoToWhereADatagramCameFrom) {
  connect();
  Inbox answers;
  sender_->start_reading(answers);
  const std::vector<Bytes> sent = datagrams_of({10});
  send(*sender_, sent);
  expect_arrival(sent);
  EXPECT_EQ(address_of(inbox_.from[0]), sender_->address());
  receiver_->send_to(inbox_.from[0], as_bytes("answer"));
  ASSERT_TRUE(run_until(loop_, [&] { return !answers.bytes.empty(); }));
  EXPECT_EQ(std::string(answers.bytes[0].begin(), answers.bytes[0].end()), "answer");
  EXPECT_EQ(address_of(answers.from[0]), receiver_->address());
}

TEST_F(Udp, AConnectedSocketHearsNobodyElse) {
  connect();
  Inbox heard;
  sender_->start_reading(heard);
  const auto stranger = UdpSocket::connect(loop_, sender_->address());
  ASSERT_TRUE(stranger);
  send(**stranger, datagrams_of({10}));
  const std::vector<Bytes> sent = datagrams_of({11});
  send(*sender_, sent);
  expect_arrival(sent);
  receiver_->send_to(inbox_.from[0], as_bytes("known"));
  ASSERT_TRUE(run_until(loop_, [&] { return !heard.bytes.empty(); }));
  EXPECT_EQ(heard.bytes.size(), 1U);
  EXPECT_EQ(heard.bytes[0].size(), 5U);
}

TEST_F(Udp, Ipv6) {
  if (!UdpSocket::bind(loop_, {"::1", 0})) GTEST_SKIP() << "no IPv6 here; IPv4 is tested above";
  connect("::1");
  const std::vector<Bytes> sent = datagrams_of({1400, 1400, 1400, 20, 0});
  EXPECT_EQ(send(*sender_, sent), sent.size());
  expect_arrival(sent);
  EXPECT_EQ(address_of(inbox_.from[0]), sender_->address());
}

TEST_F(Udp, Ipv4PeersOfAnIpv6SocketAreIpv4AndCanBeAnswered) {
  auto both = UdpSocket::bind(loop_, {"::", 0});
  if (!both) GTEST_SKIP() << "no IPv6 here, so no such socket";
  (*both)->start_reading(inbox_);
  auto peer = UdpSocket::connect(loop_, {"127.0.0.1", (*both)->address().port});
  Inbox answers;
  (*peer)->start_reading(answers);
  send(**peer, datagrams_of({3}));
  ASSERT_TRUE(run_until(loop_, [&] { return !inbox_.from.empty(); }));
  EXPECT_EQ(address_of(inbox_.from[0]), (*peer)->address());
  (*both)->send_to(inbox_.from[0], as_bytes("answer"));
  EXPECT_TRUE(run_until(loop_, [&] { return !answers.bytes.empty(); }));
}

// Loopback frees the send buffer at once, except for a datagram in many fragments, which must all
// be buffered together.
TEST_F(Udp, WhatTheSendBufferDoesNotHoldIsNotTaken) {
  if (!UdpSocket::bind(loop_, {"::1", 0}))
    GTEST_SKIP() << "no IPv6 here; only there a socket can be told to cut datagrams into fragments";
  connect("::1");
  set_option(*sender_, IPPROTO_IPV6, IPV6_MTU, 1280);
  set_option(*sender_, SOL_SOCKET, SO_SNDBUF, 4608);
  EXPECT_EQ(send(*sender_, datagrams_of({1000, 1000, 60000, 1000})), 2U);
  ASSERT_TRUE(run_until(loop_, [&] { return inbox_.bytes.size() == 2; }));

  EXPECT_GE(sender_->grow_send_buffer(size_t{256} << 10), size_t{200} << 10);
  inbox_.bytes.clear();
  const std::vector<Bytes> rest = datagrams_of({60000, 1000});
  EXPECT_EQ(send(*sender_, rest), 2U);
  expect_arrival(rest);
}

TEST_F(Udp, RunsLongerThanThePathsPacketsGoOneByOne) {
  if (!UdpSocket::bind(loop_, {"::1", 0}))
    GTEST_SKIP() << "no IPv6 here; only there a socket can be told a shorter path";
  connect("::1");
  set_option(*sender_, IPPROTO_IPV6, IPV6_MTU, 1280);
  const std::vector<Bytes> sent = datagrams_of({1400, 1400, 1400, 1400});
  EXPECT_EQ(send(*sender_, sent), sent.size());
  expect_arrival(sent);
}

TEST_F(Udp, NobodyListeningIsHarmless) {
  connect();
  const Address at = receiver_->address();
  Inbox heard;
  sender_->start_reading(heard);
  receiver_.reset();
  for (int i = 0; i < 5; ++i) {
    const std::vector<Bytes> lost = datagrams_of({100, 50, 100});
    EXPECT_EQ(send(*sender_, lost), lost.size());
    run_some(loop_, 1);
  }
  EXPECT_TRUE(heard.bytes.empty());

  // Datagrams arrive when a receiver is there again. Twice: an error may be pending from above.
  for (int i = 0; i < 2; ++i) {
    receiver_.reset();
    send(*sender_, datagrams_of({100}));
    auto bound = UdpSocket::bind(loop_, at);
    ASSERT_TRUE(bound) << bound.error().message;
    receiver_ = std::move(*bound);
    receiver_->start_reading(inbox_);
    inbox_.bytes.clear();
    const std::vector<Bytes> sent = datagrams_of({100, 50, 100});
    EXPECT_EQ(send(*sender_, sent), sent.size());
    expect_arrival(sent);
  }
}

TEST_F(Udp, DatagramsForAFullBufferAreCounted) {
  connect();
  set_option(*receiver_, SOL_SOCKET, SO_RCVBUF, 4608);
  EXPECT_EQ(receiver_->dropped(), 0U);
  const std::vector<Bytes> sent = datagrams_of({1993, 1994, 1995, 1996, 1997, 1998, 1999, 2000});
  send(*sender_, sent);
  ASSERT_TRUE(
      run_until(loop_, [&] { return inbox_.bytes.size() + receiver_->dropped() == sent.size(); }));
  EXPECT_GT(receiver_->dropped(), 0U);
}

TEST_F(Udp, BuffersGrowAndNeverShrink) {
  connect();
  set_option(*receiver_, SOL_SOCKET, SO_RCVBUF, 32 << 10);
  const size_t grown = receiver_->grow_receive_buffer(128 << 10);
  EXPECT_GE(grown, size_t{128} << 10);
  EXPECT_EQ(receiver_->grow_receive_buffer(1000), grown);
  set_option(*sender_, SOL_SOCKET, SO_SNDBUF, 32 << 10);
  EXPECT_GE(sender_->grow_send_buffer(128 << 10), size_t{128} << 10);
}

TEST(UdpAdvice, NamesTheLimitToRaise) {
  EXPECT_EQ(receive_buffer_advice(1 << 20, 1 << 20), "");
  EXPECT_EQ(send_buffer_advice(1 << 20, 2 << 20), "");
  EXPECT_EQ(
      receive_buffer_advice(4 << 20, 212992),
      "the kernel limits the socket's buffer to 208 KiB of the wanted 4096 KiB; raise the limit "
      "with: sysctl -w net.core.rmem_max=4194304");
  EXPECT_THAT(send_buffer_advice(4 << 20, 1), testing::HasSubstr("net.core.wmem_max=4194304"));
}

TEST(UdpErrors, PortsAndAddresses) {
  Loop loop;
  const auto first = UdpSocket::bind(loop, {"127.0.0.1", 0});
  ASSERT_TRUE(first);
  const auto second = UdpSocket::bind(loop, (*first)->address());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kConflict);
  EXPECT_THAT(second.error().message, testing::HasSubstr(address_text((*first)->address())));
  EXPECT_EQ(UdpSocket::bind(loop, {"localhost", 0}).error().code, ErrorCode::kInvalidParams);
  EXPECT_EQ(UdpSocket::connect(loop, {"localhost", 1}).error().code, ErrorCode::kInvalidParams);
  EXPECT_EQ(UdpSocket::bind(loop, {"192.0.2.1", 0}).error().code, ErrorCode::kIo);
}

constexpr const char* kMulticastInterface = "127.0.0.1";

class MulticastTest : public testing::Test {
 protected:
  std::unique_ptr<UdpSocket> join(const Address& group, UdpReader& reader,
                                  const std::string& from = kMulticastInterface) {
    auto socket = UdpSocket::join_group(loop, group, kMulticastInterface, from);
    EXPECT_TRUE(socket) << socket.error().message;
    if (!socket) return nullptr;
    (*socket)->start_reading(reader);
    return *std::move(socket);
  }
  std::unique_ptr<UdpSocket> sender(const Address& group) {
    auto socket = UdpSocket::connect_to_group(loop, group, kMulticastInterface, 1);
    EXPECT_TRUE(socket) << socket.error().message;
    return socket ? *std::move(socket) : nullptr;
  }

  Loop loop;
  const HeldPort port{loop};
};

TEST_F(MulticastTest, AllMembersOfAHostGetEachDatagramOnce) {
  const Address group{"239.77.2.1", port.number()};
  Inbox left_inbox;
  Inbox right_inbox;
  const auto left = join(group, left_inbox);
  const auto right = join(group, right_inbox);
  const auto all = datagrams_of(std::vector<size_t>(40, 1300));
  ASSERT_EQ(send(*sender(group), all), all.size());
  ASSERT_TRUE(run_until(loop, [&] { return right_inbox.bytes.size() == all.size(); }));
  EXPECT_EQ(right_inbox.bytes, all);
  EXPECT_EQ(left_inbox.bytes, all);
  EXPECT_EQ(address_of(left_inbox.from.front()).host, kMulticastInterface);
}

TEST_F(MulticastTest, AMemberGetsNoOtherGroupAndNoOtherSender) {
  const Address group{"239.77.2.1", port.number()};
  const Address other_group{"239.77.2.2", port.number()};
  Inbox inbox;
  Inbox other_inbox;
  Inbox inbox_for_another_sender;
  const auto member = join(group, inbox);
  const auto other_member = join(other_group, other_inbox);
  const auto member_of_another = join(group, inbox_for_another_sender, "10.255.255.1");
  const std::vector<Bytes> first = {Bytes(10, 1)};
  const std::vector<Bytes> second = {Bytes(10, 2)};
  ASSERT_EQ(send(*sender(other_group), second), 1U);
  ASSERT_EQ(send(*sender(group), first), 1U);
  ASSERT_TRUE(run_until(loop, [&] { return !inbox.bytes.empty() && !other_inbox.bytes.empty(); }));
  EXPECT_EQ(inbox.bytes, first);
  EXPECT_EQ(other_inbox.bytes, second);
  EXPECT_TRUE(inbox_for_another_sender.bytes.empty());
}

TEST_F(MulticastTest, MistakesAreTold) {
  const auto mistake = [&](const char* group, const char* here) {
    return UdpSocket::connect_to_group(loop, {group, 7454}, here, 1).error().code;
  };
  EXPECT_EQ(mistake("ff18::1", kMulticastInterface), ErrorCode::kInvalidParams);
  EXPECT_EQ(mistake("239.77.2.1", "::1"), ErrorCode::kInvalidParams);
  EXPECT_EQ(mistake("ff18::1", "2001:db8::1"), ErrorCode::kIo) << "no interface has this address";
  const auto elsewhere =
      UdpSocket::join_group(loop, {"239.77.2.1", 7454}, "192.0.2.1", kMulticastInterface);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::kIo);
  EXPECT_THAT(elsewhere.error().message, testing::HasSubstr("cannot join the multicast group"));
}

}  // namespace
}  // namespace sail
