// The newest picture of a window, compressed as its wall sent it. Frames are never decoded.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/base/format.h"
#include "receiver/frame/frame.h"
#include "sail/client/encode/carried_units.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/codec_name.h"

namespace ui {

// A stream on the far wall has one shape. A frame of another shape needs another stream.
struct FarShape {
  uint32_t stream = 0;  // stream of the near wall: access units count from its start
  sail::StreamCodec codec;
  sail::Size frame_size;
  sail::Size block_size;

  bool operator==(const FarShape&) const = default;
};

class HeldFrame {
 public:
  enum class Taken {
    kNew,
    kRepeated,  // the frame held already, sent again for a new layout
    kUnusable,  // blocks are missing, or are halved so that no stream can carry them
  };
  // Copies the frame's blocks once.
  Taken take(const receiver::Frame& frame);
  const FarShape& shape() const { return shape_; }
  bool empty() const { return lengths_.empty(); }

  // The bytes of the last frame; for a carried stream only the access units of that frame. The
  // results of last() and whole() are valid until the next call.
  sail_encoded_frame last();
  // The bytes that a stream needs if it begins now; for a carried stream all units since a key
  // picture.
  sail_encoded_frame whole();

 private:
  void begin(const FarShape& shape);
  bool copy_blocks(const receiver::Frame& frame);
  sail_encoded_frame encoded(const std::vector<uint8_t>& bytes,
                             const std::vector<uint32_t>& lengths) const;

  FarShape shape_;
  uint64_t session_ = 0;  // session of the connection that delivered the frame
  uint64_t number_ = 0;   // number of the frame
  codecs::PictureColor color_;
  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> lengths_;
  // Only for carried streams.
  std::optional<sail::CarriedUnits> units_;
  const sail::UnitChain* chain_ = nullptr;
  std::vector<uint8_t> joined_;
  std::vector<uint32_t> joined_length_;
};

}  // namespace ui
