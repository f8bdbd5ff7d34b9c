// Players whose connection is lost.
#include "manager/programs/players.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::kSecondNs;

TEST(Players, AnswerNoLongerOnlyUntilTheyReconnect) {
  const sail::TempFolder folder;
  const std::string program = folder.write("player", "#!/bin/sh\nexec sleep 60\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const std::string film = "server://127.0.0.1:9/film";
  sail::Loop loop;
  ChildPrograms children(loop);
  NodeLogs logs(loop, "");
  Players::Options options;
  options.starter.programs = {{kBplay, program}};
  options.check_rights = [](const PlayRequest&, const Players::Options::Checked& done) {
    done({});
  };
  options.report_after_ms = 60'000;
  Players players(loop, children, logs, std::move(options));
  PlayRequest request;
  request.media = {film};
  uint32_t window = 0;
  players.play(request, std::nullopt, [&](const auto& opened) { window = opened.value_or(0); });
  sail::Content content;
  content.media = {film};
  const std::string name = players.player_for("", content);
  ASSERT_TRUE(players.started(name));
  players.window_opened(name, 1);
  EXPECT_EQ(window, 1U);
  players.cut_off(name, kSecondNs);
  EXPECT_TRUE(players.hanging(2 * kSecondNs).empty());
  EXPECT_THAT(players.hanging(9 * kSecondNs), testing::ElementsAre(testing::HasSubstr("film")));
  players.window_opened(name, 1);
  EXPECT_TRUE(players.hanging(9 * kSecondNs).empty());
}

}  // namespace
}  // namespace manager
