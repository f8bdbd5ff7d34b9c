// The wall's metrics in the Prometheus text format 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/). The number of series depends only
// on the wall's receivers: windows are summed up.
#pragma once

#include <string>

#include "manager/desk/desk.h"
#include "manager/monitor/stream_totals.h"
#include "manager/monitor/wall_health.h"
#include "manager/peers/peers.h"

namespace manager {

std::string metrics_text(const StreamTotals& streams, const Desk& desk, const Peers& peers,
                         const WallHealth& health);

// Metrics of the manager's process, under the names that Prometheus clients use. Reads /proc.
std::string process_metrics_text();

}  // namespace manager
