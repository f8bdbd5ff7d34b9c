// Queries of IGMP and MLD, and what the kernel reports about them.
// tests/e2e/network/test_multicast.py has queriers.
#include "sail/core/socket/querier.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace sail {
namespace {

constexpr uint8_t kQuery = 0x11;
constexpr uint8_t kMldQuery = 130;

// An IGMP packet whose IP header has the option "router alert".
std::vector<uint8_t> igmp(uint8_t type) {
  std::vector<uint8_t> packet(32);
  packet[0] = 0x46;
  packet[9] = 2;
  packet[24] = type;
  return packet;
}

std::vector<uint8_t> mld(uint8_t type) {
  std::vector<uint8_t> packet(76);
  packet[0] = 0x60;
  packet[40] = 58;
  packet[48] = type;
  return packet;
}

TEST(Querier, AQueryIsToldFromOtherPackets) {
  EXPECT_TRUE(is_membership_query(igmp(kQuery)));
  EXPECT_FALSE(is_membership_query(igmp(0x22))) << "a report";
  std::vector<uint8_t> udp = igmp(kQuery);
  udp[9] = 17;
  EXPECT_FALSE(is_membership_query(udp));

  EXPECT_TRUE(is_membership_query(mld(kMldQuery)));
  EXPECT_FALSE(is_membership_query(mld(143))) << "a report";
  std::vector<uint8_t> no_options = mld(kMldQuery);
  no_options[6] = 58;
  EXPECT_FALSE(is_membership_query(no_options));
}

TEST(Querier, PacketsThatAreCutAreNoQueries) {
  for (const std::vector<uint8_t>& whole : {igmp(kQuery), mld(kMldQuery)}) {
    const size_t header = whole[0] == 0x60 ? 48 : 24;
    for (size_t bytes = 0; bytes <= header; ++bytes) {
      EXPECT_FALSE(is_membership_query(std::span(whole).first(bytes))) << bytes;
    }
  }
  std::vector<uint8_t> beyond = mld(kMldQuery);
  beyond[41] = 255;
  EXPECT_FALSE(is_membership_query(beyond)) << "options longer than the packet";
}

TEST(Querier, TheKernelTellsOfQueriersOfOldVersions) {
  const std::string text =
      "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n"
      "1\tlo        :     1      V3\n"
      "\t\t\t\t010000E0     1 0:00000000\t\t0\n"
      "2\teth0      :     2      V2\n"
      "\t\t\t\t010000E0     1 0:00000000\t\t0\n";
  EXPECT_TRUE(reports_old_querier(text, "eth0"));
  EXPECT_FALSE(reports_old_querier(text, "lo")) << "nobody, or one of version 3";
  EXPECT_FALSE(reports_old_querier(text, "eth1"));
  EXPECT_FALSE(reports_old_querier("", "eth0"));
}

TEST(Querier, AddressesThatAreNotHereAreTold) {
  const IpAddress group = *parse_ip("239.77.5.254");
  const auto nowhere = querier_answers("192.0.2.1", group);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kIo);
  const auto no_address = querier_answers("wall", group);
  ASSERT_FALSE(no_address);
  EXPECT_EQ(no_address.error().code, ErrorCode::kInvalidParams);
}

}  // namespace
}  // namespace sail
