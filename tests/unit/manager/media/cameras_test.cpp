#include "manager/media/cameras.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

// A shell script replaces vitrail-camera, and keeps the jobs that it gets.
class CamerasTest : public testing::Test {
 protected:
  Cameras cameras(const std::string& script) {
    folder_.write("camera", "#!/bin/sh\nread -r job; echo \"$job\" >> " + folder_.file("jobs") +
                                "\n" + script);
    std::filesystem::permissions(folder_.file("camera"), std::filesystem::perms::owner_all);
    return {loop_, folder_.file("camera"), log_};
  }
  sail::Result<Json> ended(const std::optional<sail::Result<Json>>& answer) {
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(sail::fail(ErrorCode::kTimeout, "no answer"));
  }
  static Cameras::Done into(std::optional<sail::Result<Json>>& answer) {
    return [&answer](const sail::Result<Json>& came) { answer = came; };
  }
  std::vector<Json> jobs() const {
    std::vector<Json> jobs;
    std::ifstream lines(folder_.file("jobs"));
    for (std::string line; std::getline(lines, line);) {
      jobs.push_back(sail::parse_json(line, line.size()).value_or(Json::object()));
    }
    return jobs;
  }

  size_t stops() const {
    size_t count = 0;
    for (const Json& job : jobs()) count += job.value("move", "") == "stop" ? 1 : 0;
    return count;
  }

  const sail::TempFolder folder_;
  sail::Loop loop_;
  const sail::Log log_{"test", sail::LogLevel::kOff};
  const SavedCamera camera_{"http://10.0.0.7/d", "http://10.0.0.7/p", "a"};
};

TEST_F(CamerasTest, TheProgramAnswers) {
  Cameras cameras = this->cameras("echo '{\"profiles\":[]}'");
  std::optional<sail::Result<Json>> answer;
  cameras.look("10.0.0.7", into(answer));
  EXPECT_EQ(ended(answer).value(), (Json{{"profiles", Json::array()}}));
  EXPECT_EQ(jobs().at(0), (Json{{"do", "look"}, {"device", "10.0.0.7"}}));
}

TEST_F(CamerasTest, ErrorsHaveTheirCodeAndNoPasswords) {
  Cameras cameras = this->cameras(
      R"(echo '{"error":{"code":1001,"message":"rtsp://ann:secret@10.0.0.7 refuses"}}')");
  std::optional<sail::Result<Json>> answer;
  cameras.look("10.0.0.7", into(answer));
  EXPECT_EQ(ended(answer).error(),
            (sail::Error{ErrorCode::kUnauthorized, "rtsp://ann:…@10.0.0.7 refuses"}));
}

TEST_F(CamerasTest, AProgramThatDiesIsAnError) {
  for (const char* script : {"kill -SEGV $$", "echo nonsense", "echo '[]'", "exec yes",
                             R"(echo '{"error":{"code":"x"}}')", "exit 3"}) {
    Cameras cameras = this->cameras(script);
    std::optional<sail::Result<Json>> answer;
    cameras.look("10.0.0.7", into(answer));
    EXPECT_EQ(ended(answer).error().code, ErrorCode::kInternal) << script;
  }
  Cameras none(loop_, folder_.file("none"), log_);
  std::optional<sail::Result<Json>> answer;
  none.look("10.0.0.7", into(answer));
  EXPECT_EQ(ended(answer).error().code, ErrorCode::kNotFound);
}

TEST_F(CamerasTest, AMovementEndsWithAStop) {
  Cameras cameras = this->cameras("echo '{}'");
  std::optional<sail::Result<Json>> answer;
  cameras.move(camera_, "rtsp://ann:secret@10.0.0.7/", {.word = "left", .ms = 100}, into(answer));
  std::optional<sail::Result<Json>> listed;
  cameras.presets(camera_, "rtsp://10.0.0.7/", into(listed));
  EXPECT_TRUE(ended(listed));
  ASSERT_TRUE(sail::run_until(loop_, [&] { return jobs().size() == 3; }));
  EXPECT_EQ(jobs()[0]["move"], "left");
  EXPECT_EQ(jobs()[0]["camera"]["moving"], "http://10.0.0.7/p");
  EXPECT_EQ(jobs()[1]["do"], "presets");
  EXPECT_EQ(jobs()[2]["move"], "stop");
}

TEST_F(CamerasTest, ALaterMovementReplacesTheStop) {
  Cameras cameras = this->cameras("echo '{}'");
  std::optional<sail::Result<Json>> first;
  std::optional<sail::Result<Json>> second;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 100}, into(first));
  cameras.move(camera_, "rtsp://10.0.0.7/", {.preset = "door"}, into(second));
  EXPECT_TRUE(ended(second));
  std::optional<sail::Result<Json>> third;
  cameras.presets(camera_, "rtsp://10.0.0.7/", into(third));
  EXPECT_TRUE(ended(third));
  ASSERT_EQ(jobs().size(), 3U);
  EXPECT_EQ(jobs()[0]["move"], "left");
  EXPECT_EQ(jobs()[1]["preset"], "door");
  EXPECT_EQ(jobs()[2]["do"], "presets");
}

