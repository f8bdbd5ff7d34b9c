// Reference cleanup encoder, to be read with T.814, 7.3; comments name the decoding procedures that
// are inverted. Vector kernels write the same bytes.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "codecs/ht/ht_block.h"
#include "codecs/ht/ht_neighbours.h"

namespace codecs::reference {
namespace {

// Writes magnitudes and signs forwards, the lowest bit first; the bit after a byte of 0xff is
// stuffed (7.1.2, importMagSgnBit).
class MagSgnWriter {
 public:
  explicit MagSgnWriter(uint8_t* out) : out_(out) {}

  void put(uint32_t bits, int count) {
    for (; count > 0; --count, bits >>= 1) {
      byte_ |= (bits & 1) << used_;
      if (++used_ == limit_) flush();
    }
  }
  // Pads with ones, which decoders also assume beyond the end: so a last 0xff is left out.
  size_t finish() {
    while (used_ > 0) put(1, 1);
    if (size_ > 0 && out_[size_ - 1] == 0xff) --size_;
    return size_;
  }

 private:
  void flush() {
    out_[size_++] = static_cast<uint8_t>(byte_);
    limit_ = byte_ == 0xff ? 7 : 8;
    byte_ = 0;
    used_ = 0;
  }

  uint8_t* out_;
  size_t size_ = 0;
  uint32_t byte_ = 0;
  int used_ = 0;
  int limit_ = 8;
};

// Writes events forwards, the highest bit first, stuffed as above (7.1.3, importMELBit; 7.3.3,
// decodeMELSym, table 2).
class MelWriter {
 public:
  void put(bool event) {
    const int exponent = kHtMelExponents[state_];
    if (!event) {
      if (++run_ < 1 << exponent) return;
      put_bit(1);
      state_ = std::min<size_t>(state_ + 1, kHtMelExponents.size() - 1);
    } else {
      put_bit(0);
      for (int i = exponent - 1; i >= 0; --i) put_bit(run_ >> i & 1);
      if (state_ > 0) --state_;
    }
    run_ = 0;
  }
  void finish_run() {
    if (run_ > 0) put_bit(1);
  }
  std::span<const uint8_t> bytes() const { return std::span(bytes_).first(size_); }
  // The incomplete byte; its bits are the highest.
  int last_byte() const { return byte_ << left_; }
  int last_mask() const { return 0xff << left_ & 0xff; }

 private:
  void put_bit(int bit) {
    byte_ = byte_ << 1 | bit;
    if (--left_ > 0) return;
    bytes_[size_++] = static_cast<uint8_t>(byte_);
    left_ = byte_ == 0xff ? 7 : 8;
    byte_ = 0;
  }

  std::array<uint8_t, 512> bytes_;
  size_t size_ = 0;
  int byte_ = 0;
  int left_ = 8;
  size_t state_ = 0;
  int run_ = 0;
};

// Writes codewords backwards from the end, the lowest bit first; a byte of 0x7f after one above
// 0x8f has its highest bit stuffed (7.1.4, importVLCBit). The first twelve bits are reserved for
// the length of the suffix (7.1.1).
class VlcWriter {
 public:
  VlcWriter() { bytes_[0] = 0xff; }

  void put(uint32_t bits, int count) {
    for (; count > 0; --count, bits >>= 1) {
      byte_ |= static_cast<int>(bits & 1) << used_++;
      if (used_ == 7 && after_high_ && byte_ == 0x7f) flush();
      if (used_ == 8) flush();
    }
  }
  // In reverse order: the first is the segment's last byte.
  std::span<uint8_t> bytes() { return std::span(bytes_).first(size_); }
  int last_byte() const { return byte_; }
  int last_mask() const { return 0xff >> (8 - used_); }
  void flush() {
    bytes_[size_++] = static_cast<uint8_t>(byte_);
    after_high_ = byte_ > 0x8f;
    byte_ = 0;
    used_ = 0;
  }

 private:
  std::array<uint8_t, 4096> bytes_;
  size_t size_ = 1;
  int byte_ = 0xf;
  int used_ = 4;
  bool after_high_ = true;
};

// A quad: its samples' magnitudes minus one, doubled, with the sign as the lowest bit; and their
// exponents (7.3.2, table 1).
struct Quad {
  uint32_t values[4];
  int exponents[4];
  int rho;
  int greatest;
};

struct Coded {
  int rho;
  int excess;
};

template <class Sample>
class BlockEncoder {
 public:
  explicit BlockEncoder(const HtBlock<const Sample>& block, uint8_t* out)
      : block_(block), out_(out), mag_sgn_(out) {}

  size_t encode() {
    for (int y = 0; y < block_.height; y += 2) {
      neighbours_.begin_row();
      for (int x = 0; x < block_.width; x += 4) put_pair(x, y);
      neighbours_.end_row();
    }
    return any_ ? finish() : 0;
  }

