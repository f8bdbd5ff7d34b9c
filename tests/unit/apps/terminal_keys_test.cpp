#include "sail/apps/terminal_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KeyParser, PlainKeys) {
  KeyParser parser;
  EXPECT_THAT(parser.feed(" +-=q"),
              ElementsAre(Key::kSpace, Key::kPlus, Key::kMinus, Key::kPlus, Key::kQuit));
  EXPECT_THAT(parser.feed("xyz\n\x01"), IsEmpty());
}

TEST(KeyParser, ArrowsInOneOrInPieces) {
  KeyParser parser;
  EXPECT_THAT(parser.feed("\x1B[C\x1BOD"), ElementsAre(Key::kRight, Key::kLeft));
  EXPECT_THAT(parser.feed("\x1B"), IsEmpty());
  EXPECT_THAT(parser.feed("["), IsEmpty());
  EXPECT_THAT(parser.feed("D "), ElementsAre(Key::kLeft, Key::kSpace));
}

TEST(KeyParser, OtherSequencesAreNoKeys) {
  KeyParser parser;
  EXPECT_THAT(parser.feed("\x1B[A\x1B[15~\x1B[1;5H"), IsEmpty());
  EXPECT_THAT(parser.feed("q"), ElementsAre(Key::kQuit));
}

}  // namespace
}  // namespace sail
