// Orders that displays have not obeyed yet, and displays that are off because nothing was shown,
// kept as power.json in the state folder, so that the next manager repeats and reports the orders.
// Runs on the loop thread; functions block on the disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/power.h"

namespace manager {

struct KeptOrder {
  sail::PowerOrder order = sail::PowerOrder::kOff;  // kOn or kOff
  bool idle = false;                                // See RecordedPower.

  bool operator==(const KeptOrder&) const = default;
};
using PowerOrders = std::map<std::string, KeptOrder>;  // by tile

sail::Json to_json(const PowerOrders& orders);
// kBadData: damaged.
sail::Result<PowerOrders> power_orders_from_json(const sail::Json& document);

class PendingPower {
 public:
  // An empty state folder: orders are not kept.
  explicit PendingPower(const std::filesystem::path& state_folder)
      : file_(state_folder.empty() ? "" : state_folder / "power.json") {}

  // Returns the orders of the earlier manager.
  sail::Result<PowerOrders> load() const;
  sail::Result<void> save(const PowerOrders& orders) const;

 private:
  std::filesystem::path file_;  // Empty: none.
};

}  // namespace manager
