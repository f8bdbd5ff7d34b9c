#include "ui/console/read_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kMega = 1024 * 1024;

TEST(ReadSteps, AreListsAndRanges) {
  EXPECT_THAT(*parse_steps("1m", 512, kMega), ElementsAre(kMega));
  EXPECT_THAT(*parse_steps("4k,1m", 512, kMega), ElementsAre(4096U, kMega));
  EXPECT_THAT(*parse_steps("1..16", 1, 64), ElementsAre(1U, 4U, 16U));
  EXPECT_THAT(*parse_steps("1..10", 1, 64), ElementsAre(1U, 4U, 10U));
  EXPECT_THAT(*parse_steps("7..7", 1, 64), ElementsAre(7U));
  EXPECT_EQ(step_text(4096), "4k");
  EXPECT_EQ(step_text(16 * kMega), "16m");
  EXPECT_EQ(step_text(1000), "1000");
}

TEST(ReadSteps, OthersAreRefused) {
  for (const char* text : {"", "x", "1,", "4,1", "16..1", "1..", "..4", "1..65", "0", "1g", "-1",
                           "1k", "99999999999999999999", "18446744073709551615k"}) {
    EXPECT_FALSE(parse_steps(text, 1, 64)) << text;
  }
}

const ReadCurves kCurves{
    "a<b&c",
    5 * kMega,
    {{4096, 1, 10, 100, 0}, {kMega, 1, 80, 200, 0}, {kMega, 16, 100.25, 300, 2}}};

TEST(ReadCurves, AreATable) {
  const std::string text = curves_text(kCurves);
  EXPECT_THAT(text, HasSubstr("a<b&c\n"));
  EXPECT_THAT(text, HasSubstr("16 at a time"));
  EXPECT_THAT(text, HasSubstr("–")) << "what was not tried";
  EXPECT_THAT(text, HasSubstr("100.2"));
}

TEST(ReadCurves, AreForPrograms) {
  const sail::Json json = curves_json({kCurves});
  EXPECT_EQ(json["sources"][0]["size"], 5 * kMega);
  EXPECT_EQ(
      json["sources"][0]["points"][2],
      (sail::Json{
          {"block", kMega}, {"depth", 16}, {"mb_per_s", 100.25}, {"bytes", 300}, {"retries", 2}}));
}

TEST(ReadCurves, AreForGnuplot) {
  EXPECT_EQ(curves_csv({{"a,b", kMega, {{4096, 1, 10, 100, 0}, {kMega, 16, 100.26, 300, 2}}}}),
            "source,block,depth,mb_per_s,bytes,retries\n"
            "\"a,b\",4096,1,10.0,100,0\n\"a,b\",1048576,16,100.3,300,2\n");
}

}  // namespace
}  // namespace ui
