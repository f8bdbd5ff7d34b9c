#include "codecs/fec/reed_solomon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <numeric>
#include <random>
#include <vector>

namespace codecs::test {
namespace {

using Symbol = std::vector<uint8_t>;

std::vector<Symbol> random_symbols(size_t count, size_t bytes, std::mt19937& random) {
  std::vector<Symbol> symbols(count, Symbol(bytes));
  for (Symbol& symbol : symbols) {
    for (uint8_t& byte : symbol) byte = static_cast<uint8_t>(random());
  }
  return symbols;
}

std::vector<const uint8_t*> pointers(const std::vector<Symbol>& symbols) {
  std::vector<const uint8_t*> out;
  for (const Symbol& symbol : symbols) out.push_back(symbol.data());
  return out;
}
std::vector<uint8_t*> pointers(std::vector<Symbol>& symbols) {
  std::vector<uint8_t*> out;
  for (Symbol& symbol : symbols) out.push_back(symbol.data());
  return out;
}

std::vector<Symbol> encode(ErasureEncoder& encoder, const std::vector<Symbol>& sources,
                           size_t parities) {
  std::vector<Symbol> out(parities, Symbol(sources[0].size()));
  encoder.encode(sources[0].size(), pointers(sources), pointers(out));
  return out;
}

// Multiplication in the field defined by the header, by long multiplication.
uint8_t product(uint8_t a, uint8_t b) {
  unsigned sum = 0;
  for (int bit = 0; bit < 8; ++bit) {
    if ((b >> bit & 1) != 0) sum ^= static_cast<unsigned>(a) << bit;
  }
  for (int bit = 14; bit >= 8; --bit) {
    if ((sum >> bit & 1) != 0) sum ^= 0x11dU << (bit - 8);
  }
  return static_cast<uint8_t>(sum);
}
uint8_t quotient(uint8_t a, uint8_t b) {
  for (int c = 0; c < 256; ++c) {
    if (product(static_cast<uint8_t>(c), b) == a) return static_cast<uint8_t>(c);
  }
  return 0;
}

// An FEC block with lost symbols, as a decoder receives it.
struct Group {
  std::vector<Symbol> sources;
  std::vector<Symbol> parities;

  // Drops these source symbols and uses these repair symbols. Returns the result; empty if refused.
  std::vector<Symbol> mend(ErasureDecoder& decoder, const std::vector<size_t>& lost,
                           const std::vector<size_t>& taken) const {
    std::vector<const uint8_t*> here = pointers(sources);
    for (const size_t source : lost) here[source] = nullptr;
    std::vector<ErasureDecoder::Parity> parity;
    for (const size_t index : taken) {
      parity.push_back({static_cast<int>(index), parities[index].data()});
    }
    std::vector<Symbol> out(lost.size(), Symbol(sources[0].size()));
    if (!decoder.decode(sources[0].size(), here, parity, pointers(out))) return {};
    return out;
  }

