// Writing of high-throughput codestreams (ISO/IEC 15444-1, Annexes A and B, and 15444-15): one
// tile, one layer, one precinct a resolution, each resolution in a tile-part of its own. Internal
// to codecs/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/htj2k_bands.h"
#include "codecs/j2k.h"

namespace codecs {

// The coded blocks of one band, row by row of blocks.
struct CodedBand {
  struct Block {
    size_t at = 0;       // in the bytes of all
    uint32_t bytes = 0;  // 0: all its samples are 0
  };
  int across = 0;
  int down = 0;
  int planes = 0;
  std::vector<Block> blocks;  // grows only

  size_t count() const { return static_cast<size_t>(across) * static_cast<size_t>(down); }
};

// What is written of a picture.
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
  // By resolution, then kind (of the lowest only kLowLow).
  std::vector<std::array<BandQuantiser, 4>> quantisers;
};

// The bands of a packet: of one resolution of one component.
using PacketBands = std::span<const CodedBand>;

class Htj2kWriter {
 public:
  // `out` has to be large enough for everything: else write() and finish() say that it was not.
  // `nodes` is memory that it uses.
  Htj2kWriter(std::span<uint8_t> out, std::vector<uint8_t>& nodes) : out_(out), nodes_(nodes) {}

  void write_main_header(const Htj2kPicture& picture);
  void begin_tile_part(int index, int count);
  void write_packet(PacketBands bands, std::span<const uint8_t> bytes);
  void end_tile_part();
  // The length of all; nothing when there was not room.
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
  std::vector<uint8_t>& nodes_;  // of a tag tree
};

}  // namespace codecs
