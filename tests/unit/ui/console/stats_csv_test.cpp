#include "ui/console/stats_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/support/temp_folder.h"
#include "tests/unit/ui/console/stats_answer.h"

namespace ui {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr int64_t kNow = 1'700'000'000'042;

// Maps column names to cells; for rows without quoted cells.
std::map<std::string, std::string> named(const std::string& row) {
  std::istringstream names(csv_heading());
  std::istringstream cells(row);
  std::map<std::string, std::string> result;
  std::string cell;
  for (std::string name; std::getline(names, name, ',');) {
    EXPECT_TRUE(std::getline(cells, cell, ',')) << name;
    result[name] = cell;
  }
  EXPECT_FALSE(std::getline(cells, cell, ',')) << "more cells than names: " << cell;
  return result;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(StatsCsv, HasARowForEachStreamAndReceiver) {
  sail::Json answer = stats_answer();
  answer["windows"][0]["title"] = "Film";
  const auto rows = csv_rows(answer, kNow);
  ASSERT_EQ(rows.size(), 4u);
  auto udp = named(rows[1]);
  EXPECT_EQ(udp["unix_time_s"], "1700000000.042");
  EXPECT_EQ(udp["window"], "1");
  EXPECT_EQ(udp["title"], "Film");
  EXPECT_EQ(udp["receiver"], "right");
  EXPECT_EQ(udp["transport"], "udp");
  EXPECT_EQ(udp["frame_delay_ms"], "80.0");
  EXPECT_EQ(udp["frames_skipped"], "31");
  EXPECT_EQ(udp["fps_wanted"], "60.0");
  EXPECT_EQ(udp["fps_shown"], "29.5");
  EXPECT_EQ(udp["dropped_lost"], "4");
  EXPECT_EQ(udp["link_mbit_per_s"], "250.25");
  EXPECT_EQ(udp["link_limit_mbit_per_s"], "400.0");
  EXPECT_EQ(udp["link_delay_ms"], "10.25");
  EXPECT_EQ(udp["link_bytes_parity"], "120000");
  EXPECT_EQ(udp["link_packets_lost"], "50");
  EXPECT_EQ(udp["link_mended_fec"], "31");
  EXPECT_EQ(udp["link_mended_retransmit"], "16");
  EXPECT_EQ(udp["link_frames_lost"], "3");
  EXPECT_EQ(udp["link_bursts_1"], "20");
  EXPECT_EQ(udp["link_bursts_5_8"], "1");

  auto tcp = named(rows[2]);
  EXPECT_EQ(tcp["transport"], "tcp");
  EXPECT_EQ(tcp["link_busy_pct"], "12.5");
  EXPECT_EQ(tcp["link_packets_retransmitted"], "9");
  EXPECT_EQ(tcp["link_packets_lost"], "");
  auto silent = named(rows[3]);
  EXPECT_EQ(silent["title"], "New");
  EXPECT_EQ(silent["receiver"], "");
  EXPECT_EQ(silent["fps_shown"], "");
}

TEST(StatsCsv, QuotesWhatWouldSplitARow) {
  EXPECT_THAT(csv_rows(stats_answer(), kNow)[0],
              StartsWith("1700000000.042,1,\"Film, \"\"uncut\"\"\",left,udp,"));
}

// Anybody may choose a title, and spreadsheets run formulas.
TEST(StatsCsv, NoTextIsAFormula) {
  for (const char* title : {"=HYPERLINK(A1)", "+1", "-1", "@SUM(A1)", "\t=1"}) {
    EXPECT_EQ(csv_cell(title), "'" + std::string(title));
  }
  EXPECT_EQ(csv_cell("=a,b"), "\"'=a,b\"");
  EXPECT_EQ(csv_cell("1-1=0"), "1-1=0");
  EXPECT_EQ(csv_cell(""), "");
}

TEST(StatsCsv, AppendsBelowOneHeading) {
  const sail::TempFolder folder;
  const std::string path = folder.file("figures.csv");
  for (int i = 0; i < 2; ++i) {
    auto csv = StatsCsv::open(path, csv_heading());
    ASSERT_TRUE(csv) << csv.error().message;
    ASSERT_TRUE(csv->add(csv_rows(stats_answer(), kNow)));
    EXPECT_EQ(lines_of(path).size(), 5u + 4u * static_cast<size_t>(i)) << "written at once";
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0] + "\n", csv_heading());
  EXPECT_THAT(lines[5], StartsWith("1700000000.042,1,"));
}

TEST(StatsCsv, ARowCutOffSpoilsNoOther) {
  const sail::TempFolder folder;
  folder.write("figures.csv", csv_heading() + "1700000000.000,1,Fi");
  auto csv = StatsCsv::open(folder.file("figures.csv"), csv_heading());
  ASSERT_TRUE(csv);
  ASSERT_TRUE(csv->add(csv_rows(stats_answer(), kNow)));
  const auto lines = lines_of(folder.file("figures.csv"));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[1], "1700000000.000,1,Fi");
  EXPECT_THAT(lines[2], StartsWith("1700000000.042,1,"));
}

TEST(StatsCsv, OtherFilesAreLeftAlone) {
  const sail::TempFolder folder;
  folder.write("letter.txt", "Dear Sir or Madam,\n");
  const auto other = StatsCsv::open(folder.file("letter.txt"), csv_heading());
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("has other columns"));
  EXPECT_EQ(lines_of(folder.file("letter.txt")).size(), 1u);
  const auto nowhere = StatsCsv::open(folder.file("no/such/folder.csv"), csv_heading());
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, HasSubstr("no/such/folder.csv"));
}

TEST(StatsCsv, HasARowForEachClock) {
  EXPECT_EQ(clock_csv_heading(),
            "unix_time_s,peer,name,role,source,synchronised,offset_us,drift_ppm,error_us,"
            "round_trip_us,age_s\n");
  const auto rows = clock_csv_rows(clocks_answer(), kNow);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], "1700000000.042,5,left,receiver,manager,1,-1234567.5,12.25,130.5,201.5,0.5\n");
  EXPECT_EQ(rows[1], "1700000000.042,6,bplay,application,system,0,1.5,0.0,16000000.0,99.0,0.25\n");
}

}  // namespace
}  // namespace ui
