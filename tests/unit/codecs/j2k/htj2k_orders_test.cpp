// Legal high-throughput codestreams that no available tool writes: progression changes, packed
// packet headers, per-component and per-tile coding. They contain the data of OpenJPH's
// codestreams, so the decoded result is known; OpenJPEG's decoder reads them, too.
#include <gtest/gtest.h>

#include <random>

#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"
#include "tests/unit/codecs/htj2k/codestream_rewriter.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace codecs::test {
namespace {

using Headers = Rewriting::Headers;
using Coding = Rewriting::Coding;

// Random runs, then one with all remaining packets.
std::vector<PacketRun> any_runs(std::mt19937& random) {
  const auto below = [&](unsigned end) { return static_cast<int>(random() % end); };
  std::vector<PacketRun> runs(static_cast<size_t>(below(4)));
  for (PacketRun& run : runs) {
    run.order = static_cast<Progression>(below(5));
    run.first_resolution = below(3);
    run.end_resolution = run.first_resolution + 1 + below(4);
    run.first_component = below(2);
    run.end_component = run.first_component + 1 + below(3);
    run.end_layer = 1 + below(3);
  }
  runs.push_back({.order = static_cast<Progression>(below(5))});
  return runs;
}

Rewriting any_rewriting(std::mt19937& random) {
  Rewriting how;
  how.runs = any_runs(random);
  how.order_in_tiles = random() % 2 == 0;
  how.layers = 1 + static_cast<int>(random() % 3);
  how.parts = 1 + static_cast<int>(random() % 4);
  how.parts_in_turn = random() % 2 == 0;
  how.headers = static_cast<Headers>(random() % 3);
  how.packet_markers = random() % 2 == 0;
  how.coding = static_cast<Coding>(random() % 4);
  return how;
}

// OpenJPEG reads packet headers of the main header tile after tile.
bool is_for_openjpeg(const Rewriting& how) {
  return how.headers != Headers::kInMainHeader || !how.parts_in_turn;
}

class Htj2kOrders : public testing::TestWithParam<const char*> {};

TEST_P(Htj2kOrders, ShowTheSameHoweverTheyAreOrdered) {
  const Bytes source = read_stream(GetParam());
  const auto header = read_j2k_header(source);
  ASSERT_TRUE(header);
  const auto ours = make_htj2k_decoder(detect_cpu());
  const auto theirs = make_openjpeg_decoder();
  const Bytes whole = decode(*ours, source, *header, 0);
  const Bytes half = decode(*ours, source, *header, 1);
  const Bytes theirs_whole = decode(*theirs, source, *header, 0);
  ASSERT_FALSE(whole.empty());
  std::mt19937 random(1);
  for (int i = 0; i < 60; ++i) {
    const Rewriting how = any_rewriting(random);
    const Bytes bytes = rewrite_codestream(std::span(&source, 1), how);
    EXPECT_EQ(decode(*ours, bytes, *header, 0), whole) << i;
    EXPECT_EQ(decode(*ours, bytes, *header, 1), half) << i;
    if (!is_for_openjpeg(how)) continue;
    EXPECT_EQ(decode(*theirs, bytes, *header, 0), theirs_whole) << i;
  }
}

TEST_P(Htj2kOrders, AreRefusedWhenCutAnywhere) {
  const Bytes source = read_stream(GetParam());
  const auto header = read_j2k_header(source);
  ASSERT_TRUE(header);
  const auto decoder = make_htj2k_decoder(detect_cpu());
  std::mt19937 random(2);
  for (int i = 0; i < 6; ++i) {
    const Bytes bytes = rewrite_codestream(std::span(&source, 1), any_rewriting(random));
    // The last two bytes are EOC, which is optional.
    for (size_t size = 0; size + 2 < bytes.size(); size += size < 300 ? 1 : 13) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
      ASSERT_TRUE(decode(*decoder, cut, *header, 0).empty()) << i << ' ' << size;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Peers, Htj2kOrders,
                         testing::Values("grey_lossy", "rgb_lrcp_precincts", "rgb_pcrl_lossy_tiles",
                                         "rgb_pcrl_tiles_precincts", "rgb_rlcp_tiles",
                                         "rgb_rpcl_wide_blocks", "yuv_420_cprl",
                                         "yuv_422_pcrl_lossy", "offset_tiles", "offset_yuv_420",
                                         "five_components"),
                         [](const auto& name) { return std::string(name.param); });

// Mixes two lossless codestreams of one picture with different levels, code-blocks and precincts.
TEST(Htj2kOwnCoding, OfComponentsAndTilesShowsTheSame) {
  const Bytes sources[] = {read_stream("rgb_plain_tiles_3_levels"),
                           read_stream("rgb_plain_tiles_1_level")};
  const auto header = read_j2k_header(sources[0]);
  ASSERT_TRUE(header);
  const auto ours = make_htj2k_decoder(detect_cpu());
  const auto theirs = make_openjpeg_decoder();
  const Bytes whole = decode(*ours, sources[0], *header, 0);
  ASSERT_FALSE(whole.empty());
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    Rewriting how = any_rewriting(random);
    const bool of_tiles = how.coding == Coding::kForAll || how.coding == Coding::kOfTiles;
    how.coding = of_tiles ? Coding::kOfTiles : how.coding;
    const bool may_differ_by_tile = how.coding != Coding::kOfComponents;
    how.source = [=](int tile, int component) -> size_t {
      return static_cast<size_t>((may_differ_by_tile ? tile : 0) + (of_tiles ? 0 : component)) % 2;
    };
    const Bytes bytes = rewrite_codestream(sources, how);
    const auto rewritten = read_j2k_header(bytes);
    ASSERT_TRUE(rewritten);
    EXPECT_EQ(rewritten->levels, 1);  // the levels that all components have
    EXPECT_EQ(decode(*ours, bytes, *header, 0), whole) << i;
    EXPECT_FALSE(decode(*ours, bytes, *header, 1).empty()) << i;
    EXPECT_TRUE(decode(*ours, bytes, *header, 2).empty()) << i;
    if (!is_for_openjpeg(how)) continue;
    EXPECT_EQ(decode(*theirs, bytes, *header, 0), whole) << i;
  }
}

// A codestream with everything in the main header, modified by hand.
class Htj2kBrokenHeaders : public testing::Test {
 protected:
  static Bytes written(Headers headers, Coding coding = Coding::kOfComponents) {
    const Bytes source = read_stream("rgb_lrcp_precincts");
    Rewriting how;
    how.runs = {{.order = Progression::kRlcp, .end_resolution = 2}, {.order = Progression::kCprl}};
    how.parts = 2;
    how.headers = headers;
    how.coding = coding;
    return rewrite_codestream(std::span(&source, 1), how);
  }
  static size_t position_of(const Bytes& bytes, uint16_t marker) {
    for (size_t i = 0; i + 1 < bytes.size(); ++i) {
      if ((bytes[i] << 8 | bytes[i + 1]) == marker) return i;
    }
    ADD_FAILURE() << "no marker";
    return 0;
  }
  bool shows(const Bytes& bytes) {
    const auto header = read_j2k_header(bytes);
    return header && !decode(*decoder_, bytes, *header, 0).empty();
  }
  // Duplicates the segment at this position.
  static Bytes doubled(const Bytes& bytes, size_t at) {
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
    const Bytes segment(begin, begin + 2 + (begin[2] << 8 | begin[3]));
    Bytes more = bytes;
    more.insert(more.begin() + static_cast<ptrdiff_t>(at), segment.begin(), segment.end());
    return more;
  }
  static Bytes changed(Bytes bytes, size_t at, uint8_t to) {
    bytes[at] = to;
    return bytes;
  }

