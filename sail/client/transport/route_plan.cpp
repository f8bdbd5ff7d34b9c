#include "sail/client/transport/route_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/wall/picture_map.h"

namespace sail {
namespace {

using Run = ReceiverPlan::Run;

Result<std::vector<Run>> make_runs(const Route& route, const BlockGrid& grid) {
  std::vector<Run> runs;
  for (const BlockRect& blocks : route.blocks) {
    if (blocks.column < 0 || blocks.row < 0 || blocks.columns < 1 || blocks.rows < 1 ||
        blocks.columns > grid.columns() - blocks.column || blocks.rows > grid.rows() - blocks.row) {
      return fail(
          ErrorCode::kInvalidParams,
          fmt::format("routes: blocks for receiver '{}' are outside the frame of {}×{} blocks",
                      route.receiver, grid.columns(), grid.rows()));
    }
    for (int row = blocks.row; row < blocks.row + blocks.rows; ++row) {
      runs.push_back({static_cast<uint16_t>(row), static_cast<uint16_t>(blocks.column),
                      static_cast<uint16_t>(blocks.columns)});
    }
  }
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return std::pair(a.row, a.first_column) < std::pair(b.row, b.first_column);
  });
  // Join adjacent runs, which are then sent as one piece.
  std::vector<Run> joined;
  for (const Run& run : runs) {
    Run* last = joined.empty() || joined.back().row != run.row ? nullptr : &joined.back();
    const int end = last == nullptr ? 0 : last->first_column + last->count;
    if (last != nullptr && run.first_column < end) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("routes: receiver '{}' is assigned block {} of block row {} twice",
                              route.receiver, run.first_column, run.row));
    }
    if (last != nullptr && run.first_column == end) {
      last->count = static_cast<uint16_t>(last->count + run.count);
    } else {
      joined.push_back(run);
    }
  }
  return joined;
}

// Returns the blocks of a further halved grid that cover the given runs.
std::vector<Run> smaller_runs(const std::vector<Run>& runs, const BlockGrid& grid, int halvings,
                              const BlockGrid& smaller) {
  // Bilinear scaling reads adjacent pixels. If a side is rounded up, the smaller picture is
  // stretched by up to one more pixel.
  constexpr int kBeside = 2;
  const Rect frame{0, 0, smaller.frame_size().width, smaller.frame_size().height};
  const auto columns = static_cast<size_t>(smaller.columns());
  std::vector<bool> touched(smaller.count());
  for (const Run& run : runs) {
    const Rect first = grid.block_rect(run.first_column, run.row);
    const Rect last = grid.block_rect(run.first_column + run.count - 1, run.row);
    const Rect pixels =
        intersect(Rect::from_edges((first.x >> halvings) - kBeside, (first.y >> halvings) - kBeside,
                                   codecs::reduced_side(last.right(), halvings) + kBeside,
                                   codecs::reduced_side(last.bottom(), halvings) + kBeside),
                  frame);
    const Rect blocks = smaller.blocks_touching(pixels);
    for (int row = blocks.y; row < blocks.bottom(); ++row) {
      const auto begin =
          touched.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(row) * columns);
      std::fill(begin + blocks.x, begin + blocks.right(), true);
    }
  }
  std::vector<Run> out;
  for (size_t block = 0; block < touched.size(); ++block) {
    if (!touched[block]) continue;
    if (block % columns != 0 && touched[block - 1]) {
      ++out.back().count;
    } else {
      out.push_back(
          {static_cast<uint16_t>(block / columns), static_cast<uint16_t>(block % columns), 1});
    }
  }
  return out;
}

// Returns the number of halvings for each route.
Result<std::vector<int>> reductions_of(const Routes& routes, const FrameShape& shape,
                                       const ExtraReductions& extra) {
  std::vector<int> reductions;
  for (const Route& route : routes.routes) {
    if (shape.scaling == Scaling::kFrame && route.reduction != routes.routes[0].reduction) {
      return fail(
          ErrorCode::kInvalidParams,
          fmt::format(
              "routes: receiver '{}' has reduction {}, but all receivers must have reduction {}",
              route.receiver, route.reduction, routes.routes[0].reduction));
    }
    const auto more = extra.find(route.receiver);
    const int wish = route.reduction + (more == extra.end() ? 0 : more->second);
    reductions.push_back(std::max(std::min(wish, shape.max_reduction), route.reduction));
  }
  if (shape.scaling == Scaling::kFrame && !reductions.empty()) {
    const int most = *std::max_element(reductions.begin(), reductions.end());
    std::fill(reductions.begin(), reductions.end(), most);
  }
  return reductions;
}

}  // namespace

