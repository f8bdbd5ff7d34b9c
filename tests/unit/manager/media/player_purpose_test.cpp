// What players repeat to the next manager.
#include "manager/media/player_purpose.h"

#include <gtest/gtest.h>

#include <string>

#include "sail/core/text/limits.h"

namespace manager {
namespace {

TEST(PlayerPurpose, IsTheSameAfterAPlayerHasRepeatedIt) {
  PlayRequest request;
  request.place = sail::Rect{0, 0, 1920, 1080};
  EXPECT_EQ(purpose_text(purpose_of(request, false)), "") << "people arrange the window";
  EXPECT_TRUE(read_purpose(purpose_text(purpose_of(request, true))).prepared);
  PlayRequest command;
  command.command = "terminal";
  EXPECT_EQ(purpose_text(purpose_of(command, true)), "") << "it may open further windows later";
  request.decoration = Decoration{.kind = DecorationKind::kLogo,
                                  .area = std::string(sail::kMaxNameLength, '"'),
                                  .corner = Corner::kBottomLeft};
  request.place = sail::Rect{-sail::kMaxWindowOffset, -sail::kMaxWindowOffset, sail::kMaxWindowSide,
                             sail::kMaxWindowSide};
  const PlayerPurpose logo = purpose_of(request, false);
  EXPECT_LE(purpose_text(logo).size(), sail::kMaxPurpose);
  EXPECT_EQ(read_purpose(purpose_text(logo)), logo);
  EXPECT_EQ(logo.place, request.place);
}

TEST(PlayerPurpose, OneThatIsDamagedIsNone) {
  for (const char* wrong : {"", "{", "[]", "7", R"({"prepared":1})", R"({"decoration":{}})",
                            R"({"decoration":{"kind":"carpet"}})", R"({"place":[1,2,3]})"}) {
    EXPECT_EQ(read_purpose(wrong), PlayerPurpose()) << wrong;
  }
}

}  // namespace
}  // namespace manager
