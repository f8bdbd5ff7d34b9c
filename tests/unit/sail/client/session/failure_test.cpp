// Failing receivers and managers, and applications with invalid requests.
#include <algorithm>
#include <cstring>

#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

using FailureTest = ApplicationTest;

// --- receivers ----------------------------------------------------------------------------------

TEST_F(FailureTest, AReceiverThatReadsNothingIsGivenUp) {
  wall.run([this] {
    right->behaviour.stops_reading = true;
    manager->first_routes = {left->route({{0, 0, 2, 1}}), right->route({{0, 0, 32, 64}})};
  });
  open_stream(false, {4096, 4096});
  wall.run([this] { right->behaviour.stops_reading = false; });  // the next connection reads
  // One colour, so that the encoder is quick; 8 MiB, too much for any socket buffer.
  const std::vector<uint8_t> pixels(size_t{4} * 4096 * 4096, 0x40);
  const sail_frame frame = bgra_frame(pixels, size_);
  ASSERT_EQ(sail_submit(stream, &frame, nullptr), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  ASSERT_TRUE(wait_frames(*right, 1));
  EXPECT_EQ(frame_of(*right, 0).blocks.size(), 2048U);
  EXPECT_EQ(wall.run([this] { return right->connections; }), 2);
  EXPECT_EQ(wall.run([this] { return left->connections; }), 1);
  EXPECT_EQ(wall.run([this] { return left->frames.size(); }), 1U);
  // The first copy never arrived.
  EXPECT_EQ(stats().frames_dropped, 1U);
}

TEST_F(FailureTest, AReceiverThatReportsNothingIsGivenUp) {
  wall.run([this] { right->behaviour.reports = false; });
  open_stream();
  for (int seed = 1; seed <= 3; ++seed) ASSERT_EQ(submit(seed), SAIL_OK);  // fills all credits
  ASSERT_TRUE(wait_frames(*right, 3));
  ASSERT_TRUE(wall.wait([this] { return !right->closes.empty(); }));
  EXPECT_EQ(wall.run([this] { return right->closes[0].reason; }), CloseReason::kTimeout);
  // Its frames were not shown on every tile.
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 0; }));
  EXPECT_EQ(stats().frames_shown, 0U);
  EXPECT_EQ(stats().frames_dropped, 3U);
  EXPECT_EQ(wall.run([this] { return left->connections; }), 1);
}

TEST_F(FailureTest, AReceiverThatComesBackGetsTheLastFrame) {
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*right, 2));
  wall.run([this] { right->drop_connections(); });
  ASSERT_TRUE(wait_frames(*right, 3));
  EXPECT_EQ(frame_of(*right, 2).begin.frame, 2U);
  EXPECT_EQ(frame_of(*right, 2).begin.epoch, 1U);
  EXPECT_EQ(wall.run([this] { return right->connections; }), 2);
  EXPECT_EQ(wall.run([this] { return left->frames.size(); }), 2U);
  // Later frames work as before.
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 3));
  ASSERT_TRUE(wait_frames(*right, 4));
}

TEST_F(FailureTest, AReceiverThatTakesNoMemoryGetsFramesAndTheReasonIsReported) {
  codec = "raw";
  wall.run([this] { manager->codec = "raw"; });
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_TRUE(wall.run([this] { return left->opened[0].shares; }));
  EXPECT_TRUE(wall.wait([this] {
    return !manager->stats.empty() && manager->stats.back().links.size() == 2 &&
           std::ranges::none_of(manager->stats.back().links, [](const LinkStats& link) {
             return link.memory_trouble.empty() || link.shared_memory;
           });
  }));
}

TEST_F(FailureTest, AnUnaskedNameOfMemoryIsIgnored) {
  wall.run([this] { left->behaviour.names_memory = true; });
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_FALSE(wall.run([this] { return left->opened[0].shares; }));
  ASSERT_TRUE(wall.wait(
      [this] { return !manager->stats.empty() && manager->stats.back().links.size() == 2; }));
  const auto links = wall.run([this] { return manager->stats.back().links; });
  for (const LinkStats& link : links) EXPECT_EQ(link.memory_trouble, "") << link.receiver;
}

TEST_F(FailureTest, AReceiverThatIsNotThereDoesNotStopTheOthers) {
  wall.run([this] { right->behaviour.accepts = false; });
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 0; }));
  EXPECT_EQ(stats().frames_dropped, 1U);  // not shown on every receiver of the map
  EXPECT_EQ(wall.run([this] { return right->frames.size(); }), 0U);
}

struct BadBytes {
  const char* name;
  std::vector<uint8_t> bytes;
  CloseReason reason;
};

class BadBytesTest : public ApplicationTest, public testing::WithParamInterface<BadBytes> {};

