// The walls of a site, as people list them in a JSON file for consoles and managers:
//
//   {"walls": [{"name": "lobby", "manager": "10.0.0.5:7440", "key_file": "lobby.key",
//               "page": "https://lobby.example:7480/"}]}
//
// Any thread; reads files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"

namespace sail {

struct SiteWall {
  std::string name;
  Address manager;
  std::filesystem::path key_file{};  // empty: the key that programs find without it (wall_key.h)
  std::string page{};                // http:// or https://; empty: none

  bool operator==(const SiteWall&) const = default;
};

// Limits of the file.
constexpr size_t kMostSiteWalls = 100;
constexpr size_t kMostSiteWallsBytes = 1 << 18;

// folder: of relative key files; "~/" is $HOME. Fails with all mistakes, one per line.
Result<std::vector<SiteWall>> parse_site_walls(std::string_view text,
                                               const std::filesystem::path& folder);
// kNotFound: there is no such file. Errors name the file.
Result<std::vector<SiteWall>> load_site_walls(const std::filesystem::path& file);
// $VITRAIL_WALLS, else walls.json in the user's configuration folder, if it exists, else
// /etc/vitrail/walls.json.
std::filesystem::path site_walls_file();
// Finds the wall in site_walls_file(). kNotFound: no such file or wall; the message lists the
// walls.
Result<SiteWall> site_wall(std::string_view name);

}  // namespace sail
