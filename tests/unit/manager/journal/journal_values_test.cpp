// The values before and after in the journal's entries, by the verbs of a client.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {
namespace {

using sail::Json;

class JournalValuesTest : public FakePlayersTest {
 protected:
  // Calls the verb, and returns what its entry says that it changed.
  Json changed_by(const std::string& verb, const Json& params) {
    console->expect(verb, params);
    return newest(verb);
  }
  Json newest(const std::string& verb) {
    const Json entries = console->expect("journal", {{"verb", verb}, {"count", 1}})["entries"];
    EXPECT_EQ(entries.size(), 1U) << verb;
    return entries.empty() ? Json() : entries[0].value("changed", Json());
  }
};

TEST_F(JournalValuesTest, TheyAreInTheEntriesOfVerbsThatChangeAWindow) {
  begin();
  const uint32_t film = play("a.mp4", {0, 0, 640, 360});
  const std::string number = std::to_string(film);
  const Json opened = newest("play")[number];
  EXPECT_EQ(opened["title"], Json::parse(R"([null,"a.mp4"])"));
  EXPECT_EQ(opened["rect"], Json::parse("[null,[0,0,640,360]]"));
  EXPECT_EQ(changed_by("move", {{"window", film}, {"x", 100}, {"y", 50}})[number],
            Json::parse(R"({"rect":[[0,0,640,360],[100,50,640,360]]})"));
  EXPECT_EQ(changed_by("lock", {{"window", film}})[number],
            Json::parse(R"({"locked":[false,true]})"));
  console->expect("lock", {{"window", film}, {"on", false}});
  EXPECT_EQ(changed_by("sound", {{"window", film}, {"volume", 0.25}})[number],
            Json::parse(R"({"volume":[1,0.25]})"));
  const Json next = console->expect("replace", {{"window", film}, {"media", {"b.mp4"}}})["window"];
  const Json replaced = newest("replace");
  ASSERT_TRUE(replaced.contains(next.dump())) << replaced;
  EXPECT_EQ(replaced[next.dump()]["title"], Json::parse(R"([null,"b.mp4"])"));
  EXPECT_EQ(changed_by("close", {{"window", next}})[next.dump()]["title"],
            Json::parse(R"(["b.mp4",null])"));
  const Json about = console->expect("journal", {{"window", film}})["entries"];
  EXPECT_EQ(about.back()["changed"][number]["title"], opened["title"])
      << "entries are found by the windows that they changed";
}

TEST_F(JournalValuesTest, TheyAreInTheEntriesOfVerbsThatNameNoWindow) {
  begin();
  const uint32_t film = play("a.mp4", {0, 0, 640, 360});
  console->expect("move", {{"window", film}, {"x", 100}, {"y", 50}});
  EXPECT_EQ(changed_by("undo", Json::object())[std::to_string(film)],
            Json::parse(R"({"rect":[[100,50,640,360],[0,0,640,360]]})"));
  EXPECT_EQ(changed_by("master_volume", {{"volume", 0.5}}),
            Json::parse(R"({"wall":{"volume":[1,0.5]}})"));
  EXPECT_EQ(changed_by("label", {{"window", film}, {"text", "http://ann:cret77@host/"}})
                .dump()
                .find("cret77"),
            std::string::npos);
  EXPECT_EQ(changed_by("identify", {{"on", true}}), Json());
}

}  // namespace
}  // namespace manager
