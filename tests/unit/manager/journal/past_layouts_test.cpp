// The wall as it was at an earlier time: what is kept, and what damaged files cost.
#include "manager/journal/past_layouts.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

Json placed_window(int number, int x) {
  return {{"window", number}, {"title", "film"}, {"rect", {x, 0, 10, 10}}};
}
// A line with all windows, or only with those that changed.
Json whole_line(int at, const std::vector<Json>& windows, const std::vector<int>& order) {
  return {{"at", at}, {"size", {100, 50}}, {"windows", windows}, {"order", order}};
}
Json changed_line(int at, const std::vector<Json>& windows) {
  return {{"at", at}, {"windows", windows}};
}

class PastLayoutsTest : public testing::Test {
 protected:
  // Each file begins with the line that has this number.
  void write(int number, const std::vector<std::string>& lines) {
    std::ofstream file(folder_.file(fmt::format("{:012}.jsonl", number)));
    for (const std::string& line : lines) file << line << '\n';
  }
  sail::Result<Json> at(double time) const { return layout_at(folder_.path(), time); }
  // The x of each window, bottom to top.
  std::vector<int> places(double time) const {
    const auto layout = at(time);
    EXPECT_TRUE(layout) << layout.error().message;
    std::vector<int> places;
    if (!layout) return places;
    for (const Json& one : (*layout)["windows"]) places.push_back(one["rect"][0].get<int>());
    return places;
  }
  using Places = std::vector<int>;

  const sail::TempFolder folder_;
};

TEST_F(PastLayoutsTest, ALayoutIsAllWindowsAndTheChangesSince) {
  Json closed = changed_line(40, {});
  closed["order"] = {2};
  write(1,
        {whole_line(10, {placed_window(1, 0), placed_window(2, 20)}, {1, 2}).dump(),
         changed_line(20, {placed_window(1, 5)}).dump(),
         Json({{"at", 30}, {"windows", Json::array()}, {"order", {2, 1}}}).dump(), closed.dump()});
  EXPECT_EQ(at(9).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(places(10), (Places{0, 20}));
  EXPECT_EQ(places(19.9), (Places{0, 20}));
  EXPECT_EQ(places(20), (Places{5, 20}));
  EXPECT_EQ(places(30), (Places{20, 5}));
  EXPECT_EQ(places(1e10), (Places{20}));
  EXPECT_EQ((*at(35))["at"], 30);
  EXPECT_EQ((*at(35))["size"], (Json{100, 50}));
}

TEST_F(PastLayoutsTest, TheLineWithAllWindowsMayBeInTheFileBefore) {
  write(1, {whole_line(10, {placed_window(1, 0)}, {1}).dump()});
  write(2, {changed_line(20, {placed_window(1, 5)}).dump(),
            whole_line(30, {placed_window(1, 7)}, {1}).dump()});
  write(4, {changed_line(40, {placed_window(1, 9)}).dump()});
  EXPECT_EQ(places(25), (Places{5}));
  EXPECT_EQ(places(30), (Places{7}));
  EXPECT_EQ(places(40), (Places{9}));
}

TEST_F(PastLayoutsTest, DamagedLinesAreToldUntilTheNextWholeOne) {
  write(1, {whole_line(10, {placed_window(1, 0)}, {1}).dump(), "{\"at\":15,",
            changed_line(20, {placed_window(1, 5)}).dump(),
            whole_line(30, {placed_window(1, 7)}, {1}).dump()});
  EXPECT_EQ(at(10).error().code, ErrorCode::kBadData) << "the damaged line may be of that time";
  EXPECT_EQ(at(20).error().code, ErrorCode::kBadData);
  EXPECT_EQ(places(30), (Places{7}));
  write(5, {"nonsense", changed_line(50, {placed_window(1, 9)}).dump()});
  EXPECT_EQ(at(50).error().code, ErrorCode::kBadData);
}

TEST_F(PastLayoutsTest, AFileThatCannotBeOpenedIsTold) {
  write(1, {whole_line(10, {placed_window(1, 0)}, {1}).dump()});
  std::filesystem::create_symlink("nowhere", folder_.file("000000000002.jsonl"));
  EXPECT_EQ(at(20).error().code, ErrorCode::kBadData) << "not the layout of the file before";
}

TEST_F(PastLayoutsTest, ADamagedFileHidesNothingOfTheFilesBefore) {
  write(1, {whole_line(10, {placed_window(1, 0)}, {1}).dump()});
  write(2, {whole_line(20, {placed_window(1, 5)}, {1}).dump()});
  write(3, {"nonsense"});
  write(4, {"nonsense"});
  write(5, {whole_line(50, {placed_window(1, 9)}, {1}).dump()});
  EXPECT_EQ(places(15), (Places{0}));
  EXPECT_EQ(at(25).error().code, ErrorCode::kBadData) << "the damaged files may be of that time";
  EXPECT_EQ(places(50), (Places{9}));
  EXPECT_EQ(at(5).error().code, ErrorCode::kNotFound);
}

TEST_F(PastLayoutsTest, LinesThatASlowDiskLostAreTold) {
  Json after = changed_line(20, {placed_window(1, 5)});
  after["lost"] = 3;
  write(1, {whole_line(10, {placed_window(1, 0)}, {1}).dump(), after.dump(),
            whole_line(30, {placed_window(1, 7)}, {1}).dump()});
  EXPECT_EQ(places(10), (Places{0}));
  EXPECT_EQ(at(20).error().code, ErrorCode::kBadData);
  EXPECT_EQ(places(30), (Places{7}));
}

TEST_F(PastLayoutsTest, AnyLineIsAnErrorOrALayout) {
  for (const char* line :
       {"", "[]", "7", "{}", R"({"at":"x","windows":7,"size":1})", R"({"at":1,"size":[1,1]})",
        R"({"at":1,"windows":[7],"size":[1,1],"order":[1]})",
        R"({"at":1,"windows":[{"window":-1}],"size":[1,1],"order":[1]})",
        R"({"at":1,"windows":{"a":{"window":1}},"size":0,"order":{"b":1}})",
        R"({"at":1e400,"windows":[],"size":[1,1],"order":["a",null,4294967296,-7]})"}) {
    write(1, {line});
    const auto layout = at(100);
    EXPECT_TRUE(layout || !layout.error().message.empty()) << line;
  }
}

}  // namespace
}  // namespace manager
