// The journal's files: chain, rotation, retention, and what a kill in the middle leaves.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "manager/journal/journal_reader.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/base/private_file.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::Json;

class JournalTest : public testing::Test {
 protected:
  // Adds entries with these times, and waits for the disk after each.
  void add(int from, int to) {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    for (int i = from; i <= to; ++i) {
      writer.add({{"at", i},
                  {"who", i % 2 == 0 ? "ann" : "bob"},
                  {"verb", "move"},
                  {"params", {{"window", i}}}});
      writer.flush();
    }
  }
  JournalPage read(const JournalQuery& query = {}) { return reader_.read(query); }
  JournalCheck check(uint64_t before = 1000) { return check_journal(options_.folder, before); }
  std::filesystem::path newest() { return journal_files(options_.folder).back().path; }
  static std::string content(const std::filesystem::path& file) {
    return *sail::read_file(file, 1 << 20);
  }
  static void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::trunc) << text;
  }

  const sail::TempFolder folder_;
  JournalWriter::Options options_{.folder = std::filesystem::path(folder_.path()) / "journal"};
  JournalReader reader_{options_.folder};
};

TEST_F(JournalTest, ItGoesOnAfterARestartAndIsReadBackwardsInPages) {
  add(1, 3);
  add(4, 5);
  const JournalPage all = read();
  ASSERT_EQ(all.entries.size(), 5U);
  EXPECT_EQ(all.entries[0]["n"], 5);
  EXPECT_EQ(all.entries[4]["prev"], "");
  EXPECT_TRUE(all.broken.empty());
  EXPECT_EQ(all.next, 0U);
  const JournalPage two = read({.count = 2});
  EXPECT_EQ(two.next, 4U);
  const JournalPage rest = read({.before = two.next});
  EXPECT_EQ(rest.entries.size(), 3U);
  EXPECT_EQ(read({.since = 4}).entries.size(), 2U);
  EXPECT_EQ(read({.person = "bob"}).entries.size(), 3U);
  EXPECT_EQ(read({.window = 2}).entries.size(), 1U);
  EXPECT_EQ(read({.verb = "close"}).entries.size(), 0U);
}

