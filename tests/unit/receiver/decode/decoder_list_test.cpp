#include "receiver/decode/decoder_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace receiver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ParseDecoderList, NamesOfCarriedCodecs) {
  EXPECT_THAT(parse_decoder_list("h264\nav1\n").value(), ElementsAre("h264", "av1"));
  EXPECT_THAT(parse_decoder_list("").value(), IsEmpty());
}

TEST(ParseDecoderList, JunkIsRefused) {
  for (const char* text : {"h264", "h264\nav", "\n", "h264\n\n", "h264\nh264\n", "dxt1\n", "h263\n",
                           " h264\n", "h264\r\n", "h264 av1\n", "h264+lz4\n"}) {
    EXPECT_FALSE(parse_decoder_list(text)) << text;
  }
  EXPECT_FALSE(parse_decoder_list(std::string("h264\0\n", 6)));
}

class DecoderListTest : public testing::Test {
 protected:
  using Names = sail::Result<std::vector<std::string>>;

  Names ask(const std::string& program, int64_t most_ms = sail::kTestDeadlineMs) {
    std::optional<Names> answer;
    int answers = 0;
    const DecoderList list(
        loop_, program,
        [&](const Names& names) {
          answer = names;
          ++answers;
        },
        most_ms, cache_);
    EXPECT_FALSE(answer) << "called back while it started";
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    sail::run_some(loop_);
    EXPECT_EQ(answers, 1);
    return answer.value_or(Names());
  }
  Names ask_script(const std::string& script, int64_t most_ms = sail::kTestDeadlineMs) {
    const std::string program = folder_.write("decoder", "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return ask(program, most_ms);
  }
  std::string why(const Names& names) { return names ? "no error" : names.error().message; }

  sail::Loop loop_;
  const sail::TempFolder folder_;
  std::string cache_;  // empty: none
};

TEST_F(DecoderListTest, TheProgramListsWhatItDecodes) {
  const Names names = ask(DECODER_PROGRAM);
  ASSERT_TRUE(names) << why(names);
  EXPECT_THAT(*names, testing::IsSupersetOf({"h264", "h265", "vp9", "mjpeg"}));
}

TEST_F(DecoderListTest, IsAskedForTheListWithoutTheKey) {
  const test::EnvironmentVariable key("VITRAIL_KEY", "secret");
  const Names names = ask_script("[ \"$*$VITRAIL_KEY\" = --list ] && echo h264");
  ASSERT_TRUE(names) << why(names);
  EXPECT_THAT(*names, ElementsAre("h264"));
}

TEST_F(DecoderListTest, FailuresAreNamed) {
  EXPECT_THAT(why(ask("/nowhere/decoder")), HasSubstr("/nowhere/decoder is not installed"));
  EXPECT_THAT(why(ask_script("echo h264; exit 3")), HasSubstr("exited with status 3"));
  EXPECT_THAT(why(ask_script("kill -SEGV $$")), HasSubstr("ended by signal 11"));
  EXPECT_THAT(why(ask_script("echo h263")), HasSubstr("invalid list"));
  EXPECT_THAT(why(ask_script("while :; do echo h264; done")), HasSubstr("ended by signal"));
  EXPECT_THAT(why(ask(folder_.write("data", "no program"))), HasSubstr("cannot start"));
}

TEST_F(DecoderListTest, IsKeptUntilTheProgramChanges) {
  cache_ = folder_.file("run/decoders");
  const std::string asked = folder_.file("asked");
  const Names first = ask_script("echo h264; echo vp9; echo >> '" + asked + "'");
  const Names second = ask(folder_.file("decoder"));
  ASSERT_TRUE(first && second) << why(first) << why(second);
  EXPECT_EQ(*second, *first);
  EXPECT_EQ(std::filesystem::file_size(asked), 1U) << "asked again";
  EXPECT_THAT(*ask_script("echo h265"), ElementsAre("h265"));
}

TEST_F(DecoderListTest, ADamagedCacheIsReplaced) {
  cache_ = folder_.file("decoders");
  ASSERT_THAT(*ask_script("echo h264"), ElementsAre("h264"));
  std::filesystem::resize_file(cache_, std::filesystem::file_size(cache_) - 2);
  EXPECT_THAT(*ask(folder_.file("decoder")), ElementsAre("h264"));
  EXPECT_THAT(*ask(folder_.file("decoder")), ElementsAre("h264"));
}

TEST_F(DecoderListTest, FailuresAreNotKept) {
  cache_ = folder_.file("decoders");
  EXPECT_THAT(why(ask_script("echo h264; exit 3")), HasSubstr("exited with status 3"));
  EXPECT_FALSE(std::filesystem::exists(cache_));
}

TEST_F(DecoderListTest, AProgramThatHangsIsEnded) {
  EXPECT_THAT(why(ask_script("echo h264; exec sleep 1000", 20)), HasSubstr("did not answer"));
}

TEST_F(DecoderListTest, MayBeDestroyedBeforeTheAnswer) {
  {
    const DecoderList list(loop_, "/bin/true", [](const Names&) { ADD_FAILURE(); });
  }
  sail::run_some(loop_);
}

}  // namespace
}  // namespace receiver
