#include "sail/core/address/site_walls.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestText = 1000;  // bytes of an address, a path or a URL

Address read_manager(JsonFields& fields) {
  const std::string text = fields.raw_string("manager", kLongestText);
  auto address = parse_address(text, {"", kDefaultControlPort});
  if (!address || address->host.empty()) {
    fields.mistake("manager", "must be HOST:PORT, HOST or mdns:NAME");
    return {};
  }
  return *std::move(address);
}

fs::path read_key_path(JsonFields& fields, const fs::path& folder) {
  constexpr std::string_view kOfUser = "~/";
  if (!fields.has("key_file")) return {};
  const std::string text = fields.raw_string("key_file", kLongestText);
  if (text.empty()) fields.mistake("key_file", "must not be empty");
  if (text.starts_with(kOfUser)) return fs::path(environment("HOME")) / text.substr(kOfUser.size());
  return folder / text;  // an absolute path stays
}

std::string read_page(JsonFields& fields) {
  if (!fields.has("page")) return {};
  std::string url = fields.raw_string("page", kLongestText);
  const size_t host = url.find("://");
  const bool web = url.starts_with("http://") || url.starts_with("https://");
  if (!web || host + 3 == url.size() || url.find_first_of(" \"<>#") != std::string::npos ||
      without_passwords(url) != url) {
    fields.mistake("page", "must be an http:// or https:// address without a key or a password");
  }
  return url;
}

Result<SiteWall> read_wall(const Json& object, std::string where, const fs::path& folder) {
  JsonFields fields(object, std::move(where), JsonFields::Report::kAll);
  SiteWall wall;
  wall.name = fields.string("name", kMaxNameLength);
  if (wall.name.empty()) fields.mistake("name", "must not be empty");
  wall.manager = read_manager(fields);
  wall.key_file = read_key_path(fields, folder);
  wall.page = read_page(fields);
  if (auto error = fields.finish()) return *error;
  return wall;
}

std::string names_of(const std::vector<SiteWall>& walls) {
  std::string names;
  for (const SiteWall& wall : walls) names += (names.empty() ? "" : ", ") + wall.name;
  return names;
}

}  // namespace

Result<std::vector<SiteWall>> parse_site_walls(std::string_view text, const fs::path& folder) {
  const auto json = parse_json(text, kMostSiteWallsBytes);
  if (!json) return json.error();
  JsonFields fields(*json, "walls file", JsonFields::Report::kAll);
  const Json& list = fields.array("walls", kMostSiteWalls);
  std::vector<SiteWall> walls;
  std::set<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    auto wall = read_wall(list[i], fmt::format("walls[{}]", i), folder);
    if (!wall) {
      fields.mistake(wall.error());
      continue;
    }
    if (!names.insert(wall->name).second) {
      fields.mistake(Error{ErrorCode::kInvalidParams,
                           fmt::format("walls[{}]: the name '{}' is used twice", i, wall->name)});
    }
    walls.push_back(std::move(*wall));
  }
  if (auto error = fields.finish()) return *error;
  return walls;
}

Result<std::vector<SiteWall>> load_site_walls(const fs::path& file) {
  const auto text = read_file(file, kMostSiteWallsBytes);
  if (!text) {
    if (text.error().code != ErrorCode::kNotFound) return text.error();
    return fail(
        ErrorCode::kNotFound,
        fmt::format("there is no file {}: list the walls of the site there, as {}", file.string(),
                    R"({"walls": [{"name": "lobby", "manager": "HOST:7440"}]})"));
  }
  auto walls = parse_site_walls(*text, file.parent_path());
  if (walls) return walls;
  return fail(walls.error().code, fmt::format("{}: {}", file.string(), walls.error().message));
}

fs::path site_walls_file() {
  constexpr const char* kName = "walls.json";
  if (const std::string given = environment("VITRAIL_WALLS"); !given.empty()) return given;
  std::error_code ignored;
  fs::path own = user_config_folder() / kName;
  if (own != kName && fs::exists(own, ignored)) return own;
  return fs::path("/etc/vitrail") / kName;
}

Result<SiteWall> site_wall(std::string_view name) {
  const fs::path file = site_walls_file();
  const auto walls = load_site_walls(file);
  if (!walls) return walls.error();
  const auto found = std::ranges::find(*walls, name, &SiteWall::name);
  if (found != walls->end()) return *found;
  return fail(ErrorCode::kNotFound, fmt::format("there is no wall '{}' in {}, which lists: {}",
                                                name, file.string(), names_of(*walls)));
}

}  // namespace sail