TEST_P(BadBytesTest, EndOnlyThatConnection) {
  open_stream();
  wall.run([this] { right->send(GetParam().bytes); });
  ASSERT_TRUE(wall.wait([this] { return right->closes.size() == 1; }));
  EXPECT_EQ(wall.run([this] { return right->closes[0].reason; }), GetParam().reason);
  // The receiver may reconnect; the other one is unaffected.
  ASSERT_TRUE(wall.wait([this] { return right->opened.size() == 2; }));
  ASSERT_EQ(submit(1), SAIL_OK);
  EXPECT_TRUE(wait_frames(*left, 1));
  EXPECT_TRUE(wait_frames(*right, 1));
  EXPECT_EQ(wall.run([this] { return left->connections; }), 1);
}

std::vector<uint8_t> message(DataType type, uint32_t stream, std::vector<uint8_t> body) {
  const auto header = encode_header({type, stream, static_cast<uint32_t>(body.size())});
  body.insert(body.begin(), header.begin(), header.end());
  return body;
}

template <size_t kBytes>
std::vector<uint8_t> bytes_of(const std::array<uint8_t, kBytes>& bytes) {
  return {bytes.begin(), bytes.end()};
}

std::vector<uint8_t> wrong_version() {
  auto bytes = encode(5, StreamAccept{4});
  bytes[4] = 99;
  return bytes;
}

INSTANTIATE_TEST_SUITE_P(
    , BadBytesTest,
    testing::Values(
        BadBytes{"garbage", std::vector<uint8_t>(100, 0x5a), CloseReason::kBadMagic},
        BadBytes{"wrong_version", wrong_version(), CloseReason::kBadVersion},
        BadBytes{"accepts_twice", encode(5, StreamAccept{4}), CloseReason::kBadMessage},
        BadBytes{"other_stream", encode(6, StreamAccept{4}), CloseReason::kBadMessage},
        BadBytes{
            "report_of_nothing",
            bytes_of(encode(5,
                            FrameReport{.frame = 77, .epoch = 1, .outcome = FrameOutcome::kShown})),
            CloseReason::kBadMessage},
        BadBytes{"has_what_it_was_not_sent",
                 bytes_of(encode(5, FrameReady{.frame = 77, .epoch = 1})),
                 CloseReason::kBadMessage},
        BadBytes{"a_frame_for_us", message(DataType::kFrameEnd, 5, std::vector<uint8_t>(24)),
                 CloseReason::kBadMessage},
        BadBytes{"too_long", message(DataType::kBlockRun, 5, std::vector<uint8_t>(2000)),
                 CloseReason::kBadMessage}),
    [](const auto& test) { return test.param.name; });

// --- the manager --------------------------------------------------------------------------------

// A map that never took effect is not visible, so such a stream is opened again.
TEST_F(FailureTest, TheManagerComesBack) {
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] { manager->send_routes(5, 2, {11, 22, 333, 444}, both_routes()); });
  ASSERT_TRUE(next_event(SAIL_EVENT_RESIZE));
  ASSERT_TRUE(wait_frames(*left, 2));
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  EXPECT_EQ(submit(2), SAIL_DROPPED);
  ASSERT_TRUE(wall.wait([this] { return left->closes.size() == 1; }));

  wall.run([this] { manager->start(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  EXPECT_EQ(sail_stream_id(stream), 6U);
  const auto opens = wall.run([this] { return manager->opens; });
  ASSERT_EQ(opens.size(), 2U);
  EXPECT_EQ(opens[1].title, "a picture");
  EXPECT_EQ(opens[1].place, (Rect{11, 22, 333, 444}));
  // The last encoded picture is sent at once, under the new stream id.
  ASSERT_TRUE(wait_frames(*left, 3));
  EXPECT_EQ(frame_of(*left, 2).stream, 6U);
  EXPECT_EQ(frame_of(*left, 2).begin.frame, 1U);
  EXPECT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 4));
  EXPECT_EQ(frame_of(*left, 3).begin.frame, 3U);
}

// The stream that it replaced is closed; the next manager may reuse its id.
TEST_F(FailureTest, AStreamThatHasReplacedAnotherIsOpenedAgainOnItsOwn) {
  open_stream();
  sail_stream* const former = stream;
  sail_stream_options options{};
  options.width = kFrameSize.width;
  options.height = kFrameSize.height;
  options.replaces = former;
  stream = sail_stream_open(session, &options, nullptr);
  ASSERT_NE(stream, nullptr);
  sail_stream_close(former);
  wall.run([this] {
    manager->stop();
    manager->start();
  });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  const auto opens = wall.run([this] { return manager->opens; });
  ASSERT_EQ(opens.size(), 3U);
  EXPECT_EQ(opens[1].replaces, 5U);
  EXPECT_EQ(opens[2].replaces, 0U);
}

TEST_F(FailureTest, AStreamThatIsRefusedAfterAReconnectionIsClosed) {
  open_stream();
  wall.run([this] {
    manager->stop();
    manager->refuse_open = Error{ErrorCode::kLimit, "too many windows"};
    manager->start();
  });
  const auto event = next_event(SAIL_EVENT_CLOSE);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->stream, stream);
  EXPECT_EQ(submit(1), SAIL_DROPPED);
  sail_stream_close(stream);
}

