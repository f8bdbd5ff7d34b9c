// The SigProp and MagRef passes, which our encoder does not write. The test makes codestreams with
// one code-block each; OpenJPEG and OpenJPH are the reference.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "codecs/ht/ht_block.h"
#include "codecs/j2k/j2k.h"
#include "tests/unit/codecs/color/pictures.h"
#include "tests/unit/codecs/htj2k/openjph_peer.h"

namespace codecs::test {
namespace {

constexpr int kPlanes = 8;  // bit planes of the magnitudes

struct Samples {
  int width;
  int height;
  std::vector<int> values;
  int at(int x, int y) const { return values[static_cast<size_t>(y * width + x)]; }
};

Samples make_samples(int width, int height, unsigned sparseness, unsigned seed) {
  std::mt19937 random(seed);
  Samples samples{width, height, std::vector<int>(static_cast<size_t>(width * height))};
  for (int& value : samples.values) {
    if (random() % (sparseness + 1) == 0) value = static_cast<int>(random() % 255) - 127;
    value >>= random() % 7;
  }
  return samples;
}

// Writes bits, lowest first. Forward: stuffs a bit after a 0xff byte; backward (MagRef): after a
// byte above 0x8f, if seven ones follow.
class BitWriter {
 public:
  explicit BitWriter(bool backward) : backward_(backward) {}

  void put(int bit) {
    byte_ |= bit << used_++;
    const bool stuffed = backward_ ? high_ && byte_ == 0x7f : high_;
    if (used_ == (stuffed ? 7 : 8)) flush();
  }
  Bytes finish() {
    if (used_ > 0) flush();
    if (!backward_ && high_) flush();
    if (backward_) std::reverse(bytes_.begin(), bytes_.end());
    return bytes_;
  }

 private:
  void flush() {
    bytes_.push_back(static_cast<uint8_t>(byte_));
    high_ = backward_ ? byte_ > 0x8f : byte_ == 0xff;
    byte_ = used_ = 0;
  }

  bool backward_;
  Bytes bytes_;
  int byte_ = 0;
  int used_ = 0;
  bool high_ = backward_;
};

// Output of the refinement passes for the lowest plane, and the resulting values.
class Refinement {
 public:
  // passes: with the cleanup pass; 2: without the magnitude refinement pass.
  Refinement(const Samples& samples, bool causal, int passes)
      : samples_(samples), causal_(causal), passes_(passes) {
    known_ = samples.values;
    for (int& value : known_) value = value / 2 * 2;
    before_ = known_;
    for (int y = 0; y < samples.height; y += 4) {
      for (int x = 0; x < samples.width; x += 4) propagate(x, y);
    }
    for (int y = 0; passes == 3 && y < samples.height; y += 4) {
      for (int x = 0; x < samples.width; ++x) refine(x, y);
    }
    // Decoders then take the middle of what is possible.
    for (size_t i = 0; passes == 2 && i < known_.size(); ++i) {
      if (before_[i] != 0) known_[i] += before_[i] < 0 ? -1 : 1;
    }
  }
  const std::vector<int>& known() const { return known_; }
  Bytes bytes() {
    Bytes all = sig_prop_.finish();
    if (passes_ == 2) return all;
    const Bytes last = mag_ref_.finish();
    all.insert(all.end(), last.begin(), last.end());
    return all;
  }

 private:
  size_t index(int x, int y) const { return static_cast<size_t>(y * samples_.width + x); }
  bool is_there(int x, int y, int top) const {
    if (x < 0 || y < 0 || x >= samples_.width || y >= samples_.height) return false;
    return (!causal_ || y < top + 4) && known_[index(x, y)] != 0;
  }
  bool has_neighbour(int x, int y, int top) const {
    for (int i = 0; i < 9; ++i) {
      if (i != 4 && is_there(x + i % 3 - 1, y + i / 3 - 1, top)) return true;
    }
    return false;
  }
  void propagate(int left, int top) {
    std::vector<int> found;
    for (int x = left; x < std::min(left + 4, samples_.width); ++x) {
      for (int y = top; y < std::min(top + 4, samples_.height); ++y) {
        if (before_[index(x, y)] != 0 || !has_neighbour(x, y, top)) continue;
        const int value = samples_.at(x, y);
        sig_prop_.put(value != 0 ? 1 : 0);
        known_[index(x, y)] = value;
        if (value != 0) found.push_back(value);
      }
    }
    for (const int value : found) sig_prop_.put(value < 0 ? 1 : 0);
  }
  void refine(int x, int top) {
    for (int y = top; y < std::min(top + 4, samples_.height); ++y) {
      if (before_[index(x, y)] == 0) continue;
      mag_ref_.put(std::abs(samples_.at(x, y)) & 1);
      known_[index(x, y)] = samples_.at(x, y);
    }
  }

