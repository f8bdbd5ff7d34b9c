#include "ui/pointer/osc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/unit/ui/pointer/osc_writer.h"
#include "tests/unit/ui/pointer/recording.h"

namespace ui {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string refusal(const Bytes& bytes) {
  const auto messages = read_osc(bytes);
  return messages ? "" : messages.error().message;
}

TEST(Osc, ReadsAMessage) {
  const auto messages = read_osc(Osc("/a/b").s("alive").i(-7).f(0.5F).t(uint64_t{3} << 32).bytes());
  ASSERT_TRUE(messages) << messages.error().message;
  ASSERT_THAT(*messages, SizeIs(1));
  const OscMessage& message = messages->front();
  EXPECT_EQ(message.address, "/a/b");
  ASSERT_THAT(message.arguments, SizeIs(4));
  EXPECT_EQ(message.text(0), "alive");
  EXPECT_EQ(message.whole(1), -7);
  EXPECT_EQ(message.number(1), -7);
  EXPECT_EQ(message.number(2), 0.5);
  EXPECT_EQ(message.whole(2), std::nullopt);
  EXPECT_EQ(message.text(1), std::nullopt);
  EXPECT_EQ(std::get<OscTime>(message.arguments[3]).ntp, uint64_t{3} << 32);
  EXPECT_EQ(message.number(4), std::nullopt);
}

TEST(Osc, ReadsBundlesWithinBundlesInOrder) {
  const auto messages = read_osc(
      bundle({Osc("/1").bytes(), bundle({Osc("/2").bytes()}), bundle({}), Osc("/3").i(3).bytes()}));
  ASSERT_TRUE(messages) << messages.error().message;
  ASSERT_THAT(*messages, SizeIs(3));
  EXPECT_EQ((*messages)[0].address, "/1");
  EXPECT_EQ((*messages)[1].address, "/2");
  EXPECT_EQ((*messages)[2].whole(0), 3);
}

TEST(Osc, ReadsWhatAnotherProgramWrites) {
  const auto datagrams = recording("pinch.txt");
  ASSERT_THAT(datagrams, SizeIs(12));
  for (const auto& datagram : datagrams) EXPECT_EQ(refusal(datagram.bytes), "");
  EXPECT_THAT(*read_osc(datagrams[2].bytes), SizeIs(5)) << "source, alive, two sets, fseq";
}

TEST(Osc, RefusesWhatIsNone) {
  EXPECT_THAT(refusal({}), HasSubstr("string"));
  EXPECT_THAT(refusal({'h', 'e', 'l', 'l', 'o', 0, 0, 0}), HasSubstr("neither"));
  EXPECT_THAT(refusal({'#', 'b', 'u', 'n', 'd', 'l', 'f', 0}), HasSubstr("neither"));
  EXPECT_THAT(refusal({'/', 'a', 0, 0, 'i', 0, 0, 0, 0, 0, 0, 1}), HasSubstr("type tags"));
  EXPECT_THAT(refusal({'/', 'a', 0, 0, ',', 'Q', 0, 0}), HasSubstr("unknown type"));
  Bytes longer = Osc("/a").i(1).bytes();
  put_u32(longer, 2);
  EXPECT_THAT(refusal(longer), HasSubstr("trailing"));
  Bytes blob;
  put_text(blob, "/a");
  put_text(blob, ",b");
  put_u32(blob, 0xFFFFFFFF);
  EXPECT_THAT(refusal(blob), HasSubstr("blob"));
  EXPECT_THAT(refusal(Bytes(kMaxOscBytes + 1, '/')), HasSubstr("too long"));
}

TEST(Osc, RefusesWhatIsCutShortOrNestedDeep) {
  const Bytes whole = bundle({Osc("/a").s("text").i(1).bytes(), bundle({Osc("/b").f(1).bytes()})});
  ASSERT_EQ(refusal(whole), "");
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read_osc(std::span(whole).first(length));
    // A bundle cut between two elements is a shorter bundle.
    if (cut) {
      EXPECT_LT(cut->size(), 2u) << length;
    }
  }
  Bytes deep = Osc("/a").bytes();
  for (int i = 0; i < kMaxOscDepth; ++i) deep = bundle({deep});
  EXPECT_EQ(refusal(deep), "");
  EXPECT_THAT(refusal(bundle({deep})), HasSubstr("nested too deep"));
}

TEST(Osc, NumbersThatAreNoneAreNotTaken) {
  const auto messages = read_osc(Osc("/a")
                                     .f(std::numeric_limits<float>::quiet_NaN())
                                     .f(std::numeric_limits<float>::infinity())
                                     .bytes());
  ASSERT_TRUE(messages);
  EXPECT_EQ(messages->front().number(0), std::nullopt);
  EXPECT_EQ(messages->front().number(1), std::nullopt);
  EXPECT_EQ(messages->front().whole(1), std::nullopt);
}

TEST(Osc, SurvivesNoise) {
  std::mt19937 random(7);
  const Bytes good = touch_frame(1, {1, 2}, {{1, 0.5F, 0.5F}}, "table");
  for (int i = 0; i < 20000; ++i) {
    Bytes bytes = good;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = uint8_t(random());
    const auto messages = read_osc(bytes);
    if (messages) {
      EXPECT_LE(messages->size(), bytes.size() / 4);
    }
  }
}

TEST(Osc, AMessageIsThePayloadOfAnEvent) {
  const auto messages = read_osc(Osc("/cue/go").i(3).s("north").f(0.5F).t(1).bytes());
  ASSERT_TRUE(messages);
  EXPECT_EQ(event_payload(messages->at(0)),
            (sail::Json{{"address", "/cue/go"}, {"arguments", {3, "north", 0.5, nullptr}}}));
  const auto bare = read_osc(Osc("/cue/go").bytes());
  ASSERT_TRUE(bare);
  EXPECT_EQ(event_payload(bare->at(0)),
            (sail::Json{{"address", "/cue/go"}, {"arguments", sail::Json::array()}}));
  const auto strange =
      read_osc(Osc("/cue\xff").s("a\n\xff").f(std::numeric_limits<float>::quiet_NaN()).bytes());
  ASSERT_TRUE(strange);
  EXPECT_EQ(event_payload(strange->at(0)),
            (sail::Json{{"address", "/cue?"}, {"arguments", {"a??", nullptr}}}));
}

}  // namespace
}  // namespace ui
