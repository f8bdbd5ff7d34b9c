// Answers of vitrail-poster about speaker's notes, from a stand-in that may be controlled by a
// file.
#include "manager/media/speaker_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "sail/core/text/limits.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

TEST(SpeakerNotesAnswer, HasPagesOrAReason) {
  const auto pages = parse_speaker_notes(R"({"pages":[{"title":"a","notes":"b\nc","cut":true},{}]})"
                                         "\n");
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_EQ(*pages, Json::parse(R"([{"title":"a","notes":"b\nc","cut":true},{}])"));
  const auto reason = parse_speaker_notes("{\"unreadable\":\"it is\\u001b[31m damaged\"}");
  ASSERT_FALSE(reason);
  EXPECT_EQ(reason.error().code, ErrorCode::kBadData);
  EXPECT_THAT(reason.error().message, HasSubstr("damaged"));
  EXPECT_EQ(reason.error().message.find('\x1b'), std::string::npos);
}

TEST(SpeakerNotesAnswer, WhatIsMalformedIsRefused) {
  Json many = {{"pages", Json::array()}};
  for (size_t i = 0; i <= sail::kMaxNotedPages; ++i) many["pages"].push_back(Json::object());
  for (const std::string& output :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"pages":{}})"),
        std::string(R"({"pages":["a"]})"), std::string(R"({"pages":[{"title":1}]})"),
        std::string(R"({"pages":[{"cut":"a"}]})"), std::string(R"({"pages":[{"more":"a"}]})"),
        std::string(R"({"pages":[{"notes":"a\u001b[31m"}]})"),
        std::string(R"({"pages":[{"title":"a\nb"}]})"), std::string(R"({"pages":[{"notes":"a"})"),
        many.dump()}) {
    const auto pages = parse_speaker_notes(output);
    ASSERT_FALSE(pages) << output.substr(0, 100);
    EXPECT_EQ(pages.error().code, ErrorCode::kBadData);
  }
}

class SpeakerNotesTest : public testing::Test {
 protected:
  SpeakerNotes notes(const std::string& script) {
    const std::string program = folder_.write("poster", "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return {loop_, program};
  }
  sail::Result<Json> read(SpeakerNotes& notes, const std::string& path = "/talk.odp") {
    std::optional<sail::Result<Json>> answer;
    notes.read(path, [&](const sail::Result<Json>& came) { answer = came; });
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(sail::fail(ErrorCode::kTimeout, "no answer"));
  }

  const sail::TempFolder folder_;
  sail::Loop loop_;
};

TEST_F(SpeakerNotesTest, AreThoseOfTheFile) {
  SpeakerNotes notes = this->notes(R"(echo "{\"pages\":[{\"notes\":\"$*\"}]}")");
  const auto pages = read(notes);
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_EQ((*pages)[0]["notes"], "--notes -- /talk.odp");
}

TEST_F(SpeakerNotesTest, FailuresAreReported) {
  SpeakerNotes failing = this->notes("echo '{\"pages\":[]}'; exit 1");
  EXPECT_EQ(read(failing).error().code, ErrorCode::kBadData);
  SpeakerNotes missing(loop_, folder_.file("none"));
  EXPECT_EQ(read(missing).error().code, ErrorCode::kNotFound);
}

TEST_F(SpeakerNotesTest, OtherFilesNeedNoProgram) {
  SpeakerNotes missing(loop_, folder_.file("none"));
  const auto pages = read(missing, "/report.pdf");
  ASSERT_TRUE(pages) << pages.error().message;
  EXPECT_EQ(*pages, Json::array());
}

TEST_F(SpeakerNotesTest, TheQueueIsBounded) {
  SpeakerNotes notes = this->notes("echo '{\"pages\":[]}'");
  size_t answered = 0;
  size_t refused = 0;
  const size_t all = SpeakerNotes::kMostAtOnce + SpeakerNotes::kMostWaiting + 5;
  for (size_t i = 0; i < all; ++i) {
    notes.read("/talk.odp", [&](const sail::Result<Json>& answer) {
      answered += answer ? 1 : 0;
      refused += !answer && answer.error().code == ErrorCode::kLimit ? 1 : 0;
    });
  }
  EXPECT_EQ(refused, 5U);
  ASSERT_TRUE(sail::run_until(loop_, [&] { return answered + refused == all; }));
}

}  // namespace
}  // namespace manager
