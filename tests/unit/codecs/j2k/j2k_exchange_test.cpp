// Codestreams exchanged with other programs: OpenJPEG's and OpenJPH's tools, FFmpeg.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr int kWidth = 152, kHeight = 91;

class J2kExchange : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }

  static bool run(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1 </dev/null").c_str()) == 0;
  }

  void write(const std::string& name, std::span<const uint8_t> bytes) const {
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  Bytes read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void write_ppm(const std::string& name, const Picture& picture) const {
    const std::string head =
        "P6\n" + std::to_string(picture.width) + " " + std::to_string(picture.height) + "\n255\n";
    Bytes bytes(head.begin(), head.end());
    bytes.insert(bytes.end(), picture.rgb.begin(), picture.rgb.end());
    write(name, bytes);
  }
  // Returns the pixels of a PPM, which are at its end.
  Bytes read_ppm(const std::string& name) const {
    const Bytes bytes = read(name);
    constexpr size_t kPixelBytes = size_t{kWidth} * kHeight * 3;
    if (bytes.size() < kPixelBytes) return {};
    return {bytes.end() - kPixelBytes, bytes.end()};
  }

  Bytes encode(CodecId codec, const J2kQuality& quality) const {
    const Frame frame = make_frame(picture_, PixelFormat::kRgb);
    Bytes out(max_block_bytes(codec, kWidth, kHeight));
    const auto prefix =
        make_j2k_encoder(codec)->encode(frame.view, 0, 0, kWidth, kHeight, quality, out);
    out.resize(prefix ? prefix->front() : 0);
    return out;
  }

  // Decodes a file to red, green, blue with our decoder; empty if it fails.
  Bytes decode(CodecId codec, const std::string& name) const {
    const Bytes bytes = read(name);
    Bytes bgra(size_t{kWidth} * kHeight * 4), rgb;
    J2kTarget target;
    target.width = kWidth;
    target.height = kHeight;
    target.pixels = {bgra.data(), ptrdiff_t{4} * kWidth};
    if (!make_j2k_decoder(codec)->decode(bytes, target)) return {};
    for (size_t i = 0; i < bgra.size(); i += 4) {
      rgb.insert(rgb.end(), {bgra[i + 2], bgra[i + 1], bgra[i]});
    }
    return rgb;
  }

  const Picture picture_ = make_picture(Content::kPhotograph, kWidth, kHeight);

 private:
  const sail::TempFolder folder_;
};

TEST_F(J2kExchange, OpenJpegReadsBothOfOurs) {
  for (const CodecId codec : {CodecId::kJ2k, CodecId::kHtj2k}) {
    write("ours.j2k", encode(codec, {.lossless = true}));
    ASSERT_TRUE(run("opj_decompress -i " + path("ours.j2k") + " -o " + path("ours.ppm")));
    EXPECT_EQ(read_ppm("ours.ppm"), picture_.rgb);
  }
}

TEST_F(J2kExchange, OpenJphReadsOurs) {
  write("ours.j2c", encode(CodecId::kHtj2k, {.lossless = true}));
  ASSERT_TRUE(run("ojph_expand -i " + path("ours.j2c") + " -o " + path("ours.ppm")));
  EXPECT_EQ(read_ppm("ours.ppm"), picture_.rgb);
}

TEST_F(J2kExchange, FfmpegReadsOurPart1) {
  write("ours.j2k", encode(CodecId::kJ2k, {.lossless = true}));
  ASSERT_TRUE(run("ffmpeg -y -i " + path("ours.j2k") + " -pix_fmt rgb24 " + path("ours.ppm")));
  EXPECT_EQ(read_ppm("ours.ppm"), picture_.rgb);
}

TEST_F(J2kExchange, WeReadOpenJpegs) {
  write_ppm("theirs.ppm", picture_);
  for (const char* options : {"", "-t 64,64 -p CPRL", "-n 3 -c [128,128] -b 32,32 -SOP -EPH",
                              "-r 8,4,1 -p LRCP", "-TP R -p RLCP -PLT"}) {
    ASSERT_TRUE(
        run("opj_compress -i " + path("theirs.ppm") + " -o " + path("theirs.j2k") + " " + options));
    EXPECT_EQ(decode(CodecId::kJ2k, "theirs.j2k"), picture_.rgb) << options;
  }
}

TEST_F(J2kExchange, WeReadOpenJphs) {
  write_ppm("theirs.ppm", picture_);
  for (const char* options :
       {"", "-prog_order CPRL -num_decomps 3", "-block_size \"{32,32}\"", "-prog_order LRCP",
        "-prog_order PCRL", "-prog_order RLCP", "-tile_size \"{64,64}\"",
        "-tile_size \"{33,47}\" -prog_order PCRL", "-precincts \"{128,128},{64,64}\"",
        "-precincts \"{32,16},{16,32},{16,16}\" -prog_order CPRL",
        "-precincts \"{32,16},{16,32},{16,16}\" -prog_order PCRL",
        "-precincts \"{32,16},{16,32},{16,16}\" -prog_order RPCL -tile_size "
        "\"{57,39}\"",
        "-block_size \"{4,1024}\"", "-block_size \"{1024,4}\""}) {
    ASSERT_TRUE(run("ojph_compress -i " + path("theirs.ppm") + " -o " + path("theirs.j2c") +
                    " -reversible true " + options));
    EXPECT_EQ(decode(CodecId::kHtj2k, "theirs.j2c"), picture_.rgb) << options;
  }
}

TEST_F(J2kExchange, WeReadFfmpegs) {
  write_ppm("theirs.ppm", picture_);
  ASSERT_TRUE(run("ffmpeg -y -i " + path("theirs.ppm") +
                  " -c:v jpeg2000 -format j2k -pred 1 -pix_fmt rgb24 -f rawvideo " +
                  path("theirs.j2k")));
  EXPECT_EQ(decode(CodecId::kJ2k, "theirs.j2k"), picture_.rgb);
}

}  // namespace
}  // namespace codecs::test
