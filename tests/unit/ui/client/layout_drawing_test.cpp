// Layouts drawn with characters.
#include "ui/client/layout_drawing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace ui {
namespace {

std::vector<std::string> drawn_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(LayoutDrawing, WindowsAreWhereTheyAreOnTheWall) {
  // A character is 10 × 20 pixels.
  const auto lines =
      drawn_lines(layout_drawing({720, 120}, {{12, {0, 0, 360, 60}},       // left, above
                                              {7, {350, 0, 370, 120}}}));  // covers it
  ASSERT_EQ(lines.size(), 2U + 6);
  for (const std::string& line : lines) EXPECT_EQ(line.size(), 74U);
  EXPECT_EQ(lines[1].substr(0, 37), "!+" + std::string(34, '-') + "+");
  EXPECT_EQ(lines[2].substr(0, 5), "!|12 ");
  EXPECT_EQ(lines[2].substr(36, 4), "|7  ");
  EXPECT_EQ(lines[3].substr(0, 3), "!+-");
  EXPECT_EQ(lines[4].substr(0, 37), "!" + std::string(35, ' ') + "|");
  EXPECT_EQ(lines[6].substr(72), "+!");
}

TEST(LayoutDrawing, SmallWindowsAndThoseAtEdgesAreDrawn) {
  constexpr int kFar = 1'000'000;
  const std::string text = layout_drawing({720, 120}, {{1, {-5, -5, 6, 6}},
                                                       {2, {719, 119, kFar, kFar}},
                                                       {3, {-kFar, 60, kFar, 10}},
                                                       {4, {720, 0, 10, 10}},
                                                       {5, {-kFar, -kFar, 2 * kFar, 2 * kFar}}});
  EXPECT_EQ(text.find('3'), std::string::npos) << "it ends at the edge";
  EXPECT_EQ(text.find('4'), std::string::npos) << "it begins at the edge";
  EXPECT_NE(text.find('5'), std::string::npos);
  EXPECT_NE(layout_drawing({720, 120}, {{1, {-5, -5, 6, 6}}}).find("!1"), std::string::npos);
  EXPECT_NE(layout_drawing({720, 120}, {{2, {719, 119, 1, 1}}}).find("2!"), std::string::npos);
}

TEST(LayoutDrawing, WallsOfAllShapes) {
  EXPECT_EQ(layout_drawing({0, 0}, {}), "");
  EXPECT_EQ(drawn_lines(layout_drawing({65536, 1}, {{1, {0, 0, 65536, 1}}})).size(), 2U + 2);
  EXPECT_EQ(drawn_lines(layout_drawing({1, 65536}, {{1, {0, 0, 1, 65536}}})).size(), 2U + 40);
}

}  // namespace
}  // namespace ui
