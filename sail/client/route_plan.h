// A routing map made ready for sending: for each receiver the runs of neighbouring blocks that it
// gets of every block row. Pure, immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/wanted_blocks.h"
#include "sail/net/tcp.h"
#include "sail/wall/block_grid.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/data_messages.h"

namespace sail {

// What one receiver gets of each frame.
class ReceiverPlan {
 public:
  struct Run {
    uint16_t row = 0;
    uint16_t first_column = 0;
    uint16_t count = 0;

    bool operator==(const Run&) const = default;
  };

  // runs: by row, then by column; not empty. reduction, grid: of the pictures that it gets.
  ReceiverPlan(std::string receiver, Address address, std::vector<Run> runs, int reduction,
               const BlockGrid& grid, Scaling scaling, uint64_t recorder = 0);

  const std::string& receiver() const { return receiver_; }
  const Address& address() const { return address_; }
  // The secret of a recorder, for which nobody waits (see StreamSender); 0: it is none.
  uint64_t recorder() const { return recorder_; }
  int reduction() const { return reduction_; }
  const BlockGrid& grid() const { return grid_; }
  int rows() const { return static_cast<int>(row_ends_.size()); }
  std::span<const Run> row(int row) const;
  // Whether the frame has, or will have, all that the receiver is to get.
  bool covered_by(const EncodedFrame& frame) const;
  // The most that all messages of a frame take, without the blocks' bytes.
  size_t head_bytes() const { return head_bytes_; }

 private:
  std::string receiver_;
  Address address_;
  std::vector<Run> runs_;
  std::vector<uint32_t> row_ends_;  // where each row's runs end in runs_
  int reduction_;
  BlockGrid grid_;
  Scaling scaling_;
  uint64_t recorder_;
  size_t head_bytes_ = 0;
};

struct RoutePlan {
  uint64_t epoch = 0;
  Rect wall_rect;
  Size picture;  // as large as all of it would be seen
  std::vector<std::shared_ptr<const ReceiverPlan>> receivers;
  std::shared_ptr<const WantedBlocks> wanted;  // by any of them; never null
};

// A stream's frames, before reduction.
struct FrameShape {
  Size frame_size;
  Size block_size;
  Scaling scaling = Scaling::kFrame;
  bool encoded = false;  // they come encoded, and are what they are
  int max_reduction = codecs::kMaxReduction;
};

// How often pictures are to be halved beyond what the routing map says, on account of the link to a
// receiver: its name → halvings. Others: not at all.
using ExtraReductions = std::map<std::string, int>;

// Where pictures are halved further, as often as the shape allows, a receiver gets the blocks of
// the smaller grid in which its own blocks and the pixels beside them lie, since scaling reads
// those, too. With Scaling::kFrame all receivers get what one of them needs.
//
// kInvalidParams when a rectangle of blocks leaves the grid, a receiver gets a block twice, or is
// named twice, or when receivers are to get pictures of different sizes of a stream that has only
// one. Frames are to be halved as often as the receiver with the largest picture allows.
Result<RoutePlan> make_route_plan(const Routes& routes, const FrameShape& shape,
                                  const ExtraReductions& extra = {});

}  // namespace sail
