#include "sail/core/time/clock.h"
#include "sail/core/wire/data/repeated_messages.h"

#include <gtest/gtest.h>

#include <vector>

namespace sail {
namespace {

constexpr uint32_t kStream = 7;

std::array<uint8_t, kFrameShowBytes> show(uint64_t frame) {
  return encode(kStream, FrameShow{.frame = frame, .epoch = 1, .at_ns = 1});
}

std::vector<uint64_t> frames_in(std::span<const uint8_t> text) {
  std::vector<uint64_t> frames;
  const auto said = cut_messages(text);
  if (!said) return frames;
  for (const MessageBuffer::Message& message : *said) {
    frames.push_back(decode_frame_show(message.body)->frame);
  }
  return frames;
}

TEST(RepeatedMessages, EachGoesThreeTimes) {
  RepeatedMessages said;
  EXPECT_FALSE(said.due_ns());
  said.add(show(1), 10 * kMillisecondNs);
  for (const int64_t at_ns : {10 * kMillisecondNs, 15 * kMillisecondNs, 20 * kMillisecondNs}) {
    EXPECT_EQ(said.due_ns(), at_ns);
    EXPECT_EQ(frames_in(said.take(at_ns)), std::vector<uint64_t>{1});
  }
  EXPECT_FALSE(said.due_ns());
}

TEST(RepeatedMessages, OnePacketMayHaveThoseBefore) {
  RepeatedMessages said;
  said.add_once(show(1), 0);
  said.take(0);
  said.add(show(2), kMillisecondNs, 1);
  EXPECT_EQ(frames_in(said.take(kMillisecondNs)), (std::vector<uint64_t>{1, 2}));
  EXPECT_FALSE(said.due_ns());
}

TEST(RepeatedMessages, OneThatGoesOnceGoesAlone) {
  RepeatedMessages said;
  said.add(show(1), 0);
  said.add_once(show(2), 0);
  EXPECT_EQ(frames_in(said.take(0)), std::vector<uint64_t>{2});
  EXPECT_FALSE(said.due_ns());
}

TEST(RepeatedMessages, AfterALossThoseThatWentOnceAreRepeated) {
  RepeatedMessages said;
  said.add_once(show(1), 0);
  said.take(0);
  said.add_once(show(2), 0);
  said.take(0);
  said.add(show(3), 30 * kMillisecondNs);
  EXPECT_EQ(frames_in(said.take(30 * kMillisecondNs)), (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(said.due_ns(), 35 * kMillisecondNs);
}

TEST(RepeatedMessages, TheNewestGoTogetherInOrder) {
  RepeatedMessages said;
  for (uint64_t frame = 1; frame <= 4; ++frame) said.add(show(frame), 0);
  EXPECT_EQ(frames_in(said.take(0)), (std::vector<uint64_t>{1, 2, 3, 4}));
  for (uint64_t frame = 5; frame <= 9; ++frame) said.add(show(frame), kMillisecondNs);
  EXPECT_EQ(said.due_ns(), kMillisecondNs);
  EXPECT_EQ(frames_in(said.take(kMillisecondNs)), (std::vector<uint64_t>{4, 5, 6, 7, 8, 9}));
}

TEST(RepeatedMessages, KindsMayBeMixed) {
  RepeatedMessages said;
  said.add(encode(kStream, FrameReady{.frame = 1, .epoch = 1}), 0);
  said.add(show(1), 0);
  said.add(encode(kStream, FrameReport{.frame = 1, .epoch = 1}), 0);
  EXPECT_EQ(said.take(0).size(), kFrameReadyBytes + kFrameShowBytes + kFrameReportBytes);
}

TEST(CutMessages, APacketHasWholeMessagesAndNothingElse) {
  RepeatedMessages said;
  for (uint64_t frame = 1; frame <= RepeatedMessages::kKept; ++frame) said.add(show(frame), 0);
  const auto whole = said.take(0);
  EXPECT_EQ(cut_messages(whole)->count, RepeatedMessages::kKept);
  EXPECT_EQ(cut_messages({})->count, 0);
  EXPECT_FALSE(cut_messages(whole.first(whole.size() - 1))) << "the last one is cut short";
  EXPECT_FALSE(cut_messages(whole.subspan(1))) << "no header";

  std::vector<uint8_t> one_more(whole.begin(), whole.end());
  const auto empty = std::span(whole).first(kDataHeaderBytes);
  one_more.insert(one_more.end(), empty.begin(), empty.end());
  std::fill(one_more.end() - 4, one_more.end(), uint8_t{0});
  EXPECT_LE(one_more.size(), RepeatedMessages::kMaxBytes);
  EXPECT_FALSE(cut_messages(one_more)) << "more than are said at once";
}

TEST(ReceivedMessages, ACopyIsNotNew) {
  ReceivedMessages heard;
  const auto body = [](const auto& message) {
    return std::span(message).subspan(kDataHeaderBytes);
  };
  for (uint64_t frame = 1; frame <= kMaxFramesInFlight; ++frame) {
    EXPECT_TRUE(heard.is_new(DataType::kFrameShow, body(show(frame))));
    const auto report = encode(kStream, FrameReport{.frame = frame, .epoch = 1});
    EXPECT_TRUE(heard.is_new(DataType::kFrameReport, body(report)));
  }
  for (uint64_t frame = 1; frame <= kMaxFramesInFlight; ++frame) {
    EXPECT_FALSE(heard.is_new(DataType::kFrameShow, body(show(frame))));
  }
  // The same body with another type is another message.
  EXPECT_TRUE(heard.is_new(DataType::kFrameReady, body(show(1))));
}

}  // namespace
}  // namespace sail