TEST_F(FailureTest, AStreamThatTheManagerClosedByForceIsNotOpenedAgain) {
  open_stream();
  wall.run([this] {
    manager->stop();
    manager->refuse_open = Error{ErrorCode::kNotFound, "it was closed"};
    manager->start();
  });
  ASSERT_TRUE(next_event(SAIL_EVENT_CLOSE));
  wall.run([this] {
    manager->stop();
    manager->refuse_open.reset();
    manager->start();
  });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  EXPECT_EQ(wall.run([this] { return manager->opens.size(); }), 2U);
  sail_stream_close(stream);
}

TEST_F(FailureTest, ARefusalIsHandedOn) {
  wall.run([this] { manager->refuse_hello = Error{ErrorCode::kUnauthorized, "wrong key"}; });
  const std::string address = wall.run([this] { return address_text(manager->address()); });
  sail_session_options options{};
  options.manager = address.c_str();
  options.quiet = 1;
  sail_error error{};
  EXPECT_EQ(sail_session_open(&options, &error), nullptr);
  EXPECT_NE(std::strstr(error.text, "wrong key"), nullptr) << error.text;
}

TEST_F(FailureTest, ARefusedStreamIsHandedOn) {
  wall.run([this] { manager->refuse_open = Error{ErrorCode::kLimit, "too many windows"}; });
  open_session();
  sail_stream_options options{};
  options.width = options.height = 16;
  sail_error error{};
  EXPECT_EQ(sail_stream_open(session, &options, &error), nullptr);
  EXPECT_NE(std::strstr(error.text, "too many windows"), nullptr) << error.text;
}

// --- arguments ----------------------------------------------------------------------------------

TEST_F(FailureTest, WrongSessionOptionsAreRefused) {
  const auto text_for = [](const sail_session_options& options) {
    sail_error error{};
    EXPECT_EQ(sail_session_open(&options, &error), nullptr);
    return std::string(error.text);
  };
  sail_session_options options{};
  options.quiet = 1;
  options.manager = "127.0.0.1:port";
  EXPECT_FALSE(text_for(options).empty());
  options.manager = nullptr;
  options.encode_threads = -2;
  EXPECT_NE(text_for(options).find("encode_threads"), std::string::npos);
}

TEST_F(FailureTest, WrongStreamOptionsAreRefused) {
  open_session();
  sail_stream_options good{};
  good.width = good.height = 64;
  const auto refused = [this](const sail_stream_options& options) {
    sail_error error{};
    return sail_stream_open(session, &options, &error) == nullptr && error.text[0] != '\0';
  };
  sail_stream_options bad = good;
  bad.width = 0;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.height = 16385;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.codec = "dxt5";
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.place = {0, 0, 10, -10};
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.place = {2000000, 0, 10, 10};
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(sail_stream_open(session, nullptr, nullptr), nullptr);
  EXPECT_EQ(sail_stream_open(nullptr, &good, nullptr), nullptr);
}

TEST_F(FailureTest, WrongFramesAreRefused) {
  open_stream();
  const std::vector<uint8_t> pixels = make_pixels(kFrameSize, 1);
  const sail_frame good = bgra_frame(pixels, kFrameSize);
  uint64_t number = 123;
  const auto refused = [&](const sail_frame& frame) {
    return sail_submit(stream, &frame, &number) == SAIL_INVALID && number == 123;
  };
  sail_frame bad = good;
  const int no_format = 99;
  std::memcpy(&bad.format, &no_format, sizeof no_format);
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.planes[0] = nullptr;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.strides[0] = 4 * kFrameSize.width - 1;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.format = SAIL_NV12;  // its second plane is missing
  EXPECT_TRUE(refused(bad));
  bad = good;
  std::memcpy(&bad.matrix, &no_format, sizeof no_format);
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(sail_submit(nullptr, &good, nullptr), SAIL_INVALID);
  EXPECT_EQ(sail_submit(stream, nullptr, nullptr), SAIL_INVALID);
  EXPECT_EQ(stats().frames_submitted, 0U);
}

TEST_F(FailureTest, NullsAreRefused) {
  sail_event event{};
  EXPECT_EQ(sail_poll_event(nullptr, &event, 0), SAIL_INVALID);
  EXPECT_EQ(sail_stream_window(nullptr, nullptr, nullptr), SAIL_INVALID);
  EXPECT_EQ(sail_stream_get_stats(nullptr, nullptr), SAIL_INVALID);
  EXPECT_EQ(sail_watch_frames(nullptr), SAIL_INVALID);
  EXPECT_EQ(sail_stream_id(nullptr), 0U);
  sail_stream_close(nullptr);
  sail_session_close(nullptr);
}

}  // namespace
}  // namespace sail
