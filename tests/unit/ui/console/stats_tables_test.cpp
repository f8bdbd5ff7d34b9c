#include "ui/console/stats_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "tests/unit/ui/console/stats_answer.h"

namespace ui {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Cells of the row with these first two cells, in the table under this heading.
std::vector<std::string> row(const std::string& text, const std::string& heading,
                             const std::string& window, const std::string& receiver) {
  std::istringstream lines(text.substr(std::min(text.find(heading), text.size())));
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    std::istringstream cells(line);
    std::vector<std::string> words;
    for (std::string word; cells >> word;) words.push_back(word);
    if (words.size() > 1 && words[0] == window && words[1] == receiver) return words;
  }
  return {};
}

TEST(StatsTables, StreamsTellHowTheyTravel) {
  const std::string text = stats_text(stats_answer());
  EXPECT_THAT(row(text, "WINDOW  VIA", "1", "udp"),
              ElementsAre("1", "udp", "bad", "29.5", "60.0", "0.0", "293", "31", "7", "80.0", "0.0",
                          "0.0", "0.0", "0.0", "Film,", "\"uncut\""));
  EXPECT_THAT(row(text, "WINDOW  VIA", "2", "tcp"), Contains("well"));
  EXPECT_THAT(
      row(text, "WINDOW  VIA", "3", "tcp"),
      ElementsAre("3", "tcp", "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", "–", "New"));
}

TEST(StatsTables, AStreamThatIsNotWellSaysWhy) {
  const std::string text = stats_text(stats_answer());
  EXPECT_THAT(text, HasSubstr("\nwindow 1 “Film, \"uncut\"”: encoding takes 160 ms a frame\n"));
  EXPECT_THAT(text, Not(HasSubstr("window 2")));
}

TEST(WhyTexts, AllProblemsOfTheWallAreToldOrThatThereAreNone) {
  EXPECT_EQ(
      health_text(
          {{"state", "well"}, {"sentence", "all is well"}, {"problems", sail::Json::array()}}),
      "all is well");
  EXPECT_EQ(health_text({{"sentence", "a (and 1 more)"},
                         {"problems", {{{"sentence", "a"}}, {{"sentence", "b"}}}}}),
            "a\nb");
  EXPECT_EQ(health_text(17), "");
}

TEST(StatsTables, DropsTellTheirCause) {
  const std::string text = stats_text(stats_answer());
  EXPECT_THAT(row(text, "WINDOW  DROPPED", "1", "2"),
              ElementsAre("1", "2", "4", "0", "1", "0", "0", "–"));
  sail::Json answer = stats_answer();
  answer["windows"][0]["stats"]["frames_dropped"] = 0;
  EXPECT_THAT(stats_text(answer), Not(HasSubstr("SUPERSEDED")));
}

TEST(StatsTables, LoudWindowsTellHowLoud) {
  EXPECT_THAT(stats_text(stats_answer()), Not(HasSubstr("SOUND")));
  sail::Json answer = stats_answer();
  answer["windows"][1]["level"] = {{"peak", 0.5}, {"rms", 0.1}};
  const std::string text = stats_text(answer);
  EXPECT_THAT(row(text, "WINDOW  SOUND", "2", "-6"), Contains("-20"));
  EXPECT_THAT(row(text, "WINDOW  SOUND", "1", "–"), testing::IsEmpty())
      << "silent, or not measured";
}

TEST(StatsTables, LinksTellTheirRates) {
  const std::string text = stats_text(stats_answer());
  EXPECT_THAT(row(text, "WINDOW  RECEIVER  VIA", "1", "right"),
              ElementsAre("1", "right", "udp", "250.2", "400.0", "0.0", "20.50", "10.25", "1.50",
                          "0.75", "4.5", "17", "0"));
  EXPECT_THAT(
      row(text, "WINDOW  RECEIVER  VIA", "2", "left"),
      ElementsAre("2", "left", "tcp", "8.5", "–", "12.5", "0.25", "–", "–", "–", "–", "9", "0"));
}

TEST(StatsTables, ALinkThatUsesTcpInsteadOfUdpSaysSo) {
  sail::Json answer = stats_answer();
  answer["windows"][1]["stats"]["links"][0]["instead_of"] = "udp";
  EXPECT_THAT(stats_text(answer), HasSubstr("tcp (no udp)"));
  EXPECT_THAT(stats_text(stats_answer()), Not(HasSubstr("(no udp)")));
}