TEST_F(CamerasTest, AMovementThatFailsReplacesNoStop) {
  Cameras cameras = this->cameras(
      R"(case "$job" in *preset*) echo '{"error":{"code":1003,"message":"none"}}';; *) echo '{}'; esac)");
  std::optional<sail::Result<Json>> left;
  std::optional<sail::Result<Json>> door;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 100}, into(left));
  cameras.move(camera_, "rtsp://10.0.0.7/", {.preset = "door"}, into(door));
  EXPECT_EQ(ended(door).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(sail::run_until(loop_, [&] { return stops() == 1; }));
}

TEST_F(CamerasTest, AnUncertainMovementIsStoppedAtOnce) {
  Cameras cameras = this->cameras(
      R"(case "$job" in *left*) echo '{"error":{"code":1007,"message":"late"}}';; *) echo '{}'; esac)");
  std::optional<sail::Result<Json>> left;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left"}, into(left));
  EXPECT_EQ(ended(left).error().code, ErrorCode::kTimeout);
  EXPECT_TRUE(sail::run_until(loop_, [&] { return stops() == 1; }));
}

TEST_F(CamerasTest, AManagerThatEndsStopsMovingCameras) {
  Cameras cameras = this->cameras("echo '{}'");
  std::optional<sail::Result<Json>> left;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 10'000}, into(left));
  EXPECT_TRUE(ended(left));
  EXPECT_TRUE(cameras.any_moves());
  EXPECT_EQ(stops(), 0U);
  cameras.end();
  EXPECT_TRUE(sail::run_until(loop_, [&] { return !cameras.any_moves(); }));
  EXPECT_EQ(stops(), 1U);
  std::optional<sail::Result<Json>> listed;
  cameras.presets(camera_, "rtsp://10.0.0.7/", into(listed));
  EXPECT_EQ(ended(listed).error().code, ErrorCode::kUnavailable);
}

TEST_F(CamerasTest, AMovementThatBeginsAtTheEndIsStopped) {
  Cameras cameras = this->cameras("echo '{}'");
  std::optional<sail::Result<Json>> left;
  std::optional<sail::Result<Json>> right;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 10'000}, into(left));
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "right", .ms = 10'000}, into(right));
  cameras.end();
  EXPECT_EQ(ended(right).error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(ended(left));
  EXPECT_TRUE(sail::run_until(loop_, [&] { return !cameras.any_moves(); }));
  ASSERT_EQ(jobs().size(), 2U);
  EXPECT_EQ(jobs()[1]["move"], "stop");
}

TEST_F(CamerasTest, AStopThatFailsIsRepeated) {
  const std::string tried = folder_.file("tried");
  Cameras cameras =
      this->cameras("case \"$job\" in *stop*) if [ ! -e " + tried + " ]; then touch " + tried +
                    R"(; echo '{"error":{"code":1006,"message":"503"}}'; exit; fi; esac
echo '{}')");
  std::optional<sail::Result<Json>> left;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 100}, into(left));
  EXPECT_TRUE(ended(left));
  EXPECT_TRUE(sail::run_until(loop_, [&] { return stops() == 2; }));
}

TEST_F(CamerasTest, StopsDoNotWaitForOtherCameras) {
  Cameras cameras = this->cameras(R"(case "$job" in *look*) exec sleep 1000;; *) echo '{}'; esac)");
  std::optional<sail::Result<Json>> left;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "left", .ms = 100}, into(left));
  EXPECT_TRUE(ended(left));
  size_t refused = 0;
  for (size_t i = 0; i <= Cameras::kMostAtOnce + Cameras::kMostWaiting; ++i) {
    cameras.look("10.0.1." + std::to_string(i), [&](const sail::Result<Json>&) { ++refused; });
  }
  EXPECT_EQ(refused, 1U);
  ASSERT_TRUE(sail::run_until(loop_, [&] { return stops() == 1; }));
  std::optional<sail::Result<Json>> stop;
  cameras.move(camera_, "rtsp://10.0.0.7/", {.word = "stop"}, into(stop));
  EXPECT_TRUE(ended(stop));
}

TEST_F(CamerasTest, AStopDoesNotOvertakeMovements) {
  Cameras cameras = this->cameras("echo '{}'");
  std::optional<sail::Result<Json>> answer;
  for (const char* word : {"left", "right", "stop"}) {
    cameras.move(camera_, "rtsp://10.0.0.7/", {.word = word, .ms = kLongestCameraMoveMs},
                 into(answer));
  }
  ASSERT_TRUE(sail::run_until(loop_, [&] { return jobs().size() == 3; }));
  EXPECT_EQ(jobs()[1]["move"], "right");
  EXPECT_EQ(jobs()[2]["move"], "stop");
}

TEST_F(CamerasTest, TheQueueIsBounded) {
  Cameras cameras = this->cameras("echo '{}'");
  size_t answered = 0;
  size_t refused = 0;
  const size_t all = 1 + Cameras::kMostWaiting + 5;
  for (size_t i = 0; i < all; ++i) {
    cameras.look("10.0.0.7", [&](const sail::Result<Json>& answer) {
      answered += answer ? 1 : 0;
      refused += !answer && answer.error().code == ErrorCode::kLimit ? 1 : 0;
    });
  }
  EXPECT_EQ(refused, 5U);
  ASSERT_TRUE(sail::run_until(loop_, [&] { return answered + refused == all; }));
}

}  // namespace
}  // namespace manager
