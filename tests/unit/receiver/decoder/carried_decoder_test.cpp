// Films by access units, from the file to the decoded picture, against the same films decoded by
// FFmpeg's own chain.
#include "receiver/decoder/carried_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sail/client/encode/carried_units.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source_carried.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace receiver {
namespace {

using sail::Picture;
using sail::TempFolder;
using Outcome = CarriedDecoder::Outcome;

constexpr int kFrames = 40;
constexpr int64_t kFrameNs = 40 * sail::kMillisecondNs;
constexpr sail::Size kSize{146, 98};

std::string moving_film(const std::string& codec) {
  return "-f lavfi -i testsrc2=s=146x98:r=25 -pix_fmt yuv420p -frames:v " +
         std::to_string(kFrames) + " " + codec;
}

std::vector<uint8_t> planes_of(const Picture& picture) {
  std::vector<uint8_t> bytes;
  const int chroma_width = (picture.size.width + 1) / 2,
            chroma_height = (picture.size.height + 1) / 2;
  for (int plane = 0; plane < 3; ++plane) {
    const int width = plane == 0 ? picture.size.width : chroma_width;
    const int height = plane == 0 ? picture.size.height : chroma_height;
    for (int row = 0; row < height; ++row) {
      const uint8_t* from =
          picture.pixels.planes[plane] + picture.pixels.strides[plane] * ptrdiff_t{row};
      bytes.insert(bytes.end(), from, from + width);
    }
  }
  return bytes;
}

// All pictures of the film, decoded as usual.
std::vector<std::vector<uint8_t>> decoded(const std::string& film) {
  std::vector<std::vector<uint8_t>> pictures;
  const auto source = sail::open_clip(film);
  while (source) {
    auto picture = source->next();
    if (!picture || !*picture) break;
    pictures.push_back(planes_of(**picture));
  }
  return pictures;
}

class Receiving {
 public:
  explicit Receiving(codecs::CodecId codec, sail::Size size = kSize)
      : size_(size),
        decoder_(codec, size),
        plain_(codecs::max_block_bytes(codecs::CodecId::kRaw, size.width, size.height)) {}

  Outcome decode(std::span<const uint8_t> block) { return decoder_.decode(block, plain_); }
  std::vector<uint8_t> picture() const {
    const size_t luma = size_t{146} * 98;
    return {plain_.data(), plain_.data() + luma + 2 * (size_t{73} * 49)};
  }
  std::string fault() const { return fault_text(decoder_.fault(), size_); }

 private:
  const sail::Size size_;
  CarriedDecoder decoder_;
  PlainBlock plain_;
};

std::unique_ptr<sail::Source> open_film(const std::string& film) {
  auto source = sail::open_carried(film, {});
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

// The block for a receiver that has all units up to this number.
std::vector<uint8_t> block_after(const sail::UnitChain& chain, uint64_t number) {
  std::vector<uint8_t> block(sail::kUnitsHeadBytes);
  sail::encode_units_head(std::span(block).first<sail::kUnitsHeadBytes>(), chain.head);
  for (const auto& unit : chain.after(number)) {
    block.insert(block.end(), unit.bytes.begin(), unit.bytes.end());
  }
  return block;
}

class CarriedFilm : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    film_ = sail::make_clip(folder_, GetParam().first, moving_film(GetParam().second));
    wanted_ = decoded(film_);
    ASSERT_EQ(wanted_.size(), size_t{kFrames});
    source_ = open_film(film_);
    ASSERT_TRUE(source_);
    codec_ = source_->info().stored->id;
  }
  void expect_film(Receiving& receiving, size_t first, size_t end) {
    for (size_t n = first; n < end; ++n) {
      const Picture picture = sail::next_picture(*source_);
      ASSERT_TRUE(picture.compressed);
      ASSERT_EQ(receiving.decode(picture.compressed->bytes), Outcome::kNew)
          << n << " " << receiving.fault();
      EXPECT_EQ(receiving.picture(), wanted_[n]) << n;
      EXPECT_EQ(receiving.decode(picture.compressed->bytes), Outcome::kSame) << n;
    }
  }

  const TempFolder folder_;
  std::string film_;
  std::vector<std::vector<uint8_t>> wanted_;
  std::unique_ptr<sail::Source> source_;
  codecs::CodecId codec_{};
};

TEST_P(CarriedFilm, IsExactFromStartToEndInEachRound) {
  Receiving receiving(codec_);
  for (int round = 0; round < 2; ++round) {
    expect_film(receiving, 0, kFrames);
    EXPECT_TRUE(sail::times_ms(*source_).empty());
    ASSERT_TRUE(source_->seek(0));
  }
}

TEST_P(CarriedFilm, IsExactAfterSeeks) {
  Receiving receiving(codec_);
  expect_film(receiving, 0, 5);
  for (const int frame : {30, 0, kFrames - 1, 7, 8, 25, 24, 1}) {
    ASSERT_TRUE(source_->seek(frame * kFrameNs));
    expect_film(receiving, static_cast<size_t>(frame),
                static_cast<size_t>(std::min(frame + 3, kFrames)));
  }
  ASSERT_TRUE(source_->seek(1000 * sail::kSecondNs));
  expect_film(receiving, kFrames - 1, kFrames);
}

