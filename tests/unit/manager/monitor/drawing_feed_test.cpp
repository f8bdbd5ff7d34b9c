// Strokes as notifications to clients: only what changed, in messages of bounded size.
#include "manager/monitor/drawing_feed.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sail/core/text/limits.h"

namespace manager {
namespace {

using sail::Json;

sail::OverlayStroke stroke_at(int x, size_t points = 2) {
  return {.points = std::vector<int>(2 * points, x)};
}

// A client that follows the notifications.
class FollowedDrawings {
 public:
  void follow(const std::vector<Json>& messages) {
    for (const Json& message : messages) {
      EXPECT_LT(message.dump().size(), sail::kMaxControlLine);
      for (const Json& drawing : message["drawings"]) {
        Json& known = known_[drawing.value("window", 0U)];
        const auto keep = drawing["keep"].get<size_t>();
        while (known.size() > keep) known.erase(known.size() - 1);
        for (const Json& stroke : drawing["strokes"]) known.push_back(stroke);
      }
    }
  }
  // The abscissa of each stroke's first point.
  std::vector<int> strokes(uint32_t window) {
    std::vector<int> list;
    for (const Json& stroke : known_[window]) list.push_back(stroke["points"][0].get<int>());
    return list;
  }

 private:
  std::map<uint32_t, Json> known_;
};

class DrawingFeedTest : public testing::Test {
 protected:
  void draw(const Drawing& drawing) {
    arrangement_.change({.drawing = drawing}, {.verb = "drew", .names_windows = false}, {});
  }

  Arrangement arrangement_{{2000, 1000}};
  DrawingFeed feed_;
  FollowedDrawings client_;
};

TEST_F(DrawingFeedTest, OnlyNewStrokesAreSent) {
  EXPECT_TRUE(feed_.take(arrangement_).empty());
  draw(Drawing().with(stroke_at(1), "Ann"));
  const auto first = feed_.take(arrangement_);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0]["drawings"][0]["strokes"][0]["by"], "Ann");
  client_.follow(first);
  draw(arrangement_.drawing().with(stroke_at(2)).with(stroke_at(3)));
  const auto more = feed_.take(arrangement_);
  ASSERT_EQ(more.size(), 1U);
  EXPECT_EQ(more[0]["drawings"][0]["keep"], 1);
  EXPECT_EQ(more[0]["drawings"][0]["strokes"].size(), 2U);
  client_.follow(more);
  EXPECT_EQ(client_.strokes(0), (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(feed_.take(arrangement_).empty()) << "nothing has changed";
}

TEST_F(DrawingFeedTest, RemovedStrokesAreGone) {
  draw(Drawing().with(stroke_at(1)).with(stroke_at(2)).with(stroke_at(3)));
  client_.follow(feed_.take(arrangement_));
  draw(Drawing().with(stroke_at(1)).with(stroke_at(3)));
  client_.follow(feed_.take(arrangement_));
  EXPECT_EQ(client_.strokes(0), (std::vector<int>{1, 3}));
  draw(Drawing());
  client_.follow(feed_.take(arrangement_));
  EXPECT_TRUE(client_.strokes(0).empty());
  EXPECT_TRUE(feed_.all().empty());
}

TEST_F(DrawingFeedTest, DrawingsOfAnySizeFitTheirMessages) {
  Drawing drawing;
  std::vector<int> expected;
  std::vector<DrawnStroke> strokes;
  for (int x = 0; x < 100; ++x) {
    strokes.push_back({stroke_at(x - sail::kMaxStrokeOffset, sail::kMaxStrokePoints),
                       std::string(sail::kMaxNameLength, 'a')});
    expected.push_back(x - sail::kMaxStrokeOffset);
  }
  draw(Drawing(std::move(strokes)));
  const auto messages = feed_.take(arrangement_);
  EXPECT_EQ(messages.size(), 3U) << "50000 points, at most 20000 in each";
  client_.follow(messages);
  EXPECT_EQ(client_.strokes(0), expected);
  FollowedDrawings late;
  late.follow(feed_.all());
  EXPECT_EQ(late.strokes(0), expected);
}

}  // namespace
}  // namespace manager
