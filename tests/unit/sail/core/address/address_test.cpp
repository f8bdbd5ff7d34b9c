#include <gtest/gtest.h>

#include "sail/core/address/address.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/socket/tcp.h"

namespace sail {
namespace {

const Address kFallback{"127.0.0.1", 7440};

struct Case {
  const char* text;
  Address expected;
};

TEST(Address, MissingPartsComeFromTheFallback) {
  const Case cases[] = {
      {"", {"127.0.0.1", 7440}},
      {"wall", {"wall", 7440}},
      {":0", {"127.0.0.1", 0}},
      {":65535", {"127.0.0.1", 65535}},
      {"10.1.2.3:9", {"10.1.2.3", 9}},
      {"[::1]:9", {"::1", 9}},
      {"[fe80::1]", {"fe80::1", 7440}},
      {"::1", {"::1", 7440}},
      {"node-1.wall_a.example:80", {"node-1.wall_a.example", 80}},
  };
  for (const Case& one : cases) {
    const auto address = parse_address(one.text, kFallback);
    ASSERT_TRUE(address) << one.text << ": " << address.error().message;
    EXPECT_EQ(*address, one.expected) << one.text;
  }
}

TEST(Address, RefusesWhatIsNone) {
  const char* const texts[] = {"host:",      "host:65536", "host:-1",    "host:80x", "host: 80",
                               "[::1",       "[]:80",      "[::1]80",    "[::1]:",   "a b:80",
                               "http://a:1", "a/b",        "h\xc3\xb6st"};
  for (const char* text : texts) {
    const auto address = parse_address(text, kFallback);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::kInvalidParams) << text;
    EXPECT_NE(address.error().message.find(text), std::string::npos) << text;
  }
  EXPECT_FALSE(parse_address(std::string(300, 'a'), kFallback));
}

TEST(Address, TextIsWhatParseReads) {
  const Address addresses[] = {{"127.0.0.1", 80}, {"::1", 7440}, {"wall", 1}};
  for (const Address& address : addresses) {
    EXPECT_EQ(parse_address(address_text(address), {}), address);
  }
  EXPECT_EQ(address_text({"::1", 7440}), "[::1]:7440");
}

TEST(Address, AWallsNameStandsForItsManager) {
  for (const char* text : {"mdns:", "mdns:lab", "mdns:lab: two [4K] / \xc3\xb6st"}) {
    const auto address = parse_address(text, kFallback);
    ASSERT_TRUE(address) << text << ": " << address.error().message;
    EXPECT_TRUE(is_by_mdns(*address)) << text;
    EXPECT_EQ(address_text(*address), text);
    EXPECT_EQ(parse_address(address_text(*address), {}), address);
    EXPECT_FALSE(check_mdns_key(*address, {})) << "anybody could pose as it";
    EXPECT_TRUE(check_mdns_key(*address, {.name = "", .secret = "open sesame, please"}));
  }
  EXPECT_FALSE(is_by_mdns(kFallback));
  EXPECT_TRUE(check_mdns_key(kFallback, {}));
  for (const std::string wrong : {"mdns:a\nb", "mdns:\x1b[2J", "mdns:\xff"}) {
    EXPECT_FALSE(parse_address(wrong, kFallback)) << wrong;
  }
  EXPECT_FALSE(parse_address("mdns:" + std::string(300, 'a'), kFallback));
}

TEST(Address, WhatLeavesTheMachineIsProtected) {
  for (const char* here : {"127.0.0.1", "127.8.0.1", "::1", "localhost"}) {
    EXPECT_FALSE(is_protected({here, 1}, TlsUse::kOffLoopback)) << here;
    EXPECT_TRUE(is_protected({here, 1}, TlsUse::kAlways)) << here;
  }
  for (const char* there : {"192.168.1.1", "10.0.0.1", "fe80::1", "wall.example"}) {
    EXPECT_TRUE(is_protected({there, 1}, TlsUse::kOffLoopback)) << there;
    EXPECT_FALSE(is_protected({there, 1}, TlsUse::kNever)) << there;
  }
}

TEST(Address, AHostOfIpv6CountsByItsNetwork) {
  EXPECT_EQ(network_of("10.0.0.7"), "10.0.0.7");
  EXPECT_EQ(network_of("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(network_of("::1"), "::1");
  EXPECT_EQ(network_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(network_of("2001:db8:1:2::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(network_of("fe80::1:2%eth0"), "fe80::/64");
  EXPECT_NE(network_of("2001:db8:1:3::9"), "2001:db8:1:2::/64");
  EXPECT_EQ(network_of(""), "");
}

// --- addresses of a listener as announced to a peer

constexpr const char* kLinkLocal = "fe80::1%eth0";

TEST(Reach, ALoopbackListenerIsNamedByTheAddressAtWhichThePeerCame) {
  const ListenerPlace here{"127.0.0.1", true};
  EXPECT_EQ(host_for({"127.0.0.1", "127.0.0.1"}, here), "127.0.0.1");
  EXPECT_EQ(host_for({"::1", "::1"}, here), "127.0.0.1");
  EXPECT_EQ(host_for({"10.0.0.1", "10.0.0.1"}, here), "127.0.0.1") << "of the same host";
  EXPECT_EQ(host_for({"10.0.0.1", "10.0.0.9"}, here), "10.0.0.1");
  EXPECT_EQ(host_for({"10.1.0.1", "10.1.0.9"}, here), "10.1.0.1") << "of another network";
  EXPECT_EQ(host_for({"fd00::1", "fd00::9"}, here), "fd00::1");
}

TEST(Reach, OthersAreNamedAsTheyCame) {
  const ListenerPlace far{"10.0.0.11"};
  EXPECT_EQ(host_for({"10.0.0.1", "10.0.0.9"}, far), "10.0.0.11");
  EXPECT_EQ(host_for({"127.0.0.1", "127.0.0.1"}, far), "10.0.0.11");
}

TEST(Reach, AnAnnouncedAddressIsForOtherHosts) {
  const ListenerPlace behind_nat{"192.168.7.2", false, "10.0.0.11"};
  EXPECT_EQ(host_for({"10.0.0.1", "10.0.0.9"}, behind_nat), "10.0.0.11");
  EXPECT_EQ(host_for({"127.0.0.1", "127.0.0.1"}, behind_nat), "192.168.7.2");
}

TEST(Reach, PeersThatCameAlikeReachListenersAlike) {
  const Ends local{"127.0.0.1", "127.0.0.1"};
  EXPECT_TRUE(reach_alike(local, {"10.0.0.1", "10.0.0.1"})) << "of the same host";
  EXPECT_TRUE(reach_alike({"10.0.0.1", "10.0.0.8"}, {"10.0.0.1", "10.0.0.9"}));
  EXPECT_FALSE(reach_alike(local, {"10.0.0.1", "10.0.0.9"}));
  EXPECT_FALSE(reach_alike({"10.0.0.1", "10.0.0.9"}, local));
  EXPECT_FALSE(reach_alike({"10.0.0.1", "10.0.0.9"}, {"10.1.0.1", "10.1.0.9"}));
}

TEST(Reach, AScopeIsOfOneHostAlone) {
  const ListenerPlace far{kLinkLocal};
  EXPECT_EQ(host_for({"::1", "::1"}, far), kLinkLocal);
  EXPECT_EQ(host_for({"fe80::2%eth0", "fe80::9%eth0"}, far), "fe80::1");
  EXPECT_EQ(host_for({"fe80::2%eth0", "fe80::9%eth0"}, {"::1", true}), "fe80::2");
  EXPECT_EQ(on_link_of({"fe80::1", 9}, "fe80::9%wlan0"), (Address{"fe80::1%wlan0", 9}));
  EXPECT_EQ(on_link_of({kLinkLocal, 9}, "fe80::9%wlan0"), (Address{kLinkLocal, 9}));
  EXPECT_EQ(on_link_of({"fd00::1", 9}, "fe80::9%wlan0"), (Address{"fd00::1", 9}));
  EXPECT_EQ(on_link_of({"fe80::1", 9}, "10.0.0.9"), (Address{"fe80::1", 9}));
}

}  // namespace
}  // namespace sail