TEST_P(CarriedFilm, WhoJoinsLateOrMissedFramesIsInStepAtOnce) {
  sail::CarriedUnits units(size_t{64} << 20);
  Receiving lossy(codec_);
  uint64_t held = 0;
  for (size_t n = 0; n < kFrames; ++n) {
    const Picture picture = sail::next_picture(*source_);
    const auto chain = units.take(picture.compressed->bytes);
    ASSERT_TRUE(chain);
    Receiving joining(codec_);
    const Outcome joined = joining.decode(block_after(*chain, 0));
    // FFmpeg does not give out every picture after a key picture that is not an IDR picture.
    const bool open_gop = std::string_view(GetParam().first) == "open_gop.ts";
    if (!open_gop || joined != Outcome::kNone) {
      ASSERT_EQ(joined, Outcome::kNew) << n << joining.fault();
      EXPECT_EQ(joining.picture(), wanted_[n]) << n;
    }
    if (n % 7 > 3) continue;
    ASSERT_EQ(lossy.decode(block_after(*chain, held)), Outcome::kNew) << n << lossy.fault();
    EXPECT_EQ(lossy.picture(), wanted_[n]) << n;
    held = chain->end();
  }
}

TEST_P(CarriedFilm, DamageNeverCostsMoreThanPictures) {
  std::mt19937 random(7);
  for (int round = 0; round < 4; ++round) {
    Receiving receiving(codec_);
    for (int n = 0; n < kFrames; ++n) {
      const Picture picture = sail::next_picture(*source_);
      std::vector<uint8_t> block(picture.compressed->bytes.begin(),
                                 picture.compressed->bytes.end());
      for (int change = 0; change < 3; ++change) {
        block[random() % block.size()] = static_cast<uint8_t>(random());
      }
      if (round % 2 == 1) block.resize(random() % block.size());
      receiving.decode(block);
    }
    ASSERT_TRUE(source_->seek(0));
  }
  Receiving undamaged(codec_);
  expect_film(undamaged, 0, kFrames);
}

INSTANTIATE_TEST_SUITE_P(
    Films, CarriedFilm,
    testing::Values(std::pair("h264.mp4", "-c:v libx264 -g 12 -bf 2"),
                    std::pair("h264.ts", "-c:v libx264 -g 12 -bf 3 -b_strategy 0"),
                    std::pair("h264.mkv", "-c:v libx264 -g 12 -bf 3 -x264-params b-pyramid=normal"),
                    std::pair("open_gop.ts", "-c:v libx264 -g 12 -bf 3 -x264-params open-gop=1"),
                    std::pair("one_key.mp4", "-c:v libx264 -g 1000 -bf 2"),
                    std::pair("h264.h264", "-c:v libx264 -g 12 -bf 0"),
                    std::pair("h265.mp4", "-c:v libx265 -x265-params log-level=0:keyint=12"),
                    std::pair("h265_closed.mkv",
                              "-c:v libx265 -x265-params log-level=0:keyint=12:open-gop=0"),
                    std::pair("vp9.mkv", "-c:v libvpx-vp9 -g 12 -deadline realtime"),
                    std::pair("av1.mkv", "-c:v libaom-av1 -g 12 -cpu-used 8 -usage realtime"),
                    std::pair("mjpeg.avi", "-c:v mjpeg -q:v 3")),
    [](const auto& film) {
      std::string name = film.param.first;
      std::ranges::replace(name, '.', '_');
      return name;
    });

TEST(CarriedDecoder, RefusesPicturesOfAnotherSize) {
  const TempFolder folder;
  const auto source =
      open_film(sail::make_clip(folder, "large.mp4", moving_film("-c:v libx264 -s 640x480")));
  ASSERT_TRUE(source);
  Receiving receiving(codecs::CodecId::kH264);
  for (int n = 0; n < 5; ++n) {
    const Picture picture = sail::next_picture(*source);
    EXPECT_EQ(receiving.decode(picture.compressed->bytes), Outcome::kNone);
    EXPECT_FALSE(receiving.fault().empty());
  }
}

TEST(CarriedDecoder, NeedsAKeyPictureAfterAGap) {
  const TempFolder folder;
  const auto source =
      open_film(sail::make_clip(folder, "film.mp4", moving_film("-c:v libx264 -g 10 -bf 0")));
  ASSERT_TRUE(source);
  Receiving receiving(codecs::CodecId::kH264);
  std::vector<Outcome> outcomes;
  for (int n = 0; n < 20; ++n) {
    const Picture picture = sail::next_picture(*source);
    if (n != 4) outcomes.push_back(receiving.decode(picture.compressed->bytes));
  }
  // Units are two pictures ahead of their frames: 6 is missing, 7 to 9 cannot be decoded, and 5 may
  // still be in the decoder.
  const auto lost = std::ranges::count(outcomes, Outcome::kNone);
  EXPECT_GE(lost, 4);
  EXPECT_LE(lost, 5);
  EXPECT_EQ(outcomes.back(), Outcome::kNew);
}

TEST(CarriedFilms, WithoutPresentationTimesAreRefused) {
  const TempFolder folder;
  const auto source = sail::open_carried(
      sail::make_clip(folder, "film.h264", moving_film("-c:v libx264 -bf 2 -b_strategy 0")), {});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, sail::ErrorCode::kBadData);
}

TEST(CarriedFilms, ThatMustBeDecodedAreRefused) {
  const TempFolder folder;
  for (const char* codec :
       {"-c:v mpeg4", "-c:v libx264 -pix_fmt yuv420p10le", "-c:v libx264 -pix_fmt yuv444p",
        "-c:v libx264 -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc",
        "-c:v libx264 -s 128x96 -flags +ildct+ilme -top 1"}) {
    const auto source =
        sail::open_carried(sail::make_clip(folder, "film.mkv", moving_film(codec)), {});
    ASSERT_FALSE(source) << codec;
    EXPECT_EQ(source.error().code, sail::ErrorCode::kBadData) << codec;
  }
}

}  // namespace
}  // namespace receiver
