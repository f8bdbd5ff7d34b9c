#include "sail/client/session/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::HasSubstr;

sail_stream_options plain() {
  sail_stream_options options{};
  options.width = options.height = 64;
  return options;
}

StreamSpec taken(const sail_stream_options& options) {
  auto spec = stream_spec(options);
  EXPECT_TRUE(spec) << spec.error().message;
  return spec.value_or(StreamSpec{});
}

std::string refused(const sail_stream_options& options) {
  const auto spec = stream_spec(options);
  return spec ? "it was taken" : spec.error().message;
}

TEST(StreamOptions, LeaveTheWayToTheWallAndTheLinks) {
  const StreamSpec spec = taken(plain());
  EXPECT_FALSE(spec.transport);
  EXPECT_EQ(spec.delay_ms, -1);
  EXPECT_EQ(spec.mtu, 0);
}

TEST(StreamOptions, ChooseTheWay) {
  sail_stream_options options = plain();
  options.transport = "udp";
  options.delay_ms = 250;
  options.mtu = 9000;
  StreamSpec spec = taken(options);
  EXPECT_EQ(spec.transport, Transport::kUdp);
  EXPECT_EQ(spec.delay_ms, 250);
  EXPECT_EQ(spec.mtu, 9000);
  options.transport = "tcp";
  options.delay_ms = SAIL_NO_DELAY;
  spec = taken(options);
  EXPECT_EQ(spec.transport, Transport::kTcp);
  EXPECT_EQ(spec.delay_ms, 0);
}

TEST(StreamOptions, MistakesOfTheWayAreNamed) {
  sail_stream_options options = plain();
  options.transport = "quic";
  EXPECT_EQ(refused(options), "transport is \"quic\": must be \"tcp\" or \"udp\"");
  options.transport = "";
  EXPECT_THAT(refused(options), HasSubstr("transport"));
  options = plain();
  for (const int wrong : {-2, 2001, INT32_MIN, INT32_MAX}) {
    options.delay_ms = wrong;
    EXPECT_THAT(refused(options), HasSubstr("delay_ms is " + std::to_string(wrong)));
  }
  options = plain();
  for (const int wrong : {-1, 575, 9217, INT32_MAX}) {
    options.mtu = wrong;
    EXPECT_THAT(refused(options), HasSubstr("mtu is " + std::to_string(wrong)));
  }
}

}  // namespace
}  // namespace sail
