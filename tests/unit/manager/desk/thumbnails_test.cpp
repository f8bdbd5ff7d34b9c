#include "manager/desk/thumbnails.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace manager {
namespace {

sail::Thumbnail picture(const std::string& jpeg = "/9j/") {
  return {.stream = 1000, .size = {4, 3}, .jpeg = jpeg};
}

class ThumbnailsTest : public testing::Test {
 protected:
  ThumbnailsTest() {
    for (const uint32_t window : {1, 2, 3}) thumbnails.window_opened(window);
  }
  // Delivers everything that is due: "client:window …".
  std::string deliver(int64_t now_ns) {
    std::string text;
    for (const auto& delivery : thumbnails.due(now_ns)) {
      thumbnails.sent(delivery, now_ns);
      text += std::to_string(delivery.client) + ":" + std::to_string(delivery.window) + " ";
    }
    return text;
  }
  std::vector<Thumbnails::Request> requests() { return thumbnails.take_requests(); }

  Thumbnails thumbnails;
};

TEST_F(ThumbnailsTest, ApplicationsAreAskedForTheMostThatAnybodyWants) {
  EXPECT_TRUE(requests().empty());
  thumbnails.watch(10, {.windows = {1}, .width = 160, .per_second = 5});
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{1, 160, 5}}));
  EXPECT_TRUE(requests().empty());
  thumbnails.watch(11, {.all = true, .width = 320, .per_second = 2});
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{1, 320, 5}, {2, 320, 2}, {3, 320, 2}}));
  thumbnails.window_opened(4);
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{4, 320, 2}}));
  // A new stream in the window does not know the request yet.
  thumbnails.window_opened(4);
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{4, 320, 2}}));
  thumbnails.window_removed(4);
  thumbnails.client_left(10);
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{1, 320, 2}}));
  thumbnails.watch(11, {});
  EXPECT_EQ(requests(), (std::vector<Thumbnails::Request>{{1, 64, 0}, {2, 64, 0}, {3, 64, 0}}));
}

TEST_F(ThumbnailsTest, EachClientGetsThemAtItsOwnPace) {
  thumbnails.watch(10, {.windows = {1}, .per_second = 10});
  thumbnails.watch(11, {.windows = {1}, .per_second = 1});
  requests();
  EXPECT_EQ(deliver(0), "");
  thumbnails.arrived(1, picture());
  EXPECT_EQ(deliver(sail::kSecondNs), "10:1 11:1 ");
  EXPECT_EQ(deliver(10 * sail::kSecondNs), "");  // unchanged
  thumbnails.arrived(1, picture());
  EXPECT_EQ(deliver(10 * sail::kSecondNs), "10:1 11:1 ");
  thumbnails.arrived(1, picture("/9j/AAAA"));
  EXPECT_EQ(deliver(10 * sail::kSecondNs + sail::kSecondNs / 5), "10:1 ");
  // The slower client still gets the last picture.
  EXPECT_EQ(deliver(11 * sail::kSecondNs), "11:1 ");
  EXPECT_NE(thumbnails.line(1).find("/9j/AAAA"), std::string::npos);
}

TEST_F(ThumbnailsTest, WhoeverComesNewHasPicturesAtOnce) {
  thumbnails.watch(10, {.all = true});
  requests();
  thumbnails.arrived(1, picture());
  thumbnails.arrived(3, picture());
  deliver(sail::kSecondNs);
  thumbnails.watch(11, {.windows = {1, 2}});
  EXPECT_EQ(deliver(2 * sail::kSecondNs), "11:1 ");
  // More windows, but not again the pictures that it has.
  thumbnails.watch(11, {.windows = {1, 3}});
  EXPECT_EQ(deliver(2 * sail::kSecondNs), "11:3 ");
}

TEST_F(ThumbnailsTest, PicturesThatNobodyAskedForAreLeftOut) {
  thumbnails.arrived(1, picture());
  thumbnails.arrived(77, picture());
  thumbnails.watch(10, {.all = true});
  EXPECT_EQ(deliver(sail::kSecondNs), "");
  EXPECT_EQ(thumbnails.line(1), "");
}

TEST_F(ThumbnailsTest, AWindowThatIsGoneIsForgotten) {
  thumbnails.watch(10, {.all = true});
  requests();
  thumbnails.arrived(2, picture());
  thumbnails.window_removed(2);
  EXPECT_EQ(deliver(sail::kSecondNs), "");
  thumbnails.arrived(2, picture());
  EXPECT_EQ(thumbnails.line(2), "");
}

TEST_F(ThumbnailsTest, OldPicturesGoWhenThereAreTooMany) {
  const size_t count = Thumbnails::kMaxKeptBytes / 100'000 + 2;
  thumbnails.watch(10, {.all = true});
  for (uint32_t window = 1; window <= count; ++window) thumbnails.window_opened(window);
  requests();
  const std::string large(100'000, 'A');
  for (uint32_t window = 1; window <= count; ++window) thumbnails.arrived(window, picture(large));
  EXPECT_EQ(thumbnails.line(1), "");
  EXPECT_NE(thumbnails.line(static_cast<uint32_t>(count)), "");
}

}  // namespace
}  // namespace manager
