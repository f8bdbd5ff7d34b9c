// Unreachable receivers: the others continue, and the manager and application learn which one it
// is.
#include <string_view>

#include "sail/core/wire/stats.h"
#include "tests/support/environment_variable.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

class UnreachableTest : public ApplicationTest {
 protected:
  // The last reported link statistics for that receiver.
  LinkStats link(const std::string& receiver) {
    if (manager->stats.empty()) return {};
    for (const LinkStats& each : manager->stats.back().links) {
      if (each.receiver == receiver) return each;
    }
    return {};
  }
  void expect_named(LinkTrouble trouble, std::string_view words) {
    open_stream();
    for (int seed = 1; seed <= 3; ++seed) submit(seed);
    ASSERT_TRUE(wait_frames(*left, 1)) << "the other one goes on";
    const auto event = next_event(SAIL_EVENT_RECEIVER);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->stream, stream);
    EXPECT_STREQ(event->receiver.name, "right");
    EXPECT_EQ(event->receiver.reachable, 0);
    EXPECT_NE(std::string_view(event->receiver.text).find(words), std::string_view::npos)
        << event->receiver.text;
    ASSERT_TRUE(wall.wait([&] { return link("right").trouble == trouble; }))
        << kLinkTroubles.word(wall.run([this] { return link("right").trouble; }));
    const LinkStats reported = wall.run([this] { return link("right"); });
    EXPECT_GT(reported.trouble_s, 0);
    EXPECT_NE(reported.trouble_text.find(words), std::string::npos) << reported.trouble_text;
    EXPECT_EQ(wall.run([this] { return link("left").trouble; }), LinkTrouble::kNone);
  }
  void expect_back() {
    const auto event = next_event(SAIL_EVENT_RECEIVER);
    ASSERT_TRUE(event);
    EXPECT_STREQ(event->receiver.name, "right");
    EXPECT_EQ(event->receiver.reachable, 1);
    EXPECT_TRUE(wall.wait([this] { return link("right").trouble == LinkTrouble::kNone; }));
  }
};

TEST_F(UnreachableTest, APortThatRefusesConnectionsIsNamed) {
  wall.run([this] {
    auto gone = std::make_unique<FakeReceiver>(wall.loop(), "right");
    manager->first_routes = {left->route({{0, 0, 2, kRows}}), gone->route({{1, 0, 2, kRows}})};
  });
  expect_named(LinkTrouble::kRefusedPort, "connection refused");
}

TEST_F(UnreachableTest, OneThatReturnsAtAnotherPortIsBack) {
  wall.run([this] {
    auto gone = std::make_unique<FakeReceiver>(wall.loop(), "right");
    manager->first_routes = {left->route({{0, 0, 2, kRows}}), gone->route({{1, 0, 2, kRows}})};
  });
  expect_named(LinkTrouble::kRefusedPort, "connection refused");
  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, both_routes()); });
  submit(9);
  expect_back();
}

TEST_F(UnreachableTest, APortThatNeverAnswersIsNamed) {
  wall.run([this] { right->behaviour.accepts = false; });
  expect_named(LinkTrouble::kNoAnswer, "no answer");
}

TEST_F(UnreachableTest, AReceiverThatReportsNothingIsNamedUntilItDoes) {
  wall.run([this] { right->behaviour.reports = false; });
  expect_named(LinkTrouble::kNotReady, "no report received");
  wall.run([this] { right->behaviour.reports = true; });
  submit(9);
  expect_back();
}

TEST_F(UnreachableTest, AReceiverThatDecodesNothingIsNamedUntilItDoes) {
  wall.run([this] { right->behaviour.decodes = false; });
  expect_named(LinkTrouble::kUndecoded, "cannot decode");
  wall.run([this] { right->behaviour.decodes = true; });
  submit(9);
  expect_back();
}

TEST_F(UnreachableTest, AnotherCertificateIsNamed) {
  const ::test::EnvironmentVariable tls("VITRAIL_TLS", "always");
  wall.run([this] {
    std::vector<Route> routes = both_routes();
    routes[1].certificate = std::string(64, 'a');
    manager->first_routes = routes;
  });
  expect_named(LinkTrouble::kOtherCertificate, "certificate");
}

// A firewall that passes TCP but no datagrams.
class NoDatagramsTest : public UnreachableTest {
 protected:
  NoDatagramsTest() {
    wall.run([this] {
      manager->transport = Transport::kUdp;
      right->behaviour.packets.feeds_back = false;
      right->behaviour.packets.loses = [](const SeenPacket&) { return true; };
    });
  }
};

TEST_F(NoDatagramsTest, ItsFramesGoOverTcpWhenASecondConnectionGetsNoAnswerEither) {
  open_stream();
  for (int seed = 1; seed <= 3; ++seed) submit(seed);
  ASSERT_TRUE(wall.wait([this] { return right->opened.size() == 3; }));
  wall.run([this] {
    EXPECT_NE(right->opened[0].symbol_bytes, 0U);
    EXPECT_NE(right->opened[1].symbol_bytes, 0U);
  });
  auto event = next_event(SAIL_EVENT_RECEIVER);
  ASSERT_TRUE(event);
  if (event->receiver.reachable == 0) {  // once, however long the second connection takes
    EXPECT_NE(std::string_view(event->receiver.text).find("allow UDP"), std::string_view::npos);
    event = next_event(SAIL_EVENT_RECEIVER);
    ASSERT_TRUE(event);
  }
  EXPECT_STREQ(event->receiver.name, "right");
  EXPECT_EQ(event->receiver.reachable, 1);
  EXPECT_NE(std::string_view(event->receiver.text).find("TCP"), std::string_view::npos);
  ASSERT_TRUE(wait_frames(*right, 1));
  EXPECT_EQ(wall.run([this] { return right->opened.back().symbol_bytes; }), 0U);
  ASSERT_TRUE(wall.wait([this] { return link("right").instead_of.has_value(); }));
  const LinkStats reported = wall.run([this] { return link("right"); });
  EXPECT_EQ(reported.transport, Transport::kTcp);
  EXPECT_EQ(reported.instead_of, Transport::kUdp);
  EXPECT_EQ(wall.run([this] { return link("left").transport; }), Transport::kUdp);
}

// As on a machine that is busy while the stream opens.
TEST_F(NoDatagramsTest, OneThatAnswersOnTheSecondConnectionKeepsUdp) {
  open_stream();
  submit(1);
  ASSERT_TRUE(wall.wait([this] { return right->opened.size() == 2; }));
  wall.run([this] { right->behaviour.packets = {}; });
  ASSERT_TRUE(wait_frames(*right, 1));
  EXPECT_NE(wall.run([this] { return right->opened.back().symbol_bytes; }), 0U);
}

TEST_F(NoDatagramsTest, OnesThatStoodStillAreTriedByPacketsAgain) {
  wall.run([this] { right->behaviour.packets = {}; });
  open_stream();
  submit(1);
  ASSERT_TRUE(wait_frames(*right, 1));
  wall.run([this] {
    right->behaviour.packets.feeds_back = false;
    right->behaviour.packets.loses = [](const SeenPacket&) { return true; };
  });
  submit(2);
  ASSERT_TRUE(wall.wait([this] { return right->opened.size() == 2; }));
  wall.run([this] { right->behaviour.packets = {}; });
  EXPECT_NE(wall.run([this] { return right->opened.back().symbol_bytes; }), 0U);
  ASSERT_TRUE(wait_frames(*right, 2));
}

}  // namespace
}  // namespace sail
