// Makes clips with the ffmpeg program at test time, and reads pictures from them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codecs/color/convert.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/source/picture_encoder.h"
#include "tests/support/temp_folder.h"

namespace sail {

// arguments: everything between "ffmpeg" and the output's name.
inline std::string make_clip(const TempFolder& folder, const std::string& name,
                             const std::string& arguments) {
  std::string file = folder.file(name);
  const std::string command = "ffmpeg -nostdin -loglevel error -y " + arguments + " '" + file + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return file;
}

// A source whose frame n is uniformly grey, darkest first, so n can be read back after any codec.
inline std::string counting_frames(const std::string& size, int frames, int rate) {
  return "-f lavfi -i \"color=black:s=" + size + ":r=" + std::to_string(rate) +
         ",format=yuv420p,geq=lum='16+4*mod(N\\,50)':cb=128:cr=128\" -frames:v " +
         std::to_string(frames);
}

inline int frame_number(const Picture& picture) {
  return static_cast<int>(std::lround((picture.pixels.planes[0][0] - 16) / 4.0));
}

inline std::unique_ptr<MediaSource> open_clip(const std::string& file) {
  auto source = MediaSource::open(file, {2, {}, nullptr, {}});
  EXPECT_TRUE(source) << source.error().message;
  return source ? std::move(*source) : nullptr;
}

inline std::string open_error(const std::string& file) {
  const auto source = MediaSource::open(file, {2, {}, nullptr, {}});
  return source ? "it was opened" : source.error().message;
}

// The samples of the first plane, row by row.
inline std::vector<uint8_t> luma(const Picture& picture) {
  std::vector<uint8_t> samples;
  for (int y = 0; y < picture.size.height; ++y) {
    const uint8_t* row = picture.pixels.planes[0] + y * picture.pixels.strides[0];
    samples.insert(samples.end(), row, row + picture.size.width);
  }
  return samples;
}

// Returns the next picture; the test fails if there is none.
inline Picture next_picture(Source& source) {
  auto picture = source.next();
  EXPECT_TRUE(picture) << picture.error().message;
  EXPECT_TRUE(picture && *picture) << "the film has ended";
  return picture && *picture ? std::move(**picture) : Picture();
}

inline std::vector<int64_t> times_ms(Source& source) {
  std::vector<int64_t> times;
  for (;;) {
    auto picture = source.next();
    EXPECT_TRUE(picture) << picture.error().message;
    if (!picture || !*picture) return times;
    times.push_back(((*picture)->pts_ns + 500'000) / 1'000'000);
  }
}

using PixelColour = std::array<int, 3>;  // R, G, B

inline PixelColour colour_at(const Picture& picture, int x, int y) {
  uint8_t bgra[4] = {};
  codecs::convert_to_bgra(view_of(picture), x, y, 1, 1, {bgra, 4}, codecs::CpuLevel::kReference);
  return {bgra[2], bgra[1], bgra[0]};
}

inline void expect_near(const PixelColour& got, const PixelColour& wanted, int tolerance,
                        const std::string& where) {
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(got[i], wanted[i], tolerance) << where << ", channel " << i;
  }
}

}  // namespace sail
