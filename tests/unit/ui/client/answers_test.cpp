// The manager's answers as text.
#include "ui/client/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Tables, TheWallSaysWhatIsToBeKnownOfItAsAWhole) {
  const auto state = sail::Json::parse(R"({"wall": {"name": "two"}, "health": {"problems": [
      {"sentence": "a receiver is away", "receiver": "left"}, {"sentence": "window 1 is slow", "window": 1},
      {"sentence": "the wall is blank"}, {"sentence": "a file is damaged"}]}})");
  EXPECT_EQ(wall_problems_text(state), "\nthe wall is blank\na file is damaged");
  EXPECT_THAT(wall_text(state), HasSubstr("wall two\nthe wall is blank\n"));
  EXPECT_EQ(wall_problems_text(sail::Json::parse(R"({"health": 7})")), "");
  EXPECT_THAT(wall_text(sail::Json::object()), Not(HasSubstr("blank")));
  const sail::Json hidden = {{"windows", {{{"window", 7}, {"title", "film"}, {"hidden", true}}}}};
  EXPECT_THAT(wall_text(hidden), HasSubstr("and 1 hidden window: see `vitrail event ls`"));
  EXPECT_THAT(wall_text(hidden), Not(HasSubstr("film")));
}

TEST(Tables, TheReasonForACodecIsTold) {
  const sail::Json state = {
      {"windows", {{{"window", 7}, {"codec", "h264"}, {"codec_reason", "it is sent undecoded"}}}}};
  EXPECT_THAT(wall_text(state), HasSubstr("\nwindow 7: it is sent undecoded"));
}

}  // namespace
}  // namespace ui
