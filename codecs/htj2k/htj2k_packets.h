// Writes high-throughput codestreams (ISO/IEC 15444-1, Annexes A and B, and 15444-15): one tile,
// one layer, one precinct per resolution, one tile-part per resolution. Internal to codecs/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/j2k/htj2k_bands.h"
#include "codecs/j2k/j2k.h"

namespace codecs {

// The coded blocks of one band, row by row of blocks.
struct CodedBand {
  struct Block {
    size_t at = 0;       // offset in the bytes of all blocks
    uint32_t bytes = 0;  // 0: all samples are 0
  };
  int across = 0;
  int down = 0;
  int planes = 0;
  std::vector<Block> blocks;  // never shrinks

  size_t count() const { return static_cast<size_t>(across) * static_cast<size_t>(down); }
};

// Parameters of a picture's codestream.
struct Htj2kPicture {
  int width = 0;
  int height = 0;
  int bits = 0;
  int chroma_step_x = 1;
  int chroma_step_y = 1;
  bool color_transform = false;
  bool reversible = false;
  int levels = 0;
  int block_side_log2 = 6;
  // By resolution, then kind (the lowest resolution has only kLowLow).
  std::vector<std::array<BandQuantiser, 4>> quantisers;
};

// The bands of a packet: of one resolution of one component.
using PacketBands = std::span<const CodedBand>;

class Htj2kWriter {
 public:
  // finish() reports if `out` was too small. `nodes`: scratch memory.
  Htj2kWriter(std::span<uint8_t> out, std::vector<uint8_t>& nodes) : out_(out), nodes_(nodes) {}

  void write_main_header(const Htj2kPicture& picture);
  void begin_tile_part(int index, int count);
  void write_packet(PacketBands bands, std::span<const uint8_t> bytes);
  void end_tile_part();
  // Returns the total length; empty if `out` was too small.
  std::optional<size_t> finish();
  size_t size() const { return size_; }

 private:
  class PacketHeader;

  void put(uint32_t value, int bytes);
  void put_size(const Htj2kPicture& picture);
  void put_capabilities(const Htj2kPicture& picture);
  void put_coding(const Htj2kPicture& picture);
  void put_quantisation(const Htj2kPicture& picture);

  std::span<uint8_t> out_;
  size_t size_ = 0;
  size_t tile_part_ = 0;
  bool failed_ = false;
  std::vector<uint8_t>& nodes_;  // nodes of a tag tree
};

}  // namespace codecs