TEST_F(JournalTest, ParametersAndAnswersNameWindows) {
  EXPECT_EQ(named_windows({{"window", 7}, {"other", 8}}), (std::vector<uint32_t>{7, 8}));
  EXPECT_EQ(named_windows(Json::parse(R"({"windows":[1,{"window":2}]})")),
            (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(named_windows(Json::parse(R"({"cells":[{"rect":[0,0,9,9],"window":3}]})")),
            std::vector<uint32_t>{3})
      << "what other windows do while a tour starts is not its doing";
}

TEST_F(JournalTest, AnEntryIsFoundByAnyOfManyChangedWindows) {
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    for (const int first : {100, 200}) {
      writer.add(std::to_string(first),
                 fmt::format(R"("changed":{{"windows":[{},{}]}},"params":{{}},"verb":"arrange")",
                             first, first + 12));
    }
  }
  const JournalPage page = read({.window = 112});
  ASSERT_EQ(page.entries.size(), 1U);
  EXPECT_EQ(page.entries[0]["at"], 100);
}

TEST_F(JournalTest, ChangedAndRemovedLinesAreNoticed) {
  add(1, 4);
  const std::string whole = content(newest());
  std::string changed = whole;
  changed[changed.find("bob")] = 'B';
  write(newest(), changed);
  EXPECT_EQ(read().broken, std::vector<uint64_t>{1});
  // Also where the page begins after it.
  EXPECT_EQ(read({.before = 2}).broken, std::vector<uint64_t>{1});
  const size_t second = whole.find('\n') + 1;
  write(newest(), whole.substr(0, second) + whole.substr(whole.find('\n', second) + 1));
  EXPECT_EQ(read().broken, std::vector<uint64_t>{1}) << "only the entry before a removed one";
  write(newest(), whole.substr(second));
  EXPECT_EQ(read().broken, std::vector<uint64_t>{2}) << "the first one is missing";
  write(newest(), whole);
  EXPECT_TRUE(read().broken.empty());
}

TEST_F(JournalTest, AQueryChecksOnlyWhatItReturnsAndACheckAll) {
  options_.file_bytes = 1000;
  add(1, 40);
  const std::vector<JournalFile> files = journal_files(options_.folder);
  ASSERT_GT(files.size(), 3U);
  EXPECT_EQ(check().checked, 40U);
  EXPECT_TRUE(check().broken.empty());
  const std::string whole = content(files[1].path);
  std::string changed = whole;
  changed.replace(changed.find("bob"), 3, "eve");
  write(files[1].path, changed);
  const uint64_t number = read({.person = "eve"}).entries[0]["n"];
  EXPECT_EQ(check().broken, std::vector<uint64_t>{number});
  EXPECT_EQ(read({.person = "eve"}).broken, std::vector<uint64_t>{number});
  EXPECT_TRUE(read({.person = "ann"}).broken.empty());
  EXPECT_TRUE(check(number).broken.empty()) << "only entries before";
  EXPECT_EQ(check(number + 1).broken, std::vector<uint64_t>{number});
  write(files[1].path, whole);
  // The last line of a file: its hash is in the next file.
  changed = whole;
  changed[changed.rfind("\"who\":\"") + 7] = 'x';
  write(files[1].path, changed);
  EXPECT_EQ(check().broken, std::vector<uint64_t>{files[2].first - 1});
  EXPECT_EQ(read().broken, std::vector<uint64_t>{files[2].first - 1});
  std::filesystem::remove(files[1].path);
  EXPECT_EQ(check().broken, std::vector<uint64_t>{files[1].first - 1});
}

TEST_F(JournalTest, EntriesWithParametersAsTextAreFoundByTheirWindows) {
  const Json many = {{"window", 7}, {"windows", {8, {{"window", 9}}, "x"}}, {"other", -1}};
  EXPECT_EQ(named_windows(many), (std::vector<uint32_t>{7, 8, 9}));
  EXPECT_TRUE(named_windows("text").empty());
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    writer.add({{"at", 1}, {"verb", "label"}, {"params", "{\"windo…"}, {"windows", {7, 8}}});
  }
  EXPECT_EQ(read({.window = 8}).entries.size(), 1U);
  EXPECT_TRUE(read({.window = 9}).entries.empty());
}

TEST_F(JournalTest, EntriesAreFoundByTheWindowsThatTheyChanged) {
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    writer.add("1", R"("changed":{"7":{"locked":[false,true]}},"params":{},"verb":"undo")");
    writer.add("2", R"("changed":[7],"params":{"window":8},"verb":"lock")");
  }
  ASSERT_EQ(read({.window = 7}).entries.size(), 1U);
  EXPECT_EQ(read({.window = 7}).entries[0]["verb"], "undo");
  EXPECT_EQ(read({.window = 8}).entries.size(), 1U);
  JournalTerms block;
  const std::string line = R"({"at":1,"n":1,"changed":{"7":{"volume":[1,0]}},"prev":""})";
  EXPECT_TRUE(WantedTerms("", "", 7).may_match(line, block));
  EXPECT_FALSE(WantedTerms("", "", 1).may_match(line, block)) << "values are not windows";
}

TEST_F(JournalTest, FieldsOfParametersAreNotThoseOfTheEntry) {
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    const std::string params = R"("params":{"n":77,"prev":"0","at":1},"verb":"play")";
    for (int i = 0; i < 3; ++i) writer.add("5.250", params);
  }
  EXPECT_TRUE(check().broken.empty());
  const JournalPage page = read({.since = 5});
  ASSERT_EQ(page.entries.size(), 3U);
  EXPECT_TRUE(page.broken.empty());
  EXPECT_EQ(page.entries[0]["n"], 3);
  EXPECT_EQ(page.entries[0]["at"], 5.25);
  EXPECT_EQ(page.entries[0]["params"]["n"], 77);
}

