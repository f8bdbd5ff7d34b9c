#include "sail/media/subtitles/subtitle_renderer.h"

#include <gtest/gtest.h>

#include <string>

namespace sail {
namespace {

constexpr SubtitleRenderer::View kView{.picture = {320, 180}, .stored = {320, 180}};

std::string script_with(const std::string& font_size) {
  return "[Script Info]\nScriptType: v4.00+\nPlayResX: 384\nPlayResY: 288\n[V4+ Styles]\nFormat: "
         "Name, Fontname, Fontsize, PrimaryColour, Outline, Shadow, Alignment\nStyle: "
         "Default,Sans," +
         font_size +
         ",&Hffffff,1,0,2\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, "
         "MarginV, Effect, Text\n";
}

std::unique_ptr<SubtitleRenderer> open_renderer(const std::string& font_size = "16") {
  auto renderer = SubtitleRenderer::open(script_with(font_size));
  EXPECT_TRUE(renderer) << renderer.error().message;
  return renderer ? std::move(*renderer) : nullptr;
}

std::string event_of(const std::string& text) {
  return "0,0,Default,,0,0,0,," + text;
}

TEST(SubtitleRenderer, ExcessiveMarkupIsReportedAndItsTextIsShown) {
  const auto renderer = open_renderer();
  ASSERT_TRUE(renderer);
  EXPECT_TRUE(renderer->add(event_of("Hello, world"), 0, 1000));
  EXPECT_FALSE(renderer->add(event_of(R"({\fs99999}Bomb)"), 2000, 1000));
  for (const int64_t at_ms : {500, 2500}) {
    const auto drawn = renderer->render(kView, at_ms);
    ASSERT_TRUE(drawn) << drawn.error().message;
    ASSERT_TRUE(*drawn) << at_ms;
    ASSERT_FALSE((*drawn)->empty()) << at_ms;
    for (const SubtitlePatch& patch : **drawn) EXPECT_LT(patch.rect.height, 60) << at_ms;
  }
}

TEST(SubtitleRenderer, LargeStylesAreLimitedAndReported) {
  const auto renderer = open_renderer("100000");
  ASSERT_TRUE(renderer);
  EXPECT_FALSE(renderer->add(event_of(std::string(1000, 'x')), 0, 1000));
  EXPECT_TRUE(renderer->render(kView, 500));
}

TEST(SubtitleRenderer, WhatIsDrawnAtOneTimeIsLimited) {
  const auto renderer = open_renderer();
  ASSERT_TRUE(renderer);
  for (int i = 0; i < 11; ++i) {
    EXPECT_TRUE(renderer->add(event_of(std::string(2000, 'x')), 0, 1000));
  }
  EXPECT_TRUE(renderer->add(event_of("later"), 2000, 1000));
  const auto too_much = renderer->render(kView, 500);
  ASSERT_FALSE(too_much);
  EXPECT_EQ(too_much.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(renderer->render(kView, 2500));
  renderer->remove_all();
  EXPECT_TRUE(renderer->add(event_of("again"), 0, 1000));
  EXPECT_TRUE(renderer->render(kView, 500));
}

}  // namespace
}  // namespace sail
