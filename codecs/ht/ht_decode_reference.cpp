// Reference decoder of code-blocks, to be read with T.814, 7.1 (segments), 7.3 (cleanup), 7.4
// (SigProp) and 7.5 (MagRef), whose procedures are named. Vector kernels give the same samples.
#include <algorithm>
#include <array>

#include "codecs/ht/ht_block.h"
#include "codecs/ht/ht_kernels.h"
#include "codecs/ht/ht_neighbours.h"

namespace codecs::reference {
namespace {

// importMagSgnBit (7.1.2), importSigPropBit (7.1.5): reads bits forwards, lowest first. The bit
// after a byte of 0xff is stuffed. Beyond the end there are ones, for SigProp zeros.
class ForwardReader {
 public:
  ForwardReader(std::span<const uint8_t> bytes, int beyond) : bytes_(bytes), beyond_(beyond) {}

  uint32_t bits(int count) {
    uint32_t value = 0;
    for (int i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  uint32_t bit() {
    if (left_ == 0) {
      left_ = byte_ == 0xff ? 7 : 8;
      byte_ = at_ < bytes_.size() ? bytes_[at_++] : beyond_;
      rest_ = byte_;
    }
    --left_;
    const int bit = rest_ & 1;
    rest_ >>= 1;
    return static_cast<uint32_t>(bit);
  }

 private:
  std::span<const uint8_t> bytes_;
  int beyond_;
  size_t at_ = 0;
  int byte_ = 0;
  int rest_ = 0;
  int left_ = 0;
};

// importVLCBit (7.1.4), importMagRefBit (7.1.6): reads bits backwards from the end, lowest first. A
// byte of 0x7f or 0xff after one above 0x8f has its highest bit stuffed. Zeros beyond the end.
class BackwardReader {
 public:
  explicit BackwardReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  // Starts with the upper half of a byte whose lower half has another use.
  BackwardReader(std::span<const uint8_t> bytes, int half)
      : bytes_(bytes), left_((half & 0x70) == 0x70 ? 3 : 4), after_high_((half | 0xf) > 0x8f) {
    rest_ = static_cast<uint64_t>(half >> 4) & ((uint64_t{1} << left_) - 1);
  }

  uint32_t peek(int count) {
    while (left_ < count) {
      const int byte = bytes_.empty() ? 0 : bytes_.back();
      if (!bytes_.empty()) bytes_ = bytes_.first(bytes_.size() - 1);
      rest_ |= static_cast<uint64_t>(byte) << left_;
      const bool stuffed = after_high_ && (byte & 0x7f) == 0x7f;
      left_ += stuffed ? 7 : 8;
      if (stuffed) rest_ &= (uint64_t{1} << left_) - 1;
      after_high_ = byte > 0x8f;
    }
    return static_cast<uint32_t>(rest_ & ((uint64_t{1} << count) - 1));
  }
  void skip(int count) {
    rest_ >>= count;
    left_ -= count;
  }
  uint32_t bits(int count) {
    const uint32_t value = peek(count);
    skip(count);
    return value;
  }

 private:
  std::span<const uint8_t> bytes_;
  uint64_t rest_ = 0;
  int left_ = 0;
  bool after_high_ = true;
};

// importMELBit (7.1.3) and decodeMELSym (7.3.3, table 2): reads events of the adaptive run-length
// code, bits from the highest down; ones beyond the end.
class MelReader {
 public:
  explicit MelReader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  bool event() {
    if (zeros_ == 0 && !one_) read_run();
    if (zeros_ > 0) {
      --zeros_;
      return false;
    }
    one_ = false;
    return true;
  }

 private:
  void read_run() {
    const int exponent = kHtMelExponents[state_];
    if (bit() != 0) {
      zeros_ = 1 << exponent;
      state_ = std::min<size_t>(state_ + 1, kHtMelExponents.size() - 1);
      return;
    }
    for (int i = 0; i < exponent; ++i) zeros_ = zeros_ << 1 | bit();
    one_ = true;
    if (state_ > 0) --state_;
  }
  int bit() {
    if (left_ == 0) {
      left_ = byte_ == 0xff ? 7 : 8;
      byte_ = at_ < bytes_.size() ? bytes_[at_] : 0xff;
      if (at_ + 1 == bytes_.size()) byte_ |= 0xf;  // the lower half may belong to VLC
      ++at_;
    }
    return byte_ >> --left_ & 1;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
  int byte_ = 0;
  int left_ = 0;
  size_t state_ = 0;
  int zeros_ = 0;
  bool one_ = false;
};

// The passes for the plane below the lowest cleanup plane. They process stripes of four rows,
// column by column.
template <class Sample>
class BlockRefiner {
 public:
  BlockRefiner(const HtCodedBlock& coded, const HtBlock<Sample>& block)
      : coded_(coded), block_(block), shift_(coded.planes - 1 - coded.zero_planes) {}

  void refine() {
    SignificanceMap found(block_.width);
    for (int y = 0; y < block_.height; ++y) {
      for (int x = 0; x < block_.width; ++x) found.at(x, y) = at(x, y) != 0;
    }
    const SignificanceMap before = found;
    ForwardReader sig_prop(coded_.refinement, 0);
    for (int y = 0; y < block_.height; y += kStripe) {
      for (int x = 0; x < block_.width; x += kColumns) {
        propagate(x, y, before, found, sig_prop);
      }
    }
    if (coded_.passes < 3) return;
    BackwardReader mag_ref(coded_.refinement);
    for (int y = 0; y < block_.height; y += kStripe) {
      for (int x = 0; x < block_.width; ++x) {
        for (int row = y; row < std::min(y + kStripe, block_.height); ++row) {
          if (before.at(x, row)) refine(at(x, row), mag_ref.bits(1));
        }
      }
    }
  }

 private:
  // Moves a sample from the middle of its interval to the middle of one half.
  void refine(Sample& sample, uint32_t bit) const {
    const uint32_t step = 1U << (shift_ - 1), value = static_cast<uint32_t>(sample);
    const bool up = (bit != 0) == (sample > 0);
    sample = static_cast<Sample>(up ? value + step : value - step);
  }

  static constexpr int kStripe = 4, kColumns = 4;

  // Flags of samples other than 0, with a border of zeros.
  class SignificanceMap {
   public:
    explicit SignificanceMap(int width) : stride_(width + 2) {}

    uint8_t& at(int x, int y) { return flags_[index(x, y)]; }
    bool at(int x, int y) const { return flags_[index(x, y)] != 0; }
    bool has_neighbour(int x, int y, bool below) const {
      for (int row = y - 1; row <= y + (below ? 1 : 0); ++row) {
        for (int column = x - 1; column <= x + 1; ++column) {
          if ((row != y || column != x) && at(column, row)) return true;
        }
      }
      return false;
    }

   private:
    static constexpr size_t kMost = kHtMostSamples + 2 * (kHtMostSide + 4 + 2);
    size_t index(int x, int y) const { return static_cast<size_t>(stride_ * (y + 1) + x + 1); }

    int stride_;
    std::array<uint8_t, kMost> flags_{};
  };

  // decodeSigPropMag, decodeSigPropSign, for four columns of a stripe: first which samples next to
  // significant ones become significant, then their signs.
  void propagate(int left, int top, const SignificanceMap& before, SignificanceMap& found,
                 ForwardReader& bits) {
    const int right = std::min(left + kColumns, block_.width);
    const int bottom = std::min(top + kStripe, block_.height);
    for (int x = left; x < right; ++x) {
      for (int y = top; y < bottom; ++y) {
        const bool below = !coded_.stripe_causal || y + 1 < top + kStripe;
        if (before.at(x, y) || !found.has_neighbour(x, y, below)) continue;
        found.at(x, y) = bits.bit() != 0;
      }
    }
    for (int x = left; x < right; ++x) {
      for (int y = top; y < bottom; ++y) {
        if (before.at(x, y) || found.at(x, y) == 0) continue;
        const int halves = 3 << (shift_ - 1);
        at(x, y) = static_cast<Sample>(bits.bit() != 0 ? -halves : halves);
      }
    }
  }

  Sample& at(int column, int row) const { return block_.samples[block_.stride * row + column]; }

  HtCodedBlock coded_;
  HtBlock<Sample> block_;
  int shift_;  // lowest plane of the cleanup pass
};

template <class Sample>
class BlockDecoder {
 public:
  BlockDecoder(const HtCodedBlock& coded, const HtCleanup& cleanup, const HtBlock<Sample>& block)
      : coded_(coded),
        block_(block),
        shift_(coded.planes - 1 - coded.zero_planes),
        mel_(cleanup.mel),
        vlc_(cleanup.vlc, cleanup.vlc_half),
        mag_sgn_(cleanup.mag_sgn, 0xff) {}

  bool decode() {
    for (int y = 0; y < block_.height; y += 2) {
      neighbours_.begin_row();
      for (int x = 0; x < block_.width; x += 4) {
        if (!read_pair(x, y)) return false;
      }
      neighbours_.end_row();
    }
    if (coded_.passes > 1) BlockRefiner<Sample>(coded_, block_).refine();
    return true;
  }

 private:
  struct Quad {
    unsigned entry = 0;  // entry of the decoding table
    int known = 1;       // kappa

    unsigned rho() const { return entry >> kHtRhoShift & 15; }
    unsigned has_excess() const { return entry >> kHtExcessModeShift & 1; }
  };

  // decodeSigEMB and decodeCxtVLC (7.3.5, annex C).
  Quad read_quad(int x, int y) {
    Quad quad;
    const int c = neighbours_.context(x, y == 0);
    if (c != 0 || mel_.event()) {
      quad.entry = kHtRowTables[y == 0 ? 0 : 1].quads[static_cast<size_t>(
          c << kHtCodewordBits | static_cast<int>(vlc_.peek(kHtCodewordBits)))];
      vlc_.skip(static_cast<int>(quad.entry & kHtLengthMask));
    }
    const int rho = static_cast<int>(quad.rho());
    neighbours_.put_rho(rho);
    quad.known = neighbours_.bound_known(x, y == 0, rho);
    return quad;
  }

  // In the order of 7.3.4; decodeUPrefix and decodeUSuffix (7.3.6, table 3, equations 3 and 4).
  bool read_pair(int x, int y) {
    const Quad first = read_quad(x, y);
    const Quad second = x + 2 < block_.width ? read_quad(x + 2, y) : Quad{};
    size_t mode = first.has_excess() | second.has_excess() << 1;
    if (y == 0 && mode == 3 && mel_.event()) mode = 4;
    const HtExcessPair& code = kHtExcessTables[y == 0 ? 0 : 1][mode << 6 | vlc_.peek(6)];
    vlc_.skip(code.prefix_bits);
    const int excess = code.first + static_cast<int>(vlc_.bits(code.first_suffix_bits));
    const int other =
        code.second + static_cast<int>(vlc_.bits(code.suffix_bits - code.first_suffix_bits));
    return read_samples(x, y, first, excess) && read_samples(x + 2, y, second, other);
  }

  bool read_samples(int x, int y, const Quad& quad, int excess) {
    const int bound = quad.known + excess;
    if (quad.rho() != 0 && bound > coded_.zero_planes + 2) return false;
    for (int n = 0; n < 4; ++n) {
      const int column = x + n / 2, row = y + n % 2;
      const bool significant = (quad.rho() >> n & 1) != 0;
      // The magnitude minus one, doubled, with the sign as the lowest bit.
      const uint32_t value = significant ? read_value(quad.entry >> n, bound) : 0;
      if (n % 2 != 0) {
        neighbours_.put_exponent(column, significant ? bit_length(value | 1) : 0);
      }
      if (column >= block_.width || row >= block_.height) continue;  // from invalid bytes
      put(column, row, significant ? (value | 1) + 2 : 0, (value & 1) != 0);
    }
    return true;
  }
  // decodeMagSgnValue (7.3.8).
  uint32_t read_value(unsigned entry, int bound) {
    const int count = bound - static_cast<int>(entry >> kHtKnownShift & 1);
    return mag_sgn_.bits(count) | (entry >> kHtOneShift & 1) << count;
  }
  void put(int column, int row, uint32_t halves, bool negative) {
    const uint32_t magnitude = halves << shift_;
    at(column, row) = static_cast<Sample>(negative ? 0 - magnitude : magnitude);
  }
  Sample& at(int column, int row) const { return block_.samples[block_.stride * row + column]; }

  HtCodedBlock coded_;
  HtBlock<Sample> block_;
  int shift_;  // lowest plane of the cleanup pass
  MelReader mel_;
  BackwardReader vlc_;
  ForwardReader mag_sgn_;
  HtNeighbours neighbours_;
};

template <class Sample>
bool decode_block(const HtCodedBlock& coded, const HtBlock<Sample>& block) {
  const auto cleanup = read_ht_cleanup(coded);
  return cleanup && BlockDecoder<Sample>(coded, *cleanup, block).decode();
}

}  // namespace

void ht_refine(const HtCodedBlock& coded, const HtBlock<int16_t>& block) {
  BlockRefiner<int16_t>(coded, block).refine();
}

bool ht_decode(const HtCodedBlock& coded, const HtBlock<int16_t>& block) {
  return decode_block(coded, block);
}
bool ht_decode(const HtCodedBlock& coded, const HtBlock<int32_t>& block) {
  return decode_block(coded, block);
}

namespace {

bool ht_decode_two(const HtCodedBlock (&coded)[2], const HtBlock<int16_t> (&blocks)[2]) {
  return ht_decode(coded[0], blocks[0]) && ht_decode(coded[1], blocks[1]);
}

}  // namespace

const HtKernels kHtKernels = {.level = CpuLevel::kReference,
                              .encode16 = ht_encode,
                              .decode16 = ht_decode,
                              .decode16_two = ht_decode_two};

}  // namespace codecs::reference