TEST_F(JournalTest, ACheckMissesEntriesThatAreRemovedAtTheEnd) {
  JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
  const auto write_entry = [&writer] {
    writer.add({{"at", 1}, {"verb", "move"}});
    writer.flush();
  };
  for (int i = 0; i < 3; ++i) write_entry();
  const JournalEnd end = writer.end();
  const auto broken = [&] { return check_journal(options_.folder, 1000, end).broken; };
  EXPECT_TRUE(broken().empty());
  const std::string whole = content(newest());
  write(newest(), whole.substr(0, whole.rfind('\n', whole.size() - 2) + 1));
  EXPECT_EQ(broken(), std::vector<uint64_t>{2});
  write(newest(), whole);
  write_entry();
  EXPECT_TRUE(broken().empty()) << "later entries are not checked";
  std::filesystem::remove(newest());
  EXPECT_EQ(broken(), std::vector<uint64_t>{3});
}

TEST_F(JournalTest, LongFilesAreSearchedInBlocks) {
  constexpr int kCount = 3000;  // about half a MiB
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    for (int i = 1; i <= kCount; ++i) {
      writer.add({{"at", i},
                  {"who", "ann"},
                  {"verb", i % 500 == 0 ? "lock" : "move"},
                  {"params", {{"window", i}}}});
    }
  }
  ASSERT_GT(std::filesystem::file_size(newest()), 400'000U);
  const auto numbers = [this](const JournalQuery& query) {
    std::vector<int> found;
    for (const Json& entry : read(query).entries) found.push_back(entry["n"]);
    return found;
  };
  EXPECT_EQ(numbers({.verb = "lock"}), (std::vector{3000, 2500, 2000, 1500, 1000, 500}));
  EXPECT_EQ(numbers({.verb = "lock", .before = 2000}), (std::vector{1500, 1000, 500}));
  EXPECT_EQ(numbers({.since = 1000, .verb = "lock", .before = 2000}), (std::vector{1500, 1000}));
  EXPECT_EQ(numbers({.verb = "lock", .count = 2}), (std::vector{3000, 2500}));
  EXPECT_EQ(read({.verb = "lock", .count = 2}).next, 2500U);
  EXPECT_EQ(numbers({.person = "ann", .verb = "lock", .window = 1500}), std::vector{1500});
  EXPECT_EQ(numbers({.before = 1235, .count = 2}), (std::vector{1234, 1233}));
  EXPECT_EQ(read({.count = kCount}).entries.size(), size_t{kCount});
  EXPECT_TRUE(read({.count = kCount}).broken.empty());
}

TEST_F(JournalTest, LaterQueriesReadOnlyBlocksThatMayHaveEntries) {
  constexpr int kCount = 3000;
  options_.file_bytes = 130'000;
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    for (int i = 1; i <= kCount; ++i) {
      const bool rare = i % 500 == 250;
      Json entry = {{"at", i},
                    {"who", rare ? "\"eve\" \\" : "ann"},
                    {"verb", rare ? "place" : "move"},
                    {"params", {{"window", i % 5 + 1}, {"x", i}}}};
      if (rare) entry["key"] = "night";
      if (rare) entry["params"] = {{"windows", {{{"window", 70 + i / 500}, {"x", 1}}, 80}}};
      if (i == 1750) entry["params"] = "{\"windows\":[{…";
      if (i == 1750) entry["windows"] = {90, 91};
      writer.add(std::move(entry));
      if (i % 100 == 0) writer.flush();  // files are not larger than wanted
    }
  }
  ASSERT_GT(journal_files(options_.folder).size(), 3U);
  size_t whole = 0;
  for (const JournalFile& file : journal_files(options_.folder)) {
    whole += std::filesystem::file_size(file.path);
  }
  // Files that have just changed are read again.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  size_t last_bytes = whole;
  while (last_bytes * 2 > whole && std::chrono::steady_clock::now() < deadline) {
    last_bytes = read({.verb = "none"}).read_bytes;
  }
  ASSERT_LE(last_bytes * 2, whole) << "only the newest file is read as a whole";
  for (const JournalQuery& query : {JournalQuery{.verb = "place"},
                                    {.verb = "place", .count = 2},
                                    {.verb = "place", .before = 1250},
                                    {.since = 1500, .verb = "place"},
                                    {.person = "\"eve\" \\"},
                                    {.person = "night"},
                                    {.person = "night", .verb = "move"},
                                    {.person = "nobody"},
                                    {.window = 72},
                                    {.window = 80},
                                    {.window = 91},
                                    {.window = 9},
                                    {.window = 3, .count = 300},
                                    {.window = 80, .before = 1751, .count = 1},
                                    {.count = 500}}) {
    const JournalPage page = read(query);
    const JournalPage fresh = JournalReader(options_.folder).read(query);
    EXPECT_EQ(page.entries, fresh.entries) << query.person << query.verb << query.window;
    EXPECT_EQ(page.next, fresh.next);
    EXPECT_TRUE(page.broken.empty());
    EXPECT_LE(page.read_bytes, fresh.read_bytes);
  }
  EXPECT_EQ(read({.verb = "place"}).entries.size(), 6U);
  EXPECT_EQ(read({.window = 91}).entries.size(), 1U);
  // Changed and removed files are noticed.
  const std::vector<JournalFile> files = journal_files(options_.folder);
  std::string changed = content(files[1].path);
  changed.replace(changed.find("move"), 4, "hide");
  write(files[1].path, changed);
  ASSERT_EQ(read({.verb = "hide"}).entries.size(), 1U);
  EXPECT_EQ(read({.verb = "hide"}).broken.size(), 1U);
  std::filesystem::remove(files[1].path);
  EXPECT_TRUE(read({.verb = "hide"}).entries.empty());
}

