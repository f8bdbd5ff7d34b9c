#include "sail/core/text/ip_address.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(IpAddress, AddressesOfBothVersionsKeepTheirText) {
  for (const char* text : {"239.1.2.3", "0.0.0.0", "ff18::4:ffff", "::1", "fd00::2"}) {
    const auto address = parse_ip(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(ip_text(*address), text);
  }
  EXPECT_TRUE(parse_ip("10.0.0.1")->is_ipv4());
  EXPECT_FALSE(parse_ip("ff18::1")->is_ipv4());
  EXPECT_FALSE(IpAddress().is_ipv4());
}

TEST(IpAddress, OtherTextsAreNone) {
  for (const char* text : {"", "239.1.2", "239.1.2.256", "host", "fe80::1%eth0", "ff18::1/64",
                           "::ffff:10.0.0.1", " 10.0.0.1", "1::2::3"}) {
    EXPECT_FALSE(parse_ip(text)) << text;
  }
}

TEST(IpAddress, SomeAreMulticastGroupsForPrograms) {
  for (const char* group : {"224.0.1.0", "239.255.255.255", "ff12::1", "ff18::1", "ff3e::1"}) {
    EXPECT_TRUE(is_multicast_group(*parse_ip(group))) << group;
  }
  for (const char* other : {"224.0.0.255", "223.255.255.255", "240.0.0.0", "ff02::1", "ff11::1",
                            "ff1f::1", "ff28::1", "fe18::1", "::1"}) {
    EXPECT_FALSE(is_multicast_group(*parse_ip(other))) << other;
  }
  EXPECT_FALSE(is_multicast_group({}));
}

}  // namespace
}  // namespace sail
