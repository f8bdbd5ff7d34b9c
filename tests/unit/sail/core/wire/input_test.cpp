#include "sail/core/wire/input.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(KeySymbols, LettersAreTheirCodePoints) {
  EXPECT_EQ(keysym_of("a"), 0x61U);
  EXPECT_EQ(keysym_of(" "), 0x20U);
  EXPECT_EQ(keysym_of("é"), 0xe9U);
  EXPECT_EQ(keysym_of("λ"), 0x010003bbU);
  EXPECT_EQ(keysym_of("😀"), 0x0101f600U);
}

TEST(KeySymbols, NamedKeys) {
  EXPECT_EQ(keysym_of("Enter"), 0xff0dU);
  EXPECT_EQ(keysym_of("ArrowLeft"), 0xff51U);
  EXPECT_EQ(keysym_of("F1"), 0xffbeU);
  EXPECT_EQ(keysym_of("F12"), 0xffc9U);
  EXPECT_EQ(keysym_of("NumLock"), 0xff7fU);
}

TEST(KeySymbols, CapitalsOfAllScripts) {
  for (const char* key : {"A", "É", "Ж", "Ω"}) EXPECT_TRUE(is_capital(*keysym_of(key))) << key;
  for (const char* key : {"a", "é", "ß", "ж", "1", "!", "×", "世", "Enter", "AudioVolumeUp"}) {
    EXPECT_FALSE(is_capital(*keysym_of(key))) << key;
  }
  for (const char* key : {"a", "é", "世", "😀"}) EXPECT_TRUE(is_character(*keysym_of(key))) << key;
  for (const char* key : {"Enter", "F5", "AltGraph", "AudioVolumeUp"}) {
    EXPECT_FALSE(is_character(*keysym_of(key))) << key;
  }
}

TEST(KeySymbols, WhatIsNoKeyHasNone) {
  for (const char* key : {"", "Unidentified", "Super_L", "Numpad1", "Bogus", "F0", "F99", "F1x",
                          "ab", "\x01", "\xc3"}) {
    EXPECT_FALSE(keysym_of(key)) << key;
  }
}

}  // namespace
}  // namespace sail
