// The file that lists the walls of a site: each wall has a name of its own and an address.
#include "sail/core/address/site_walls.h"

#include <set>

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(site_walls) {
  const auto walls =
      sail::parse_site_walls({reinterpret_cast<const char*>(data), size}, "/etc/vitrail");
  if (!walls) {
    fuzz::require(!walls.error().message.empty(), "a refusal says why");
    return 0;
  }
  fuzz::require(walls->size() <= sail::kMostSiteWalls, "walls are bounded");
  std::set<std::string> names;
  for (const sail::SiteWall& wall : *walls) {
    fuzz::require(!wall.name.empty() && names.insert(wall.name).second, "walls have own names");
    fuzz::require(!wall.manager.host.empty(), "a wall has an address");
    const auto again = sail::parse_address(sail::address_text(wall.manager), {});
    fuzz::require(again && (is_by_mdns(wall.manager) || *again == wall.manager),
                  "an address is read as it was written");
  }
  return 0;
}