 private:
  Quad read_quad(int x, int y) const {
    Quad quad{};
    for (int n = 0; n < 4; ++n) {
      const int column = x + n / 2, row = y + n % 2;
      if (column >= block_.width || row >= block_.height) continue;
      const int64_t sample = block_.samples[block_.stride * row + column];
      if (sample == 0) continue;
      const auto doubled = static_cast<uint32_t>(2 * std::abs(sample));
      quad.values[n] = doubled - 2 + (sample < 0 ? 1 : 0);
      quad.exponents[n] = bit_length(doubled - 1);
      quad.rho |= 1 << n;
      quad.greatest = std::max(quad.greatest, quad.exponents[n]);
    }
    return quad;
  }

  // Writes a quad's MEL, VLC and MagSgn bits, except the code of its excess.
  Coded put_quad(int x, int y) {
    const Quad quad = read_quad(x, y);
    const bool first_row = y == 0;
    const int c = neighbours_.context(x, first_row);
    const int known = neighbours_.bound_known(x, first_row, quad.rho);
    const int bound = std::max(quad.greatest, known);
    const int excess = bound - known;
    if (c == 0) mel_.put(quad.rho != 0);
    neighbours_.put_rho(quad.rho);
    neighbours_.put_exponent(x, quad.exponents[1]);
    neighbours_.put_exponent(x + 1, quad.exponents[3]);
    if (c == 0 && quad.rho == 0) return {0, 0};
    int at_bound = 0;
    for (int n = 0; n < 4 && excess > 0; ++n) {
      if (quad.exponents[n] == bound) at_bound |= 1 << n;
    }
    const unsigned entry =
        kHtEncodeTables[first_row ? 0 : 1][static_cast<size_t>(c << 8 | quad.rho << 4 | at_bound)];
    vlc_.put(entry >> kHtEncodeCodewordShift,
             static_cast<int>(entry >> kHtEncodeLengthShift & kHtEncodeLengthMask));
    for (int n = 0; n < 4; ++n) {
      if ((quad.rho >> n & 1) == 0) continue;
      mag_sgn_.put(quad.values[n], bound - static_cast<int>(entry >> n & 1));
      any_ = true;
    }
    return {quad.rho, excess};
  }

  void put_pair(int x, int y) {
    const int first = put_quad(x, y).excess;
    const int second = x + 2 < block_.width ? put_quad(x + 2, y).excess : 0;
    const bool both = y == 0 && first > 0 && second > 0;
    if (both) mel_.put(std::min(first, second) > 2);
    if (both && std::min(first, second) > 2) return put_excess(first - 2, second - 2);
    if (both && first > 2) {
      const HtExcessCode code = ht_excess_code(first);
      vlc_.put(code.prefix, code.prefix_bits);
      vlc_.put(static_cast<uint32_t>(second - 1), 1);
      return vlc_.put(code.suffix, code.suffix_bits);
    }
    put_excess(first, second);
  }
  void put_excess(int first, int second) {
    const HtExcessCode one = ht_excess_code(first), other = ht_excess_code(second);
    vlc_.put(one.prefix, one.prefix_bits);
    vlc_.put(other.prefix, other.prefix_bits);
    vlc_.put(one.suffix, one.suffix_bits);
    vlc_.put(other.suffix, other.suffix_bits);
  }

  // Concatenates MagSgn, MEL and VLC. The last bytes of MEL and VLC may be merged (7.3.7).
  size_t finish() {
    mel_.finish_run();
    uint8_t* const suffix = out_ + mag_sgn_.finish();
    uint8_t* to = suffix;
    const auto mel = mel_.bytes();
    to = std::copy(mel.begin(), mel.end(), to);
    const int one = mel_.last_byte(), other = vlc_.last_byte(), both = one | other;
    if ((mel_.last_mask() | vlc_.last_mask()) != 0) {
      const bool agree = ((both ^ one) & mel_.last_mask()) == 0 &&
                         ((both ^ other) & vlc_.last_mask()) == 0 && both != 0xff &&
                         vlc_.bytes().size() > 1;
      *to++ = static_cast<uint8_t>(agree ? both : one);
      if (!agree) vlc_.flush();
    }
    const auto vlc = vlc_.bytes();
    to = std::copy(vlc.rbegin(), vlc.rend(), to);
    const auto length = to - suffix;
    to[-1] = static_cast<uint8_t>(length >> 4);
    to[-2] = static_cast<uint8_t>((to[-2] & 0xf0) | (length & 15));
    return static_cast<size_t>(to - out_);
  }

  HtBlock<const Sample> block_;
  uint8_t* out_;
  MagSgnWriter mag_sgn_;
  MelWriter mel_;
  VlcWriter vlc_;
  HtNeighbours neighbours_;
  bool any_ = false;
};

}  // namespace

size_t ht_encode(const HtBlock<const int16_t>& block, uint8_t* out) {
  return BlockEncoder<int16_t>(block, out).encode();
}
size_t ht_encode(const HtBlock<const int32_t>& block, uint8_t* out) {
  return BlockEncoder<int32_t>(block, out).encode();
}

}  // namespace codecs::reference
