#include "sail/core/process/poster_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/unit/sail/core/socket/tcp_support.h"

namespace sail {
namespace {

using testing::HasSubstr;

// A shell script replaces vitrail-poster, and does what an exploited decoder could do.
class PosterRunsTest : public testing::Test {
 protected:
  Result<std::string> run(const std::string& script, int64_t wait_timeout_ms = 60'000) {
    folder_.write("poster", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder_.file("poster"), std::filesystem::perms::owner_all);
    PosterRuns runs(loop_, folder_.file("poster"), wait_timeout_ms);
    std::optional<Result<std::string>> ended;
    const auto done = [&](const Result<void>& end, std::string_view output) {
      written_ = output;
      ended = end.map([&] { return written_; });
    };
    const auto started = runs.start({"--size", "8x8"}, {"-film", "b"}, kMostBytes, done);
    if (!started) return started.error();
    EXPECT_TRUE(run_until(loop_, [&] { return ended.has_value(); }));
    return std::move(*ended);
  }

  static constexpr size_t kMostBytes = 100;
  const TempFolder folder_;
  Loop loop_;
  std::string written_;
};

TEST_F(PosterRunsTest, BringWhatTheProgramWrites) {
  EXPECT_EQ(run("echo \"$@\"").value(), "--size 8x8 -- -film b\n");
}

TEST_F(PosterRunsTest, SayHowTheyEnded) {
  EXPECT_THAT(run("echo half; exit 3").error().message, HasSubstr("status 3"));
  EXPECT_EQ(written_, "half\n");
  EXPECT_THAT(run("kill -SEGV $$").error().message, HasSubstr("signal 11"));
  EXPECT_EQ(run("while :; do :; done", 10).error().code, ErrorCode::kTimeout);
  EXPECT_FALSE(run("while echo more; do :; done"));
}

TEST_F(PosterRunsTest, NothingIsStartedWithoutTheProgram) {
  PosterRuns runs(loop_, folder_.file("none"));
  const auto started = runs.start({}, {"film"}, kMostBytes, [](const auto&, std::string_view) {
    ADD_FAILURE() << "nothing ran";
  });
  EXPECT_EQ(started.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace sail
