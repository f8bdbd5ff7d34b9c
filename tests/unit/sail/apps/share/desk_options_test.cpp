#include <gtest/gtest.h>

#include <vector>

#include "sail/apps/desktop/share_options.h"
#include "sail/apps/show/still_show.h"
#include "sail/apps/web/web_page.h"

namespace sail {
namespace {

template <typename Parse>
auto parse(Parse parse_options, std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return parse_options(static_cast<int>(words.size()), words.data());
}

TEST(ShareOptions, AreRead) {
  const auto parsed = parse(parse_share_options,
                            {"--display", ":3", "--region", "1,2,30x40", "--no-cursor", "--fps",
                             "60", "--transport", "udp", "--place", "5,6", "--control"});
  const auto* options = std::get_if<ShareOptions>(&parsed);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->display, ":3");
  EXPECT_EQ(options->region, (Rect{1, 2, 30, 40}));
  EXPECT_FALSE(options->cursor);
  EXPECT_TRUE(options->control);
  EXPECT_EQ(options->fps, 60);
  EXPECT_EQ(options->transport.transport, Transport::kUdp);
  EXPECT_EQ(options->place, (Rect{5, 6, 0, 0}));
  EXPECT_FALSE(options->choose);
  const auto again = parse(parse_share_options, {"--choose"});
  ASSERT_NE(std::get_if<ShareOptions>(&again), nullptr);
  EXPECT_TRUE(std::get<ShareOptions>(again).choose);
}

TEST(ShowOptions, AreRead) {
  const auto parsed = parse(parse_show_options, {"--loop", "--every", "2.5", "--page", "3",
                                                 "--codec", "raw+lz4", "--", "-a.png", "b.pdf"});
  const auto* options = std::get_if<ShowOptions>(&parsed);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->files, (std::vector<std::string>{"-a.png", "b.pdf"}));
  EXPECT_EQ(options->page, 3);
  EXPECT_EQ(options->every_s, 2.5);
  EXPECT_TRUE(options->loop);
  EXPECT_EQ(options->codec, "raw+lz4");
}

TEST(WebOptions, AreRead) {
  const auto parsed =
      parse(parse_web_options, {"vitrail.example/a", "--size", "1920x1080", "--scale", "1.5",
                                "--memory", "4096", "--no-sandbox", "--place", "5,6"});
  const auto* options = std::get_if<WebOptions>(&parsed);
  ASSERT_NE(options, nullptr);
  EXPECT_EQ(options->address, "https://vitrail.example/a");
  EXPECT_EQ(options->window.screen, (Size{1920, 1080}));
  EXPECT_TRUE(options->window.control);
  EXPECT_EQ(options->browser.scale, 1.5);
  EXPECT_EQ(options->browser.memory_mb, 4096);
  EXPECT_FALSE(options->browser.sandbox);
  EXPECT_FALSE(options->local);
  const auto local = parse(parse_web_options, {"file:///tmp/a.html", "--local"});
  ASSERT_NE(std::get_if<WebOptions>(&local), nullptr);
  EXPECT_EQ(std::get<WebOptions>(local).address, "file:///tmp/a.html");
}

TEST(WebOptions, APageIsToldAsLongAsItsAddressIsEnoughToHaveItAgain) {
  const auto reported = [](std::initializer_list<const char*> words) {
    const auto parsed = parse(parse_web_options, words);
    return std::get<WebOptions>(parsed).window.content.media;
  };
  const std::vector<std::string> nothing;
  EXPECT_EQ(reported({"vitrail.example/a"}),
            std::vector<std::string>{"web:https://vitrail.example/a"});
  EXPECT_EQ(reported({"https://ann:secret@vitrail.example/"}), nothing);
  EXPECT_EQ(reported({"vitrail.example", "--local"}), nothing);
  EXPECT_EQ(reported({"vitrail.example", "--no-sandbox"}), nothing);
}

TEST(DeskOptions, MistakesAreAnsweredWithASentence) {
  const auto answer = [](const auto& parsed) {
    const auto* found = std::get_if<CommandLineAnswer>(&parsed);
    return found != nullptr ? *found : CommandLineAnswer{-1, ""};
  };
  const std::vector<std::vector<const char*>> wrong{
      {"--region", "1,2"},    {"--region", "1,2,3x4", "--window", "a"},
      {"--codec", "dxt5"},    {"--codec", "mpeg"},
      {"--fps", "0"},         {"--place", "here"},
      {"--transport", "bus"}, {"--mtu", "5"},
      {"--choose", "--run"}};
  for (const auto& words : wrong) {
    const CommandLineAnswer said = answer(parse(parse_share_options, words));
    EXPECT_EQ(said.exit_code, 2) << words[0];
    EXPECT_FALSE(said.text.empty()) << words[0];
  }
  EXPECT_EQ(answer(parse(parse_show_options, {})).exit_code, 2) << "nothing to show";
  EXPECT_EQ(answer(parse(parse_web_options, {})).exit_code, 2) << "nothing to show";
  const CommandLineAnswer file = answer(parse(parse_web_options, {"file:///etc/passwd"}));
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_NE(file.text.find("--local"), std::string::npos) << file.text;
  EXPECT_EQ(answer(parse(parse_show_options, {"--help"})).exit_code, 0);
}

}  // namespace
}  // namespace sail
