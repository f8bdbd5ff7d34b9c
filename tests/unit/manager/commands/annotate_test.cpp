// Bounds of drawings: strokes with very many points, and very many strokes.
#include <gtest/gtest.h>

#include "sail/core/text/limits.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

class AnnotateTest : public PeopledManagerTest {
 protected:
  // A line that turns at each point, so that no point can be left out.
  static Json line(int points) {
    Json line = Json::array();
    for (int i = 0; i < points; ++i) line.push_back({i % 1900, i % 2 == 0 ? 100 : 900});
    return {{"points", line}};
  }
  ErrorCode refusal(const Json& params) {
    const auto answer = console->call("annotate", params);
    return answer ? ErrorCode{} : answer.error().code;
  }
  size_t strokes() { return console->expect("list")["strokes"].get<size_t>(); }
};

TEST_F(AnnotateTest, AStrokeHasAtMostSoManyPoints) {
  EXPECT_EQ(refusal(line(2001)), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal(line(80'000)), ErrorCode::kInvalidParams) << "nearly a message";
  EXPECT_EQ(strokes(), 0U);
  EXPECT_EQ(console->expect("annotate", line(2000))["strokes"], 1);
}

TEST_F(AnnotateTest, AFloodOfStrokesIsRefusedAndCanBeRemoved) {
  size_t drawn = 0;
  ErrorCode code{};
  while (drawn < sail::kMaxStrokes && (code = refusal(line(2000))) == ErrorCode{}) ++drawn;
  EXPECT_EQ(code, ErrorCode::kLimit);
  EXPECT_EQ(drawn, sail::kMaxDrawnPoints / sail::kMaxStrokePoints);
  EXPECT_EQ(strokes(), drawn);
  console->expect("annotate_clear");
  EXPECT_EQ(strokes(), 0U);
  EXPECT_EQ(refusal(line(2000)), ErrorCode{});
}

TEST_F(AnnotateTest, ALineThatNobodyWouldSeeIsRefused) {
  const uint32_t window = open_stream(*app, sail::Rect{1000, 500, 320, 180});
  EXPECT_EQ(refusal({{"window", window}, {"points", {{10, 10}, {300, 170}}}}),
            ErrorCode::kInvalidParams)
      << "in pixels of the window";
  EXPECT_EQ(refusal({{"points", {{-10, 10}}}, {"width", 20}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal({{"window", window}, {"points", {{900, 590}}}, {"width", 400}}),
            ErrorCode::kInvalidParams)
      << "a line is at most as wide as the window is high";
  EXPECT_EQ(strokes(), 0U);
  EXPECT_EQ(refusal({{"window", window}, {"points", {{10, 10}, {1010, 510}}}}), ErrorCode{});
  EXPECT_EQ(refusal({{"points", {{-9, 10}}}, {"width", 20}}), ErrorCode{});
}

}  // namespace
}  // namespace manager
