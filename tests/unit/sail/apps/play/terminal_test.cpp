#include "sail/apps/play/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/time/clock.h"
#include "sail/media/source/film_time.h"

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KeyParser, PlainKeys) {
  KeyParser parser;
  EXPECT_THAT(parser.feed(" +-=q"), ElementsAre(PlayKey::kSpace, PlayKey::kPlus, PlayKey::kMinus,
                                                PlayKey::kPlus, PlayKey::kQuit));
  EXPECT_THAT(parser.feed("xyz\n\x01"), IsEmpty());
}

TEST(KeyParser, ArrowsInOneOrInPieces) {
  KeyParser parser;
  EXPECT_THAT(parser.feed("\x1B[C\x1BOD"), ElementsAre(PlayKey::kRight, PlayKey::kLeft));
  EXPECT_THAT(parser.feed("\x1B"), IsEmpty());
  EXPECT_THAT(parser.feed("["), IsEmpty());
  EXPECT_THAT(parser.feed("D "), ElementsAre(PlayKey::kLeft, PlayKey::kSpace));
}

TEST(KeyParser, OtherSequencesAreNoKeys) {
  KeyParser parser;
  EXPECT_THAT(parser.feed("\x1B[A\x1B[15~\x1B[1;5H"), IsEmpty());
  EXPECT_THAT(parser.feed("q"), ElementsAre(PlayKey::kQuit));
}

TEST(StatusLine, Times) {
  EXPECT_EQ(format_time(0), "0:00.0");
  EXPECT_EQ(format_time(-5), "0:00.0");
  EXPECT_EQ(format_time(3 * kSecondNs + 499'999'999), "0:03.4");
  EXPECT_EQ(format_time(123 * kSecondNs), "2:03.0");
  EXPECT_EQ(format_time(3723 * kSecondNs), "1:02:03.0");
}

TEST(StatusLine, SaysWhatMatters) {
  PlayStatus status{3 * kSecondNs, 5 * kSecondNs, false, 1, 24.96, 2};
  EXPECT_EQ(format_status(status), "0:03.0 / 0:05.0  25.0 fps  2 dropped");
  status.paused = true;
  status.rate = 1.25;
  status.duration_ns = 0;
  EXPECT_EQ(format_status(status), "0:03.0  25.0 fps  2 dropped  rate 1.25  paused");
}

}  // namespace
}  // namespace sail