TEST(WantedTerms, FindEverythingThatAnEntryNames) {
  std::mt19937 chance(1);
  const auto any = [&chance](auto... choices) {
    const std::array<Json, sizeof...(choices)> list{Json(choices)...};
    return list[chance() % list.size()];
  };
  for (int i = 0; i < 5000; ++i) {
    Json params = Json::object();
    const Json number = chance() % 200;
    const Json nested = {{"prev", "x"}, {"window", number}, {"who", "\"window\":3"}, {"a", {1, 2}}};
    for (const char* name : {"window", "other", "windows", "prev", "who"}) {
      params[name] = any("te\\xt\"", -3, 1.5, nullptr, number, Json::array({nested, 17, "18"}),
                         Json::array({4, {{"windows", {5, 6}}}, 7}), nested);
    }
    const std::string who = any("ann", "\"eve\\", "\u00fc\n").get<std::string>();
    const Json entry = {{"at", 1},      {"key", "night"}, {"n", i},     {"params", params},
                        {"prev", "0a"}, {"verb", "move"}, {"who", who}, {"windows", {901}}};
    const std::string line = entry.dump();
    JournalTerms block;
    for (const uint32_t window : named_windows(params)) {
      if (window == 0) continue;
      EXPECT_TRUE(WantedTerms("", "", window).may_match(line, block)) << line;
    }
    for (const std::string& person : {who, std::string("night")}) {
      const WantedTerms wanted(person, "move", 901);
      EXPECT_TRUE(wanted.may_match(line, block)) << line;
      EXPECT_TRUE(wanted.may_be_in(block));
    }
    EXPECT_FALSE(WantedTerms("bob", "move", 0).may_match(line, block)) << line;
  }
}

TEST(WantedTerms, LinesThatAreNotEntriesMayMatch) {
  for (const char* line : {"", "[]", "\xff", "{\"at\":1,\"who\":\"ann", "\"\\\"", "{\"n\":1}"}) {
    JournalTerms block;
    EXPECT_TRUE(WantedTerms("bob", "", 0).may_match(line, block)) << line;
    EXPECT_TRUE(WantedTerms("eve", "", 9).may_be_in(block)) << "of other queries, too";
  }
}

TEST_F(JournalTest, AFlushWritesWhatWasAdded) {
  JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
  writer.flush();  // nothing to write
  for (int i = 1; i <= 50; ++i) {
    writer.add({{"at", i}, {"verb", "move"}, {"params", Json::object()}});
    if (i % 10 != 0) continue;
    writer.flush();
    EXPECT_EQ(read().entries.front()["n"], i);
  }
}