 private:
  std::unique_ptr<J2kDecoder> decoder_ = make_htj2k_decoder(detect_cpu());
};

TEST_F(Htj2kBrokenHeaders, OfComponentsAreRefused) {
  const Bytes good = written(Headers::kInPackets);
  EXPECT_TRUE(shows(good));
  const size_t coc = position_of(good, kCoc), qcc = position_of(good, kQcc);
  EXPECT_FALSE(shows(doubled(good, coc)));
  EXPECT_FALSE(shows(doubled(good, qcc)));
  EXPECT_FALSE(shows(changed(good, coc + 4, 3))) << "no such component";
  EXPECT_FALSE(shows(changed(good, qcc + 4, 3))) << "no such component";
  EXPECT_FALSE(shows(changed(good, coc + 5, 2))) << "style";
  EXPECT_FALSE(shows(changed(good, coc + 6, 6))) << "more levels than precincts";
  EXPECT_FALSE(shows(changed(good, coc + 9, 0))) << "Part 1";
  EXPECT_FALSE(shows(changed(good, coc + 10, 0))) << "another wavelet than the others";
}

TEST_F(Htj2kBrokenHeaders, OfOrdersAreRefused) {
  const Bytes good = written(Headers::kInPackets);
  const size_t poc = position_of(good, kPoc);
  EXPECT_FALSE(shows(changed(good, poc + 10, 5))) << "no such order";
  EXPECT_FALSE(shows(changed(good, poc + 3, 15))) << "not all of a run";
  EXPECT_FALSE(shows(changed(good, poc + 12, 3))) << "packets that no run has";
  Bytes many = good;
  for (int i = 0; i < 15; ++i) many = doubled(many, poc);
  EXPECT_TRUE(shows(many));
  EXPECT_FALSE(shows(doubled(many, poc))) << "more runs than are taken";
}

TEST_F(Htj2kBrokenHeaders, OfPackedHeadersAreRefused) {
  const Bytes in_main = written(Headers::kInMainHeader);
  const Bytes in_parts = written(Headers::kInTileParts);
  EXPECT_TRUE(shows(in_main));
  EXPECT_TRUE(shows(in_parts));
  const size_t ppm = position_of(in_main, kPpm), ppt = position_of(in_parts, kPpt);
  EXPECT_FALSE(shows(doubled(in_main, ppm))) << "a place twice";
  EXPECT_FALSE(shows(changed(in_main, ppm + 5, 0x7f))) << "a share beyond the end";
  EXPECT_FALSE(shows(changed(in_main, ppm + 8, in_main[ppm + 8] - 1))) << "too small a share";
  EXPECT_FALSE(shows(changed(in_parts, ppt + 4, 9))) << "in another order";
  Bytes both = in_parts;
  both.insert(both.begin() + static_cast<ptrdiff_t>(position_of(in_parts, kSot)),
              in_main.begin() + static_cast<ptrdiff_t>(ppm),
              in_main.begin() + static_cast<ptrdiff_t>(position_of(in_main, kSot)));
  EXPECT_FALSE(shows(both)) << "in both places";
}

}  // namespace
}  // namespace codecs::test