TEST(StatsTables, ALinkInAMulticastGroupSaysSo) {
  sail::Json answer = stats_answer();
  answer["windows"][0]["stats"]["links"][0]["multicast"] = true;
  EXPECT_THAT(stats_text(answer), HasSubstr("udp (multicast)"));
}

TEST(StatsTables, PacketsTellWhatWasLostAndMended) {
  const std::string text = stats_text(stats_answer());
  EXPECT_THAT(
      row(text, "WINDOW  RECEIVER  PACKETS", "1", "left"),
      ElementsAre("1", "left", "2000", "50", "2.500", "31", "16", "2", "6", "4", "3", "▂▁·▁····"));
  EXPECT_TRUE(row(text, "WINDOW  RECEIVER  PACKETS", "2", "left").empty()) << "TCP counts none";
}

TEST(StatsTables, AreFitForAnyAnswer) {
  EXPECT_THAT(stats_text(sail::Json::object()), Not(HasSubstr("BURSTS")));
  sail::Json answer = stats_answer();
  answer["windows"][0]["stats"]["links"] = 17;
  answer["windows"][1]["stats"]["links"][0] = "left";
  EXPECT_THAT(stats_text(answer), HasSubstr("Film"));
}

TEST(Bars, GrowWithTheLogarithm) {
  EXPECT_EQ(bars({0, 1, 9, 10, 99, 100, 1000, 12345}), "·▁▁▂▂▃▄▅");
  EXPECT_EQ(bars({10'000'000, 4'000'000'000}), "██");
  EXPECT_EQ(bars(sail::Json::array()), "");
  EXPECT_EQ(bars({1, "many"}), "");
  EXPECT_EQ(bars(nullptr), "");
}

TEST(StatsTables, ClocksTellHowWellTheyKnowWallTime) {
  const std::string text = clocks_text(clocks_answer());
  EXPECT_THAT(text, testing::StartsWith("wall time: the manager's clock, ± 0.0 µs\n\nNAME "));
  EXPECT_THAT(
      row(text, "NAME", "left", "receiver"),
      ElementsAre("left", "receiver", "manager", "130.5", "-1234.568", "+12.25", "201.5", "0.5"));
  EXPECT_THAT(text, HasSubstr("system, not synchronised"));
  EXPECT_THAT(clocks_text({{"source", "system"}, {"synchronised", false}}),
              HasSubstr(", not synchronised, ±"));
  EXPECT_THAT(clocks_text(17), HasSubstr("NAME"));
}

TEST(StatsTables, ProcessesTellTheirMemory) {
  const std::string text = memory_text(
      {{"processes",
        {{{"role", "manager"}, {"name", "manager"}, {"pid", 5}, {"resident", 2'500'000}},
         {{"process", 3},
          {"role", "receiver"},
          {"name", "left"},
          {"pid", 6},
          {"resident", 30'000'000},
          {"fair", 20'000'000},
          {"huge", 8'400'000},
          {"allocated", 7'000'000},
          {"kept", 60'000},
          {"reserved", 50'000'000},
          {"limit", 1'000'000'000}}}}});
  EXPECT_THAT(row(text, "ROLE", "manager", "manager"),
              ElementsAre("manager", "manager", "5", "2.5", "–", "–", "–", "–", "–", "–"));
  EXPECT_THAT(
      row(text, "ROLE", "receiver", "left"),
      ElementsAre("receiver", "left", "6", "30.0", "20.0", "8.4", "7.0", "0.1", "50.0", "1000.0"));
}

TEST(StatsTables, DisplaysTellTheirRefreshAndHowFarItIsFromTheFirst) {
  sail::Json answer = clocks_answer();
  EXPECT_THAT(clocks_text(answer), Not(HasSubstr("PHASE")));
  const auto display = [](const char* tile, const char* source, double hz) {
    return sail::Json{{"receiver", "left"}, {"tile", tile}, {"source", source}, {"hz", hz}};
  };
  answer["displays"] = {display("a", "measured", 59.94005994), display("b", "mode", 60)};
  answer["displays"][0]["phase_us"] = -1250.5;
  const std::string text = clocks_text(answer);
  EXPECT_THAT(row(text, "RECEIVER", "left", "a"),
              ElementsAre("left", "a", "59.940", "measured", "-1.250"));
  EXPECT_THAT(row(text, "RECEIVER", "left", "b"), ElementsAre("left", "b", "60.000", "mode", "–"));
}

}  // namespace
}  // namespace ui
