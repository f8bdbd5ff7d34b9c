#include "sail/core/wire/ticker_medium.h"

#include <gtest/gtest.h>

#include "sail/core/wire/content.h"

namespace sail {
namespace {

TEST(TickerMedium, AWrittenMediumReadsAsTheSame) {
  for (const TickerMedium& medium :
       {TickerMedium{.content = "Doors open at 18:00"}, TickerMedium{.content = "?what"},
        TickerMedium{.speed = 120, .ink = 0xffff00, .paper = 0x000060, .content = "a?b&c=d"},
        TickerMedium{.speed = 30, .content = "https://news.example/feed?a=1"}}) {
    const auto read = parse_ticker(ticker_text(medium));
    ASSERT_TRUE(read) << ticker_text(medium) << ": " << read.error().message;
    EXPECT_EQ(*read, medium) << ticker_text(medium);
  }
  EXPECT_EQ(ticker_text({.content = "plain"}), "ticker:plain");
  EXPECT_EQ(ticker_text({.speed = 120, .ink = 0xffff00, .content = "x"}),
            "ticker:?speed=120&ink=#ffff00?x");
}

TEST(TickerMedium, TheSpeedBecomesAMultipleOfWholeSteps) {
  EXPECT_EQ(parse_ticker("ticker:?speed=50?x")->speed, 60);
  EXPECT_EQ(parse_ticker("ticker:?speed=1?x")->speed, 30);
  EXPECT_EQ(parse_ticker("ticker:?speed=1200?x")->speed, 1200);
}

TEST(TickerMedium, WhatIsWrongIsRefused) {
  for (const char* medium :
       {"ticker:", "ticker:  ", "ticker:?speed=60", "ticker:?speed=60?", "ticker:?speed=0?x",
        "ticker:?speed=9999?x", "ticker:?speed=6 0?x", "ticker:?ink=red?x", "ticker:?size=9?x",
        "ticker:?speed?x", "note:x"}) {
    const auto read = parse_ticker(medium);
    ASSERT_FALSE(read) << medium;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidParams) << medium;
  }
}

// Everybody may show a text; a file or URL needs rights.
TEST(TickerMedium, OnlyTextsAreDrawnWithoutAFile) {
  EXPECT_EQ(ticker_source("ticker:Doors open"), "");
  EXPECT_EQ(ticker_source("ticker:/etc/motd"), "/etc/motd");
  EXPECT_EQ(ticker_source("ticker:?ink=#ffffff?/etc/motd"), "/etc/motd");
  EXPECT_EQ(ticker_source("ticker:https://news.example/"), "https://news.example/");
  EXPECT_EQ(ticker_source("note:/etc/motd"), "");
  EXPECT_TRUE(is_drawn("ticker:Doors open"));
  for (const char* medium :
       {"ticker:/etc/motd", "ticker:?speed=90?/etc/motd", "ticker:http://news.example/",
        "ticker:?speed=90?https://news.example/"}) {
    EXPECT_TRUE(is_written(medium)) << medium;
    EXPECT_FALSE(is_drawn(medium)) << medium;
  }
}

}  // namespace
}  // namespace sail
