// Which open windows are those of a saved layout, or show what a saved session wants.
#include "manager/sessions/window_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace manager {
namespace {

using testing::ElementsAre;

constexpr sail::Rect kItsPlace{0, 0, 640, 360};
constexpr sail::Rect kThere{640, 0, 640, 360};

PlayRequest film(const std::string& medium) {
  PlayRequest request;
  request.media = {medium};
  return request;
}

Window open_window(uint32_t number, const sail::Rect& rect, std::optional<PlayRequest> content) {
  Window window;
  window.number = number;
  window.title = "title";
  window.owner_name = "application";
  window.wall_rect = rect;
  window.content = std::move(content);
  return window;
}

SavedWindow wanted(const sail::Rect& rect, std::optional<PlayRequest> content) {
  SavedWindow window;
  window.number = 9;
  window.title = "title";
  window.owner = "application";
  window.placement.wall_rect = rect;
  window.content = std::move(content);
  return window;
}

SavedWindow saved_titled(uint32_t number, const std::string& title) {
  SavedWindow window;
  window.number = number;
  window.title = title;
  return window;
}

TEST(WindowMatch, WindowsAreMatchedByNumberThenTitleThenAge) {
  WindowStack stack;
  for (const char* title : {"film", "clock", "film", "map"}) {
    Window opened;
    opened.title = title;
    ASSERT_TRUE(stack.open(opened));
  }
  EXPECT_THAT(
      match_windows({saved_titled(3, "film"), saved_titled(7, "clock"), saved_titled(9, "film")},
                    stack),
      ElementsAre(3, 2, 1));
  EXPECT_THAT(
      match_windows({saved_titled(8, "gone"), saved_titled(2, "film"), saved_titled(5, "lost too")},
                    stack),
      ElementsAre(3, 1, 2));
  stack.find(1)->hidden = true;
  EXPECT_THAT(match_windows({saved_titled(1, "film"), saved_titled(3, "film")}, stack),
              ElementsAre(2, 3))
      << "a hidden window is not matched";
  EXPECT_THAT(match_windows(std::vector<SavedWindow>(1, saved_titled(1, "x")), WindowStack()),
              ElementsAre(0));
}

TEST(WindowMatch, EachWindowIsUsedOnceAndThatAtThePlaceFirst) {
  const Window first = open_window(1, kThere, film("/a.mp4"));
  const Window second = open_window(2, kItsPlace, film("/a.mp4"));
  EXPECT_THAT(match_content({wanted(kItsPlace, film("/a.mp4"))}, {&first, &second}),
              ElementsAre(2));
  EXPECT_THAT(match_content({wanted({1, 1, 2, 2}, film("/a.mp4")),
                             wanted(kItsPlace, film("/a.mp4")), wanted(kThere, film("/a.mp4"))},
                            {&first, &second}),
              ElementsAre(0, 2, 1));
  EXPECT_THAT(match_content({wanted({1, 1, 2, 2}, film("/a.mp4"))}, {&first, &second}),
              ElementsAre(1));
}

TEST(WindowMatch, OptionsCountUnlessPeopleChangeThemDuringPlayback) {
  PlayRequest played = film("/a.mp4");
  played.start_s = 12;
  played.volume = 0.5;
  played.rate = 2;
  played.subtitles = "2";
  played.at_end = AtEnd::kLoop;
  const Window window = open_window(1, kItsPlace, played);
  EXPECT_THAT(match_content({wanted(kThere, film("/a.mp4"))}, {&window}), ElementsAre(1));
  PlayRequest other = film("/a.mp4");
  other.deinterlace = "off";
  EXPECT_THAT(match_content({wanted(kItsPlace, other)}, {&window}), ElementsAre(0));
  other = film("/a.mp4");
  other.on = "node";
  EXPECT_THAT(match_content({wanted(kItsPlace, other)}, {&window}), ElementsAre(0));
  EXPECT_THAT(match_content({wanted(kItsPlace, film("/b.mp4"))}, {&window}), ElementsAre(0));
}

TEST(WindowMatch, WithoutContentTheTitleAndTheApplicationCount) {
  const Window window = open_window(1, kThere, std::nullopt);
  EXPECT_THAT(match_content({wanted(kItsPlace, std::nullopt)}, {&window}), ElementsAre(1));
  SavedWindow other = wanted(kThere, std::nullopt);
  other.owner = "other";
  EXPECT_THAT(match_content({other}, {&window}), ElementsAre(0));
  EXPECT_THAT(match_content({wanted(kThere, film("/a.mp4"))}, {&window}), ElementsAre(0));
}

}  // namespace
}  // namespace manager
