#include "sail/core/address/site_walls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string site_mistake(const std::string& walls) {
  const auto read = parse_site_walls(R"({"walls": )" + walls + "}", "/site");
  EXPECT_FALSE(read) << walls;
  return read ? "" : read.error().message;
}

TEST(SiteWalls, AreReadWithTheirAddressesAndKeys) {
  const test::EnvironmentVariable home("HOME", "/home/ann");
  const auto walls = parse_site_walls(R"({"walls": [
      {"name": "lobby", "manager": "10.0.0.5:7441", "key_file": "lobby.key",
       "page": "https://lobby.example:7480/"},
      {"name": "Saal 2", "manager": "mdns:Saal 2", "key_file": "~/saal"},
      {"name": "lab", "manager": "lab.example", "key_file": "/etc/lab"}]})",
                                      "/site");
  ASSERT_TRUE(walls) << walls.error().message;
  EXPECT_EQ(*walls,
            (std::vector<SiteWall>{
                {.name = "lobby",
                 .manager = {"10.0.0.5", 7441},
                 .key_file = "/site/lobby.key",
                 .page = "https://lobby.example:7480/"},
                {.name = "Saal 2", .manager = {"mdns:Saal 2", 0}, .key_file = "/home/ann/saal"},
                {.name = "lab", .manager = {"lab.example", 7440}, .key_file = "/etc/lab"}}));
}

TEST(SiteWalls, MistakesAreNamedAllAtOnce) {
  EXPECT_THAT(site_mistake("7"), HasSubstr("'walls'"));
  EXPECT_THAT(site_mistake(R"([{"name": "a", "manager": "a"}, {"manager": ":1"}])"),
              AllOf(HasSubstr("walls[1]: 'name'"), HasSubstr("walls[1]: 'manager'")));
  EXPECT_THAT(site_mistake(R"([{"name": "a", "manager": "a", "keyfile": "k"}])"),
              HasSubstr("'keyfile'"));
  const std::string one = R"({"name": "a", "manager": "a"})";
  EXPECT_THAT(site_mistake("[" + one + "," + one + "]"), HasSubstr("walls[1]"));
  for (const char* page : {"ftp://a", "javascript:alert(1)", "https://", "https://a/#key=x",
                           "https://a b", "https://ann:secret@a/"}) {
    EXPECT_THAT(
        site_mistake(R"([{"name": "a", "manager": "a", "page": ")" + std::string(page) + R"("}])"),
        HasSubstr("'page'"))
        << page;
  }
  EXPECT_FALSE(parse_site_walls("{", "/site"));
  EXPECT_FALSE(parse_site_walls(std::string(kMostSiteWallsBytes + 1, ' '), "/site"));
}

TEST(SiteWalls, AWallIsFoundByName) {
  const TempFolder folder;
  const test::EnvironmentVariable given("VITRAIL_WALLS", "");
  const test::EnvironmentVariable config("XDG_CONFIG_HOME", folder.file(""));
  std::filesystem::create_directory(folder.file("vitrail"));
  const std::filesystem::path file = folder.file("vitrail/walls.json");
  EXPECT_EQ(site_walls_file(), "/etc/vitrail/walls.json");
  std::ofstream(file) << R"({"walls": [{"name": "lobby", "manager": "h", "key_file": "k"}]})";
  EXPECT_EQ(site_walls_file(), file);
  const auto wall = site_wall("lobby");
  ASSERT_TRUE(wall) << wall.error().message;
  EXPECT_EQ(wall->key_file, file.parent_path() / "k");
  const auto none = site_wall("hall");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(none.error().message, AllOf(HasSubstr("'hall'"), HasSubstr("lobby")));
  const test::EnvironmentVariable other("VITRAIL_WALLS", folder.file("none.json"));
  const auto missing = site_wall("lobby");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace sail
