// Carried films whose pictures change their size, from the file to the decoded picture, against the
// same films decoded by FFmpeg's own chain.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "receiver/decoder/carried_decoder.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source_carried.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace receiver {
namespace {

using Planes = std::vector<uint8_t>;

constexpr sail::Size kBefore{128, 96};
constexpr sail::Size kAfter{192, 64};
constexpr int kPartFrames = 30;
constexpr int64_t kPartFrameNs = 40 * sail::kMillisecondNs;

size_t plane_bytes(sail::Size size) {
  return static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 3 / 2;
}

// Y, then U, then V.
Planes all_planes(const sail::Picture& picture) {
  Planes bytes;
  for (int plane = 0; plane < 3; ++plane) {
    const int halving = plane == 0 ? 1 : 2;
    for (int row = 0; row < picture.size.height / halving; ++row) {
      const uint8_t* from =
          picture.pixels.planes[plane] + picture.pixels.strides[plane] * ptrdiff_t{row};
      bytes.insert(bytes.end(), from, from + picture.size.width / halving);
    }
  }
  return bytes;
}

// As a receiver, which opens a stream for each size, shows the pictures.
class Shown {
 public:
  Planes show(const sail::Picture& picture) {
    if (!decoder_ || picture.size != size_) {
      size_ = picture.size;
      decoder_.emplace(picture.compressed->codec.id, size_);
      plain_.emplace(codecs::max_block_bytes(codecs::CodecId::kRaw, size_.width, size_.height));
    }
    EXPECT_NE(decoder_->decode(picture.compressed->bytes, *plain_), CarriedDecoder::Outcome::kNone)
        << fault_text(decoder_->fault(), size_);
    return {plain_->data(), plain_->data() + plane_bytes(size_)};
  }

 private:
  sail::Size size_;
  std::optional<CarriedDecoder> decoder_;
  std::optional<PlainBlock> plain_;
};

class CarriedChange : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    add_part("before", kBefore);
    add_part("after", kAfter);
    const std::string list = folder_.file("list");
    std::ofstream(list) << "file 'before" << container() << "'\nfile 'after" << container()
                        << "'\n";
    film_ = sail::make_clip(folder_, "film" + container(), "-f concat -i " + list + " -c copy");
  }
  std::string container() const { return GetParam().first; }

  void add_part(const std::string& name, sail::Size size) {
    const std::string part =
        sail::make_clip(folder_, name + container(),
                        "-f lavfi -i testsrc2=r=25:s=" + std::to_string(size.width) + "x" +
                            std::to_string(size.height) + " -pix_fmt yuv420p -frames:v " +
                            std::to_string(kPartFrames) + " " + GetParam().second);
    const auto source = sail::open_clip(part);
    for (int n = 0; source && n < kPartFrames; ++n) {
      wanted_.push_back(all_planes(sail::next_picture(*source)));
    }
  }
  void expect_frames(sail::Source& source, int first, int end) {
    Shown shown;
    for (int n = first; n < end; ++n) {
      const sail::Picture picture = sail::next_picture(source);
      ASSERT_TRUE(picture.compressed) << n;
      EXPECT_EQ(picture.size, n < kPartFrames ? kBefore : kAfter) << n;
      EXPECT_EQ(picture.display_size, picture.size) << n;
      EXPECT_TRUE(shown.show(picture) == wanted_[static_cast<size_t>(n)]) << n;
    }
  }

  const sail::TempFolder folder_;
  std::string film_;
  std::vector<Planes> wanted_;
};

TEST_P(CarriedChange, IsFollowedWithEachPicture) {
  const auto source = sail::open_carried(film_, {});
  ASSERT_TRUE(source) << source.error().message;
  expect_frames(**source, 0, 2 * kPartFrames);
  EXPECT_TRUE(sail::times_ms(**source).empty());
}

TEST_P(CarriedChange, IsFollowedBySeeks) {
  const auto source = sail::open_carried(film_, {});
  ASSERT_TRUE(source) << source.error().message;
  for (const int frame : {kPartFrames + 20, 5, kPartFrames, kPartFrames - 1, kPartFrames + 1}) {
    // In the middle of a frame: containers round times.
    ASSERT_TRUE((*source)->seek(frame * kPartFrameNs + kPartFrameNs / 2));
    expect_frames(**source, frame, frame + 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Films, CarriedChange,
                         testing::Values(std::pair(".ts", "-c:v libx264 -g 12 -bf 2"),
                                         std::pair(".mkv",
                                                   "-c:v libvpx-vp9 -g 12 -deadline realtime"),
                                         std::pair(".avi", "-c:v mjpeg -q:v 3")),
                         [](const auto& film) { return std::string(film.param.first + 1); });

// A programme that begins again, of another size, at the same address.
TEST(CarriedChanges, AreFollowedWhereTheTimesGoBack) {
  const sail::TempFolder folder;
  std::ofstream both(folder.file("both.ts"), std::ios::binary);
  for (const char* size : {"128x96", "192x64"}) {
    const std::string part =
        sail::make_clip(folder, std::string(size) + ".ts",
                        std::string("-f lavfi -i testsrc2=r=25:s=") + size +
                            " -pix_fmt yuv420p -frames:v 50 -c:v libx264 -g 25 -bf 2");
    both << std::ifstream(part, std::ios::binary).rdbuf();
  }
  both.close();
  const auto source = sail::open_carried(folder.file("both.ts"), {});
  ASSERT_TRUE(source) << source.error().message;
  Shown shown;
  std::vector<int> widths;
  for (int n = 0; n < 100; ++n) {
    const sail::Picture picture = sail::next_picture(**source);
    if (widths.empty() || widths.back() != picture.size.width) widths.push_back(picture.size.width);
    shown.show(picture);
  }
  EXPECT_EQ(widths, (std::vector{kBefore.width, kAfter.width}));
}

TEST(CarriedChanges, ToPicturesThatMustBeDecodedEndTheFilmInWords) {
  const sail::TempFolder folder;
  std::ofstream both(folder.file("both.ts"), std::ios::binary);
  for (const char* format : {"yuv420p", "yuv420p10le"}) {
    const std::string part = sail::make_clip(
        folder, std::string(format) + ".ts",
        std::string(
            "-f lavfi -i testsrc2=r=25:s=128x96 -frames:v 50 -c:v libx264 -g 25 -pix_fmt ") +
            format);
    both << std::ifstream(part, std::ios::binary).rdbuf();
  }
  both.close();
  const auto source = sail::open_carried(folder.file("both.ts"), {});
  ASSERT_TRUE(source) << source.error().message;
  for (int n = 0; n < 50; ++n) sail::next_picture(**source);
  const auto end = (*source)->next();
  ASSERT_FALSE(end);
  EXPECT_NE(end.error().message.find("8 bits"), std::string::npos) << end.error().message;
  const auto after = (*source)->next();
  EXPECT_TRUE(after && !*after);
}

}  // namespace
}  // namespace receiver