  const Samples& samples_;
  bool causal_;
  int passes_;
  std::vector<int> known_, before_;
  BitWriter sig_prop_{false}, mag_ref_{true};
};

void put(Bytes& bytes, uint32_t value, int count) {
  while (count-- > 0) bytes.push_back(static_cast<uint8_t>(value >> 8 * count));
}

// The packet header's bits, highest first.
Bytes packet_header(size_t cleanup, size_t refinement, int passes) {
  std::vector<int> bits;
  const auto add = [&](uint32_t value, int count) {
    while (count-- > 0) bits.push_back(static_cast<int>(value >> count & 1));
  };
  constexpr int kLengthBits = 13;
  add(0b11, 2);         // the packet is not empty, and the block is in it
  add(1, kPlanes - 1);  // missing bit planes: all but two, that is, none
  passes == 3 ? add(0b1100, 4) : add(0b10, 2);
  add((1U << (kLengthBits - 3)) - 1, kLengthBits - 3);
  add(0, 1);
  add(static_cast<uint32_t>(cleanup), kLengthBits);
  add(static_cast<uint32_t>(refinement), kLengthBits + (passes == 3 ? 1 : 0));
  Bytes bytes;
  int byte = 0, left = 8;
  const auto push = [&](int bit) {
    byte = byte << 1 | bit;
    if (--left > 0) return;
    bytes.push_back(static_cast<uint8_t>(byte));
    left = byte == 0xff ? 7 : 8;
    byte = 0;
  };
  for (const int bit : bits) push(bit);
  while (left < 8) push(0);
  return bytes;
}

// One grey component, no transform, one block.
Bytes codestream(const Samples& samples, const Bytes& refinement, bool causal, int passes) {
  std::vector<int16_t> halved(samples.values.size());
  for (size_t i = 0; i < halved.size(); ++i) {
    halved[i] = static_cast<int16_t>(samples.values[i] / 2);
  }
  Bytes cleanup(kHtMostCleanupBytes);
  cleanup.resize(reference::ht_encode(
      HtBlock<const int16_t>{halved.data(), samples.width, samples.width, samples.height},
      cleanup.data()));
  Bytes out;
  const auto width = static_cast<uint32_t>(samples.width);
  const auto height = static_cast<uint32_t>(samples.height);
  put(out, 0xff4fff51, 4);
  put(out, 41, 2);
  put(out, 0x4000, 2);
  for (const uint32_t value : {width, height, 0U, 0U, width, height, 0U, 0U}) put(out, value, 4);
  put(out, 1, 2);
  put(out, 7 << 16 | 0x0101, 3);
  put(out, 0xff500008, 4);  // CAP
  put(out, 1 << 17, 4);
  put(out, 0, 2);
  put(out, 0xff52000c, 4);  // COD: LRCP, one layer, no level, 64×64
  put(out, 0x00000001, 4);
  put(out, 0x00000404, 4);
  put(out, causal ? 0x48 : 0x40, 1);
  put(out, 1, 1);
  put(out, 0xff5c0004, 4);  // QCD: one guard bit
  put(out, 1 << 5, 1);
  put(out, kPlanes << 3, 1);
  Bytes packet = packet_header(cleanup.size(), refinement.size(), passes);
  packet.insert(packet.end(), cleanup.begin(), cleanup.end());
  packet.insert(packet.end(), refinement.begin(), refinement.end());
  put(out, 0xff90000a, 4);
  put(out, 0, 2);
  put(out, static_cast<uint32_t>(packet.size() + 14), 4);
  put(out, 1, 2);
  put(out, 0xff93, 2);
  out.insert(out.end(), packet.begin(), packet.end());
  put(out, 0xffd9, 2);
  return out;
}

Bytes decode_samples(J2kDecoder& decoder, const Bytes& bytes, const Samples& samples) {
  GuardedPixels pixels(samples.width, samples.height);
  J2kTarget target;
  target.width = samples.width;
  target.height = samples.height;
  target.color = {ColorMatrix::kRgb, ColorRange::kFull};
  target.pixels = pixels.target();
  return decoder.decode(bytes, target) ? pixels.pixels() : Bytes{};
}

TEST(HtRefinement, IsReadAsThePeersReadIt) {
  constexpr std::array<std::array<int, 2>, 7> kSizes = {
      {{4, 4}, {5, 7}, {16, 16}, {33, 21}, {64, 64}, {61, 50}, {3, 64}}};
  const auto openjpeg = make_openjpeg_decoder();
  const auto openjph = make_openjph_decoder();
  unsigned seed = 0;
  for (const auto& [width, height] : kSizes) {
    for (const unsigned sparseness : {0U, 2U, 9U, 60U}) {
      for (const auto& [passes, causal] : {std::pair{2, false}, {2, true}, {3, false}, {3, true}}) {
        SCOPED_TRACE(testing::Message() << width << "×" << height << " sparseness " << sparseness
                                        << ", passes " << passes << (causal ? " causal" : ""));
        Samples samples = make_samples(width, height, sparseness, ++seed);
        samples.values[0] = 100;  // input for the cleanup pass
        Refinement refinement(samples, causal, passes);
        const Bytes bytes = codestream(samples, refinement.bytes(), causal, passes);
        Bytes expected;
        for (const int value : refinement.known()) {
          const auto level = static_cast<uint8_t>(value + 128);
          expected.insert(expected.end(), {level, level, level, 255});
        }
        for (const CpuLevel cpu : available_levels()) {
          EXPECT_EQ(decode_samples(*make_htj2k_decoder(cpu), bytes, samples), expected);
        }
        EXPECT_EQ(decode_samples(*openjph, bytes, samples), expected);
        EXPECT_EQ(decode_samples(*openjpeg, bytes, samples), expected);
      }
    }
  }
}

}  // namespace
}  // namespace codecs::test