ReceiverPlan::ReceiverPlan(std::string receiver, Address address, std::vector<Run> runs,
                           int reduction, const BlockGrid& grid, Scaling scaling, uint64_t recorder,
                           bool multicast)
    : receiver_(std::move(receiver)),
      address_(std::move(address)),
      runs_(std::move(runs)),
      row_ends_(static_cast<size_t>(grid.rows()), 0),
      reduction_(reduction),
      grid_(grid),
      scaling_(scaling),
      recorder_(recorder),
      multicast_(multicast),
      head_bytes_(kFrameBeginBytes + kFrameEndBytes) {
  for (const Run& run : runs_) {
    ++row_ends_[run.row];
    // Worst case: if every second block is unchanged, each remaining block is a run of its own.
    head_bytes_ += (kDataHeaderBytes + block_places_bytes(1)) * run.count;
  }
  for (size_t row = 1; row < row_ends_.size(); ++row) row_ends_[row] += row_ends_[row - 1];
}

std::span<const Run> ReceiverPlan::row(int row) const {
  const auto at = static_cast<size_t>(row);
  const size_t first = at == 0 ? 0 : row_ends_[at - 1];
  return std::span(runs_).subspan(first, row_ends_[at] - first);
}

bool ReceiverPlan::covered_by(const EncodedFrame& frame) const {
  const bool can_be_had = scaling_ == Scaling::kBlock ? frame.reduction() <= reduction_
                                                      : frame.reduction() == reduction_;
  if (!can_be_had) return false;
  return std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
    for (int i = 0; i < run.count; ++i) {
      if (!frame.covers(run.first_column + i, run.row)) return false;
    }
    return true;
  });
}

bool RoutePlan::covered_by(const EncodedFrame& frame) const {
  return frame.is_for(*wanted) || std::ranges::all_of(receivers, [&](const auto& plan) {
           return plan->recorder() != 0 || plan->covered_by(frame);
         });
}

Result<RoutePlan> make_route_plan(const Routes& routes, const FrameShape& shape,
                                  const ExtraReductions& extra) {
  auto reductions = reductions_of(routes, shape, extra);
  if (!reductions) return std::move(reductions.error());
  const int reduction = routes.routes.empty() || shape.encoded
                            ? 0
                            : *std::min_element(reductions->begin(), reductions->end());
  const auto grid_of = [&](int halvings) {
    return reduced_grid(shape.frame_size, shape.block_size, halvings, shape.scaling);
  };
  RoutePlan plan{.epoch = routes.epoch,
                 .wall_rect = routes.wall_rect,
                 .picture = whole_size(routes.wall_rect, routes.look, shape.frame_size),
                 .receivers = {},
                 .wanted = {}};
  WantedBlocks wanted{.reduction = reduction, .grid = grid_of(reduction), .blocks = {}};
  wanted.blocks.resize(wanted.grid.count());
  for (size_t i = 0; i < routes.routes.size(); ++i) {
    const Route& route = routes.routes[i];
    const int halvings = (*reductions)[i];
    const BlockGrid routed_grid = grid_of(route.reduction);
    const BlockGrid grid = grid_of(halvings);
    auto runs = make_runs(route, routed_grid);
    if (!runs) return std::move(runs.error());
    if (runs->empty()) continue;
    if (halvings != route.reduction) {
      runs = smaller_runs(*runs, routed_grid, halvings - route.reduction, grid);
    }
    for (const Run& run : *runs) {
      for (int column = run.first_column; column < run.first_column + run.count; ++column) {
        wanted.blocks[wanted.index(column, run.row)] = true;
      }
    }
    const bool named =
        std::any_of(plan.receivers.begin(), plan.receivers.end(),
                    [&](const auto& receiver) { return receiver->receiver() == route.receiver; });
    if (named) {
      return fail(ErrorCode::kInvalidParams,
                  fmt::format("routes: receiver '{}' is named twice", route.receiver));
    }
    plan.receivers.push_back(std::make_shared<const ReceiverPlan>(
        route.receiver, Address{route.host, route.port, route.certificate}, *std::move(runs),
        halvings, grid, shape.scaling, route.recorder, route.multicast));
  }
  plan.wanted = std::make_shared<const WantedBlocks>(std::move(wanted));
  return plan;
}

}  // namespace sail