  void expect_mended(ErasureDecoder& decoder, const std::vector<size_t>& lost,
                     const std::vector<size_t>& taken) const {
    const std::vector<Symbol> mended = mend(decoder, lost, taken);
    ASSERT_EQ(mended.size(), lost.size());
    for (size_t i = 0; i < lost.size(); ++i) ASSERT_EQ(mended[i], sources[lost[i]]);
  }
};

Group make_group(size_t sources, size_t parities, size_t bytes, uint32_t seed = 1) {
  std::mt19937 random(seed);
  ErasureEncoder encoder;
  Group group{random_symbols(sources, bytes, random), {}};
  group.parities = encode(encoder, group.sources, parities);
  return group;
}

std::vector<size_t> places_of(uint32_t bits) {
  std::vector<size_t> places;
  for (; bits != 0; bits &= bits - 1) places.push_back(static_cast<size_t>(std::countr_zero(bits)));
  return places;
}

TEST(ReedSolomon, ParityIsWhatTheHeaderSays) {
  const Group group = make_group(5, 3, 40);
  for (size_t i = 0; i < group.parities.size(); ++i) {
    for (size_t byte = 0; byte < 40; ++byte) {
      uint8_t sum = 0;
      for (size_t j = 0; j < group.sources.size(); ++j) {
        sum ^= quotient(group.sources[j][byte], static_cast<uint8_t>((255 - i) ^ j));
      }
      ASSERT_EQ(group.parities[i][byte], sum) << "parity " << i << ", byte " << byte;
    }
  }
}

TEST(ReedSolomon, EveryPatternOfSmallGroupsIsMended) {
  ErasureDecoder decoder;
  for (uint32_t sources = 1; sources <= 6; ++sources) {
    for (uint32_t parities = 1; parities <= 4; ++parities) {
      const Group group = make_group(sources, parities, 33, sources * 8 + parities);
      for (uint32_t lost = 0; lost < 1U << sources; ++lost) {
        for (uint32_t taken = 0; taken < 1U << parities; ++taken) {
          if (std::popcount(lost) > std::popcount(taken)) {
            EXPECT_TRUE(group.mend(decoder, places_of(lost), places_of(taken)).empty());
          } else {
            group.expect_mended(decoder, places_of(lost), places_of(taken));
          }
        }
      }
    }
  }
}

TEST(ReedSolomon, RandomPatternsOfLargeGroupsAreMended) {
  std::mt19937 random(5);
  ErasureDecoder decoder;
  for (const auto& [sources, parities] : {std::pair<size_t, size_t>{96, 96},
                                          {96, 12},
                                          {96, 1},
                                          {17, 96},
                                          {128, 127},
                                          {254, 1},
                                          {1, 254}}) {
    const Group group = make_group(sources, parities, 64);
    std::vector<size_t> places(sources);
    std::vector<size_t> indices(parities);
    std::iota(places.begin(), places.end(), size_t{0});
    std::iota(indices.begin(), indices.end(), size_t{0});
    for (int round = 0; round < 20; ++round) {
      std::ranges::shuffle(places, random);
      std::ranges::shuffle(indices, random);  // in any order
      const size_t count =
          round == 0 ? std::min(sources, parities) : 1 + random() % std::min(sources, parities);
      std::vector<size_t> lost(places.begin(), places.begin() + static_cast<ptrdiff_t>(count));
      std::ranges::sort(lost);
      group.expect_mended(decoder, lost,
                          {indices.begin(), indices.begin() + static_cast<ptrdiff_t>(count)});
    }
  }
}

// Each symbol is exactly sized, so that reads and writes beyond it are detected.
TEST(ReedSolomon, SymbolsOfAnyLength) {
  ErasureDecoder decoder;
  for (size_t bytes = 1; bytes <= 200; ++bytes) {
    make_group(9, 7, bytes).expect_mended(decoder, {0, 2, 3, 8}, {6, 1, 2, 4});
  }
}

TEST(ReedSolomon, ParityDoesNotDependOnHowManyAreAskedFor) {
  std::mt19937 random(3);
  ErasureEncoder encoder;  // reused, so it keeps state from the call before
  for (const size_t sources : {96, 40, 96, 1}) {
    const std::vector<Symbol> symbols = random_symbols(sources, 100, random);
    ErasureEncoder fresh;
    const std::vector<Symbol> all = encode(fresh, symbols, 96);
    for (const size_t parities : {3, 1, 12, 5, 96, 2}) {
      const std::vector<Symbol> some = encode(encoder, symbols, parities);
      EXPECT_TRUE(std::ranges::equal(some, std::span(all).first(parities)));
    }
  }
}

TEST(ReedSolomon, NumbersThatMakeNoSenseAreRefused) {
  const Group group = make_group(4, 4, 16);
  ErasureDecoder decoder;
  const std::vector<const uint8_t*> whole = pointers(group.sources);
  const std::vector<const uint8_t*> gaps = {whole[0], nullptr, whole[2], nullptr};
  const uint8_t* parity = group.parities[0].data();
  std::vector<Symbol> room(4, Symbol(16));
  const std::vector<uint8_t*> out = pointers(room);
  using Parities = std::vector<ErasureDecoder::Parity>;
  const auto refused = [&](size_t bytes, const std::vector<const uint8_t*>& sources,
                           const Parities& parities, const std::vector<uint8_t*>& missing) {
    return !decoder.decode(bytes, sources, parities, missing);
  };
  const Parities good = {{0, parity}, {1, group.parities[1].data()}};
  const std::vector<uint8_t*> two = {out[0], out[1]};
  EXPECT_FALSE(refused(16, gaps, good, two));

  EXPECT_TRUE(refused(0, gaps, good, two));
  EXPECT_TRUE(refused(size_t{INT_MAX} + 1, gaps, good, two));
  EXPECT_TRUE(refused(16, {}, good, {}));
  EXPECT_TRUE(refused(16, std::vector<const uint8_t*>(256, parity), {}, {}));
  EXPECT_TRUE(refused(16, gaps, good, {out[0]}));
  EXPECT_TRUE(refused(16, gaps, good, {out[0], out[1], out[2]}));
  EXPECT_TRUE(refused(16, gaps, good, {out[0], nullptr}));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}}, two));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}, {0, parity}}, two));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}, {-1, parity}}, two));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}, {251, parity}}, two));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}, {INT_MAX, parity}}, two));
  EXPECT_TRUE(refused(16, gaps, {{0, parity}, {1, nullptr}}, two));
  // With the maximum number of source symbols no index is left for a repair symbol.
  std::vector<const uint8_t*> full(255, parity);
  full[7] = nullptr;
  EXPECT_TRUE(refused(16, full, {{0, parity}}, {out[0]}));
}

}  // namespace
}  // namespace codecs::test
