// The wall's figures for Prometheus: its text format 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/). As many series as the wall has
// receivers, and no more with the windows that come and go: those are summed up. Pure.
#pragma once

#include <string>

#include "manager/desk.h"
#include "manager/peers.h"
#include "manager/stream_totals.h"
#include "manager/wall_health.h"

namespace manager {

std::string metrics_text(const StreamTotals& streams, const Desk& desk, const Peers& peers,
                         const WallHealth& health);

// The manager's own process, by the names that every Prometheus client has.
std::string process_metrics_text();

}  // namespace manager
