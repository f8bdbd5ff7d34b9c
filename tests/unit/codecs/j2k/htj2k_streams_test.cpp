// High-throughput codestreams of every order and shape, made by OpenJPH's tools, with known decoded
// pixels. Most show one picture of 61×47 or 60×46 pixels, or 43×35 of them. Those named own_… were
// written by codestream_rewriter.h: they contain the data of others in an order or form that no
// tool writes. Those without options were written by OpenJPH's library.
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_header.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace codecs::test {
namespace {

struct Stream {
  const char* name;
  const char* options;  // options of ojph_compress
  uint64_t pixels;      // FNV-1a hash of the pixels
  uint64_t halved;
};

// Prints the name if a test fails.
void PrintTo(const Stream& stream, std::ostream* out) {
  *out << stream.name;
}

constexpr Stream kStreams[] = {
    {"grey_lossy", "-qstep 0.005", 0x0fc58f2fbe525703, 0x1b3bc719710b34c5},
    {"rgb_12_bits", "-reversible true", 0x8d2999c6c50a83c1, 0x542a03841e1ddc98},
    {"rgb_cprl_precincts",
     "-reversible true -prog_order CPRL -precincts {32,64} -block_size {16,32}", 0x9ad8fdc36ae73c3a,
     0xd10b5ad959ee253b},
    {"rgb_lrcp_precincts", "-reversible true -prog_order LRCP -precincts {16,16},{32,32}",
     0x9ad8fdc36ae73c3a, 0xd10b5ad959ee253b},
    {"rgb_no_levels", "-reversible true -num_decomps 0", 0x9ad8fdc36ae73c3a, 0},
    {"rgb_pcrl_lossy_tiles", "-qstep 0.02 -prog_order PCRL -tile_size {33,47} -precincts {32,32}",
     0x32f8e95271a1c152, 0x146e5215cfd14f4a},
    {"rgb_pcrl_tiles_precincts",
     "-reversible true -prog_order PCRL -tile_size {40,40} -precincts {8,8},{16,8} "
     "-block_size {8,8}",
     0x9ad8fdc36ae73c3a, 0xa38358d42aa072f6},
    {"rgb_plain_tiles_1_level",
     "-reversible true -colour_trans false -tile_size {40,40} -num_decomps 1 -block_size {4,32}",
     0x9ad8fdc36ae73c3a, 0x39621bbf5588e080},
    {"rgb_plain_tiles_3_levels",
     "-reversible true -colour_trans false -tile_size {40,40} -num_decomps 3 -block_size {8,8} "
     "-precincts {16,16}",
     0x9ad8fdc36ae73c3a, 0x39621bbf5588e080},
    {"rgb_plain_color", "-reversible true -colour_trans false -num_decomps 2", 0x9ad8fdc36ae73c3a,
     0xb4b1beefaa94603c},
    {"rgb_rlcp_tiles", "-reversible true -prog_order RLCP -tile_size {32,24} -num_decomps 3",
     0x9ad8fdc36ae73c3a, 0xdc1800f5cbaeccef},
    {"rgb_rpcl_lossy", "-qstep 0.01 -prog_order RPCL", 0xb0038845ebc863db, 0x9e2a1b09eb148f65},
    {"rgb_rpcl_wide_blocks", "-reversible true -prog_order RPCL -block_size {4,256}",
     0x9ad8fdc36ae73c3a, 0xd10b5ad959ee253b},
    {"yuv_420_cprl", "-reversible true -prog_order CPRL -precincts {16,16}", 0xbfbc433bd772745b,
     0xce939791a9e0fee4},
    {"yuv_422_pcrl_lossy", "-qstep 0.01 -prog_order PCRL -precincts {16,32}", 0x0672d12672580b10,
     0x2e706cc3778af5ca},
    {"offset_far",
     "-reversible true -image_offset {1000003,70001} -tile_offset {1000000,70000} "
     "-tile_size {30,60} -num_decomps 3",
     0xa95765ee58b743b8, 0xd98cfc94145cc4b7},
    {"offset_lossy", "-qstep 0.02 -image_offset {1,1} -tile_size {70,60}", 0x5402025bf687ce86,
     0x748d8479a8c3bdb4},
    {"offset_tiles",
     "-reversible true -prog_order PCRL -image_offset {5,3} -tile_offset {2,1} -tile_size {23,19} "
     "-precincts {16,16},{32,32} -num_decomps 2",
     0xa95765ee58b743b8, 0x555ef14a81ce7cb5},
    {"offset_yuv_420", "-reversible true -prog_order CPRL -image_offset {3,1} -tile_size {63,47}",
     0x22566656f351f3aa, 0xa10d8039b80ee09a},
    {"signed_two_components", "", 0x776b7c0d1e53fe66, 0xb2cbf58d750f88ab},
    {"five_components", "", 0x827e3a46a10def69, 0xd4814e7a8f988ab9},
    {"own_order_changes", "", 0x9ad8fdc36ae73c3a, 0xd10b5ad959ee253b},
    {"own_order_changes_of_tiles", "", 0x32f8e95271a1c152, 0x146e5215cfd14f4a},
    {"own_headers_in_main", "", 0x9ad8fdc36ae73c3a, 0xdc1800f5cbaeccef},
    {"own_headers_in_parts", "", 0xbfbc433bd772745b, 0xce939791a9e0fee4},
    {"own_coding_of_tiles", "", 0x9ad8fdc36ae73c3a, 0x39621bbf5588e080},
    {"own_coding_of_components", "", 0x9ad8fdc36ae73c3a, 0x39621bbf5588e080},
};

uint64_t hash_of(const Bytes& bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

class Htj2kStreams : public testing::TestWithParam<Stream> {
 protected:
  void SetUp() override {
    const auto header = read_j2k_header(bytes_);
    ASSERT_TRUE(header);
    header_ = *header;
  }
  Bytes bytes_ = read_stream(GetParam().name);
  J2kHeader header_;
};

TEST_P(Htj2kStreams, ShowWhatIsKnownAtEveryLevel) {
  for (const CpuLevel cpu : available_levels()) {
    const auto decoder = make_htj2k_decoder(cpu);
    EXPECT_EQ(hash_of(decode(*decoder, bytes_, header_, 0)), GetParam().pixels);
    if (header_.levels == 0) continue;
    EXPECT_EQ(hash_of(decode(*decoder, bytes_, header_, 1)), GetParam().halved);
  }
}

TEST_P(Htj2kStreams, ShowWhatTheirDecoderShows) {
  // An error of one in a sample becomes larger in the colours.
  const int most = header_.reversible ? 0 : header_.chroma_step_x == 1 ? 1 : 3;
  for (int reduction = 0; reduction <= std::min(header_.levels, 1); ++reduction) {
    const Bytes ours = decode(*make_htj2k_decoder(detect_cpu()), bytes_, header_, reduction);
    const Bytes theirs = decode(*make_openjpeg_decoder(), bytes_, header_, reduction);
    EXPECT_LE(greatest_difference(ours, theirs), most) << reduction;
  }
}

TEST_P(Htj2kStreams, AreRefusedWhenCutAnywhere) {
  const auto decoder = make_htj2k_decoder(detect_cpu());
  // The last two bytes are EOC, which is optional.
  for (size_t size = 0; size + 2 < bytes_.size(); ++size) {
    const Bytes cut(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_TRUE(decode(*decoder, cut, header_, 0).empty()) << size;
  }
}

// The last tile-part has no length here, so only packets and code-blocks can reveal the cut.
TEST_P(Htj2kStreams, AreRefusedWhenTheirLastPartIsCutAnywhere) {
  size_t last = read_j2k_main_header(bytes_)->bytes;
  for (;;) {
    const auto part = read_j2k_tile_part(bytes_, last);
    ASSERT_TRUE(part);
    if (part->end + 2 >= bytes_.size()) break;
    last = part->end;
  }
  constexpr size_t kPlaceOfLength = 6;
  std::fill_n(bytes_.begin() + static_cast<ptrdiff_t>(last + kPlaceOfLength), 4, uint8_t{0});
  const auto decoder = make_htj2k_decoder(detect_cpu());
  ASSERT_FALSE(decode(*decoder, bytes_, header_, 0).empty());
  for (size_t size = last; size + 2 < bytes_.size(); ++size) {
    const Bytes cut(bytes_.begin(), bytes_.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_TRUE(decode(*decoder, cut, header_, 0).empty()) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Peers, Htj2kStreams, testing::ValuesIn(kStreams),
                         [](const auto& stream) { return std::string(stream.param.name); });

}  // namespace
}  // namespace codecs::test