TEST_F(JournalTest, ACutOffLineIsRemoved) {
  add(1, 2);
  const std::string whole = content(newest());
  write(newest(), whole + R"({"at":3,"n":3,"pr)");
  add(3, 3);
  EXPECT_TRUE(content(newest()).starts_with(whole));
  const JournalPage all = read();
  EXPECT_EQ(all.entries.size(), 3U);
  EXPECT_TRUE(all.broken.empty());
  write(newest(), "{");  // the first line of a file
  add(1, 1);
  EXPECT_EQ(read().entries.size(), 1U);
}

TEST_F(JournalTest, FilesAreLimitedAndTheOldestAreRemoved) {
  options_.file_bytes = 1000;
  options_.keep_bytes = 3000;
  add(1, 100);
  const std::vector<JournalFile> files = journal_files(options_.folder);
  uint64_t bytes = 0;
  for (const JournalFile& file : files) {
    EXPECT_LE(std::filesystem::file_size(file.path), 1000U);
    bytes += std::filesystem::file_size(file.path);
  }
  EXPECT_LE(bytes, 4000U);
  EXPECT_GT(files.size(), 2U);
  const JournalPage kept = read();
  const uint64_t oldest = files.front().first;
  EXPECT_GT(oldest, 1U);
  EXPECT_EQ(kept.entries.front()["n"], 100);
  EXPECT_EQ(kept.entries.back()["n"], oldest);
  EXPECT_EQ(check().checked, 101 - oldest);
  EXPECT_TRUE(kept.broken.empty() && check().broken.empty()) << "the chain holds across files";
  // The oldest files go by age, too.
  options_.keep_bytes = 1 << 20;
  std::filesystem::last_write_time(
      files.front().path,
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 400));
  add(101, 110);
  EXPECT_FALSE(std::filesystem::exists(files.front().path));
}

TEST_F(JournalTest, ParametersMayHaveTheNamesOfFields) {
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    for (int i = 1; i <= 3; ++i) {
      writer.add({{"at", i},
                  {"who", "\"ann\" \u00fc\n"},
                  {"verb", "move"},
                  {"params", {{"n", 7}, {"prev", "x"}, {"verb", "close"}, {"window", i}}}});
    }
  }
  EXPECT_TRUE(read().broken.empty());
  EXPECT_EQ(read({.person = "\"ann\" \u00fc\n"}).entries.size(), 3U);
  EXPECT_EQ(read({.verb = "close"}).entries.size(), 0U);
  EXPECT_EQ(read({.window = 3}).entries.size(), 1U);
}

TEST_F(JournalTest, GarbageIsReportedAndReadOn) {
  add(1, 2);
  write(newest(), content(newest()) + "\xff\n[]\n\n");
  const JournalPage page = read();
  EXPECT_EQ(page.entries.size(), 2U);
  EXPECT_EQ(page.broken.size(), 3U);
  EXPECT_EQ(check_journal(options_.folder, 1000, {.next = 3}).broken, std::vector<uint64_t>{3});
}

TEST_F(JournalTest, ALineThatIsBeingWrittenIsNotReported) {
  add(1, 2);
  write(newest(), content(newest()) + "{\"at\":1,\"n\":3");
  EXPECT_TRUE(check_journal(options_.folder, 1000, {.next = 3}).broken.empty());
}

TEST_F(JournalTest, ADiskThatFailsIsToldAndItsEntriesAreNotMissed) {
  options_.file_bytes = 1;  // each entry needs a new file
  const std::string away = options_.folder.string() + ".away";
  {
    JournalWriter writer(options_, sail::Log("test", sail::LogLevel::kOff));
    writer.add({{"at", 1}, {"verb", "move"}});
    writer.flush();
    EXPECT_EQ(writer.trouble(), "");
    std::filesystem::rename(options_.folder, away);
    writer.add({{"at", 2}, {"verb", "move"}});
    writer.flush();
    EXPECT_NE(writer.trouble(), "");
    EXPECT_TRUE(check_journal(away, 1000, writer.end()).broken.empty());
    std::filesystem::rename(away, options_.folder);
  }
  EXPECT_EQ(read().entries.size(), 2U) << "the entries are written as soon as the disk works";
}

}  // namespace
}  // namespace manager
