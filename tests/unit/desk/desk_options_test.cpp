#include <gtest/gtest.h>

#include <vector>

#include "sail/desk/share_options.h"
#include "sail/desk/show_options.h"

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

TEST(DeskOptions, MistakesAreAnsweredWithASentence) {
  const auto answer = [](const auto& parsed) {
    const auto* found = std::get_if<CommandLineAnswer>(&parsed);
    return found != nullptr ? *found : CommandLineAnswer{-1, ""};
  };
  const std::vector<std::vector<const char*>> wrong{
      {"--region", "1,2"},    {"--region", "1,2,3x4", "--window", "a"},
      {"--codec", "dxt5"},    {"--codec", "mpeg"},
      {"--fps", "0"},         {"--place", "here"},
      {"--transport", "bus"}, {"--mtu", "5"}};
  for (const auto& words : wrong) {
    const CommandLineAnswer said = answer(parse(parse_share_options, words));
    EXPECT_EQ(said.exit_code, 2) << words[0];
    EXPECT_FALSE(said.text.empty()) << words[0];
  }
  EXPECT_EQ(answer(parse(parse_show_options, {})).exit_code, 2) << "nothing to show";
  EXPECT_EQ(answer(parse(parse_show_options, {"--help"})).exit_code, 0);
}

}  // namespace
}  // namespace sail
