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

TEST_F(AnnotateTest, PointsInPixelsOfThePictureFollowItsLook) {
  const uint32_t window = open_stream(*app, sail::Rect{1000, 500, 320, 180});
  const Window& of = *fs_manager->desk().windows().find(window);
  const Json box = {{"window", window},
                    {"pixels", "window"},
                    {"width", 40},
                    {"points", {{0, 0}, {of.frame_size.width / 2, of.frame_size.height / 2}}}};
  const auto drawn = [&] { return of.drawing.on(of.wall_rect).back(); };
  console->expect("annotate", box);
  EXPECT_EQ(drawn().points, (std::vector{1000, 500, 1160, 590}));
  EXPECT_EQ(drawn().width, std::lround(40.0 * 180 / of.frame_size.height));
  console->expect("look", {{"window", window}, {"rotate", 180}});
  console->expect("annotate", box);
  EXPECT_EQ(drawn().points, (std::vector{1320, 680, 1160, 590}));
  EXPECT_EQ(refusal({{"pixels", "window"}, {"points", {{0, 0}}}}), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal({{"pixels", "tile"}, {"points", {{0, 0}}}}), ErrorCode::kInvalidParams);
}

// As high as the window, the letter would end far from its left edge.
TEST_F(AnnotateTest, ATextBesideAnEnlargedPartIsRefused) {
  const uint32_t window = open_stream(*app, sail::Rect{1000, 500, 320, 180});
  console->expect("look", {{"window", window}, {"crop", {10, 10, 2, 2}}});
  const auto refused = [&](int x, size_t letters) {
    return refusal({{"window", window},
                    {"pixels", "window"},
                    {"points", {{x, 10}}},
                    {"text", {std::string(letters, 'm')}},
                    {"size", 2000}});
  };
  EXPECT_EQ(refused(-500, 1), ErrorCode::kInvalidParams);
  EXPECT_EQ(refused(10, sail::kMaxLabelLine), ErrorCode{});
}

TEST_F(AnnotateTest, ATextIsAStroke) {
  const uint32_t window = open_stream(*app, sail::Rect{1000, 500, 320, 180});
  const Json text = {{"points", {{1010, 510}}}, {"text", {"Tür 4", "", "→ links"}}};
  EXPECT_EQ(console->expect("annotate", text)["strokes"], 1);
  Json on_window = text;
  on_window.update({{"window", window}, {"size", 36}, {"colour", "#00ff00"}, {"opacity", 0.5}});
  EXPECT_EQ(console->expect("annotate", on_window)["windows"],
            Json::array({{{"window", window}, {"strokes", 1}}}));
  EXPECT_EQ(fs_manager->desk().windows().find(window)->drawing.on({0, 0, 640, 360}),
            (std::vector<sail::OverlayStroke>{{.points = {20, 20, 20, 20},
                                               .width = 72,
                                               .colour = 0x00ff00,
                                               .opacity = 50,
                                               .text = {"Tür 4", "", "→ links"}}}));
  console->expect("annotate_erase", {{"points", {{1020, 520}, {1030, 520}}}});
  EXPECT_EQ(strokes(), 0U);
  EXPECT_TRUE(fs_manager->desk().windows().find(window)->drawing.empty());
  console->expect("undo");
  EXPECT_EQ(strokes(), 1U);
}

TEST_F(AnnotateTest, OddTextsAreRefused) {
  const auto with = [](const char* change) {
    Json params = {{"points", {{100, 100}}}, {"text", {"a"}}};
    params.update(Json::parse(change));
    return params;
  };
  for (const char* change :
       {R"({"text": []})", R"({"text": ["", " "]})", R"({"text": ["\u00a0\u2003", "\u3000"]})",
        R"({"text": "a"})", R"({"text": [7]})", R"({"text": ["a\nb"]})", R"({"text": ["a\u0007"]})",
        R"({"text": ["a\u202eb"]})", R"({"text": ["1","2","3","4","5","6","7","8","9"]})",
        R"({"points": [[1, 1], [2, 2]]})", R"({"size": 1})", R"({"size": 2001})", R"({"width": 8})",
        R"({"arrow": true})", R"({"points": [[3840, 1]]})", R"({"points": [[-900, 1]]})"}) {
    EXPECT_EQ(refusal(with(change)), ErrorCode::kInvalidParams) << change;
  }
  Json longest = with("{}");
  longest["text"] = {std::string(sail::kMaxLabelLine + 1, 'x')};
  EXPECT_EQ(refusal(longest), ErrorCode::kInvalidParams);
  EXPECT_EQ(refusal({{"points", {{100, 100}}}, {"size", 20}}), ErrorCode::kInvalidParams)
      << "a line has a width";
  EXPECT_EQ(strokes(), 0U);
  longest["text"] = {std::string(sail::kMaxLabelLine, 'x')};
  EXPECT_EQ(refusal(longest), ErrorCode{});
  EXPECT_EQ(refusal(with(R"({"points": [[-20, 1]]})")), ErrorCode{}) << "a part is visible";
}

TEST_F(AnnotateTest, AFloodOfTextsIsRefused) {
  const Json text = {{"points", {{100, 100}}},
                     {"text", Json(sail::kMaxLabelLines, std::string(sail::kMaxLabelLine, 'x'))}};
  size_t written = 0;
  ErrorCode code{};
  while (written < sail::kMaxStrokes && (code = refusal(text)) == ErrorCode{}) ++written;
  EXPECT_EQ(code, ErrorCode::kLimit);
  EXPECT_EQ(written, sail::kMaxDrawnPoints / (2 + sail::kMaxLabelLines * sail::kMaxLabelLine));
}

}  // namespace
}  // namespace manager
