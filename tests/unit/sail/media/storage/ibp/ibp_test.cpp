#include "sail/media/storage/ibp/ibp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Ibp, ACapabilityIsSplitAndNeverDecoded) {
  const auto loci = parse_read_capability("ibp://depot.example:6715/IBP-00%2F7/99887766/READ");
  ASSERT_TRUE(loci) << loci.error().message;
  EXPECT_EQ(loci->depot, (Address{"depot.example", 6715}));
  EXPECT_EQ(loci->key, "IBP-00%2F7");
  EXPECT_EQ(loci->type_key, "99887766");
  const auto accre = parse_read_capability("ibp://[::1]/12#a/B+~=/18446744073709551615/READ");
  ASSERT_TRUE(accre) << accre.error().message;
  EXPECT_EQ(accre->depot, (Address{"::1", kIbpPort}));
  EXPECT_EQ(accre->key, "12#a/B+~=");
  EXPECT_EQ(accre->type_key, "18446744073709551615");
}

TEST(Ibp, WhatIsNoneIsRefusedWithoutItsKeys) {
  const std::string wrong[] = {
      "",
      "ibp://",
      "http://h/k/t/READ",
      "ibp://h",
      "ibp://h/READ",
      "ibp://h/k/READ",
      "ibp:///k/t/READ",
      "ibp://h//t/READ",
      "ibp://h/k//READ",
      "ibp://h/secret/t/WRITE",
      "ibp://h/secret/t/READ/",
      "ibp://h:99999/k/t/READ",
      "ibp://h/secret 1 8/t/READ",
      "ibp://h/secret\n1 8 k/t/READ",
      "ibp://h/k/secret\x7f/READ",
      "ibp://h/" + std::string(513, 'k') + "/t/READ",
  };
  for (const std::string& text : wrong) {
    const auto parsed = parse_read_capability(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidParams);
    EXPECT_THAT(parsed.error().message, Not(HasSubstr("secret")));
  }
}

TEST(Ibp, ALoadIsALine) {
  const IbpCapability capability{{"h", kIbpPort}, "IBP-1", "77"};
  EXPECT_EQ(load_line(0, capability, {1 << 20, 512}, 5), "0 8 IBP-1 77 1048576 512 5\n");
  EXPECT_EQ(load_line(1, capability, {0, 1}, 1), "1 8 IBP-1 77 0 1 1\n");
}

TEST(Ibp, AnswersOfBothDialectsAreUnderstood) {
  const auto reply = [](std::string_view line) { return parse_load_reply(line); };
  EXPECT_EQ(reply("1 576 ")->bytes, 576U);  // LoCI's
  EXPECT_EQ(reply("1 576")->bytes, 576U);   // ACCRE's
  EXPECT_EQ(reply("1 0")->status, kIbpOk);
  EXPECT_EQ(reply(" -4 ")->status, -4);
  EXPECT_EQ(reply("-4")->status, -4);
  EXPECT_EQ(reply(std::string_view("-19 \0", 5))->status, -19);
  for (const char* none : {"", " ", "1", "1 -5", "2 5", "0", "0 7", "one", "1 18446744073709551616",
                           "HTTP/1.1 400 Bad Request", "-4x", "1 5x"}) {
    EXPECT_FALSE(reply(none)) << none;
  }
}

TEST(Ibp, ErrorsSayWhatHelps) {
  EXPECT_EQ(fault_of(-4), IbpFault::kGone);
  EXPECT_EQ(fault_of(-19), IbpFault::kEnds);
  EXPECT_EQ(fault_of(-27), IbpFault::kVersion);
  EXPECT_EQ(fault_of(-30), IbpFault::kVersion);
  EXPECT_EQ(fault_of(-66), IbpFault::kPasses);
  EXPECT_EQ(fault_of(-1234), IbpFault::kPasses);
  EXPECT_EQ(ibp_words(-4), "the capability is unknown or has expired (IBP error -4)");
  EXPECT_EQ(ibp_words(-47), "the depot is recovering (IBP error -47)");
}

}  // namespace
}  // namespace sail
