#include "manager/peers/pending_power.h"

#include <fmt/core.h>

#include <vector>

#include "sail/core/base/private_file.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

constexpr size_t kMostPowerBytes = size_t{1} << 20;

struct PendingOrder {
  std::string tile;
  sail::PowerOrder order = sail::PowerOrder::kStatus;
  bool idle = false;
};
void fields(auto& visit, sail::Of<PendingOrder> auto& pending) {
  visit("tile", sail::kName, pending.tile);
  visit("power", sail::kPowerOrders, pending.order);
  visit("idle", sail::sparse(sail::Flag()), pending.idle);
}

struct PendingOrders {
  std::vector<PendingOrder> pending;
};
void fields(auto& visit, sail::Of<PendingOrders> auto& orders) {
  visit("pending", sail::objects(sail::kMaxTiles, &PendingOrder::tile), orders.pending);
}

}  // namespace

sail::Json to_json(const PowerOrders& orders) {
  sail::Json list = sail::Json::array();
  for (const auto& [tile, kept] : orders) {
    list.push_back({{"tile", tile}, {"power", sail::kPowerOrders.word(kept.order)}});
    if (kept.idle) list.back()["idle"] = true;
  }
  return {{"pending", std::move(list)}};
}

sail::Result<PowerOrders> power_orders_from_json(const sail::Json& document) {
  const auto read = sail::message_from_json<PendingOrders>(document, "power.json");
  if (!read) return sail::fail(sail::ErrorCode::kBadData, read.error().message);
  PowerOrders orders;
  for (const PendingOrder& one : read->pending) {
    if (one.order != sail::PowerOrder::kStatus) orders[one.tile] = {one.order, one.idle};
  }
  return orders;
}

sail::Result<PowerOrders> PendingPower::load() const {
  if (file_.empty()) return PowerOrders();
  const auto text = sail::read_file(file_, kMostPowerBytes);
  if (!text && text.error().code == sail::ErrorCode::kNotFound) return PowerOrders();
  if (!text) return text.error();
  auto orders = sail::parse_json(*text, kMostPowerBytes).and_then(power_orders_from_json);
  if (orders) return orders;
  return sail::fail(orders.error().code,
                    fmt::format("{}: {}", file_.string(), orders.error().message));
}

sail::Result<void> PendingPower::save(const PowerOrders& orders) const {
  if (file_.empty()) return {};
  return sail::make_private_folder(file_.parent_path()).and_then([&] {
    return sail::write_private_file(file_, to_json(orders).dump(1) + '\n');
  });
}

}  // namespace manager
