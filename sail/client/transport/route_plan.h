// A routing map prepared for sending: for each receiver and block row, the runs of adjacent blocks
// that the receiver gets. Pure, immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/client/encode/encoded_frame.h"
#include "sail/core/address/address.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {

// The part of each frame that one receiver gets.
class ReceiverPlan {
 public:
  struct Run {
    uint16_t row = 0;
    uint16_t first_column = 0;
    uint16_t count = 0;

    bool operator==(const Run&) const = default;
  };

  // runs: sorted by row, then column; not empty. reduction, grid: of this receiver's pictures.
  ReceiverPlan(std::string receiver, Address address, std::vector<Run> runs, int reduction,
               const BlockGrid& grid, Scaling scaling, uint64_t recorder = 0,
               bool multicast = false);

  const std::string& receiver() const { return receiver_; }
  const Address& address() const { return address_; }
  // The recorder's secret if the receiver is a recorder, for which no frame waits (see
  // StreamSender); 0: not a recorder.
  uint64_t recorder() const { return recorder_; }
  // The receiver can be in the stream's multicast group.
  bool multicast() const { return multicast_; }
  int reduction() const { return reduction_; }
  const BlockGrid& grid() const { return grid_; }
  int rows() const { return static_cast<int>(row_ends_.size()); }
  std::span<const Run> row(int row) const;
  // Returns true if the frame has, or will have, all blocks for this receiver.
  bool covered_by(const EncodedFrame& frame) const;
  // Maximum size of all messages of a frame without the blocks' bytes.
  size_t head_bytes() const { return head_bytes_; }

 private:
  std::string receiver_;
  Address address_;
  std::vector<Run> runs_;
  std::vector<uint32_t> row_ends_;  // end of each row's runs in runs_
  int reduction_;
  BlockGrid grid_;
  Scaling scaling_;
  uint64_t recorder_;
  bool multicast_;
  size_t head_bytes_ = 0;
};

struct RoutePlan {
  uint64_t epoch = 0;
  Rect wall_rect;
  // Size at which the whole frame would appear on the wall.
  Size picture;
  std::vector<std::shared_ptr<const ReceiverPlan>> receivers;
  // Blocks that at least one receiver gets; never null.
  std::shared_ptr<const WantedBlocks> wanted;

  // Returns true if the frame has all blocks for the receivers; ignores recorders.
  bool covered_by(const EncodedFrame& frame) const;
};

// Geometry of a stream's frames before reduction.
struct FrameShape {
  Size frame_size;
  Size block_size;
  Scaling scaling = Scaling::kFrame;
  bool encoded = false;  // frames arrive encoded; the encoder cannot reduce them
  int max_reduction = codecs::kMaxReduction;
};

// Halvings in addition to the routing map's because of slow links, by receiver name; default 0.
using ExtraReductions = std::map<std::string, int>;

// Halves pictures further where `extra` asks for it, within the shape's limit. Then a receiver gets
// the blocks of the smaller grid that cover its own blocks and the adjacent pixels, which scaling
// reads. With Scaling::kFrame all receivers get the largest reduction needed. With other scalings,
// a frame is encoded at the smallest reduction that any receiver gets.
//
// Returns kInvalidParams if a block rectangle exceeds the grid, a receiver gets a block twice or is
// listed twice, or the reductions differ although the stream has only one picture size.
Result<RoutePlan> make_route_plan(const Routes& routes, const FrameShape& shape,
                                  const ExtraReductions& extra = {});

}  // namespace sail
