// The frames of a carried film as they are sent, with a key picture every ten frames.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/core/wire/data/access_units.h"
#include "sail/media/ffmpeg/media_source_carried.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace receiver {

class SentFilm {
 public:
  explicit SentFilm(sail::Size size) {
    const auto film =
        sail::make_clip(folder_, "film.mp4",
                        "-f lavfi -i testsrc2=r=25:s=" + std::to_string(size.width) + "x" +
                            std::to_string(size.height) +
                            " -pix_fmt yuv420p -frames:v 40 -c:v libx264 -g 10 -bf 0");
    const auto source = sail::open_carried(film, {});
    EXPECT_TRUE(source) << source.error().message;
    for (int n = 0; source && n < 40; ++n) {
      const sail::Picture picture = sail::next_picture(**source);
      const auto bytes = picture.compressed->bytes;
      blocks_.emplace_back(bytes.begin(), bytes.end());
    }
  }
  // With the units that the frame before had not.
  const std::vector<uint8_t>& block(size_t frame) const { return blocks_[frame]; }
  // With all units since a key picture.
  std::vector<uint8_t> whole(size_t frame) const {
    const auto own = sail::decode_units(blocks_[frame]);
    std::vector<sail::AccessUnit> units;
    for (size_t n = 0; n <= frame; ++n) {
      const auto read = sail::decode_units(blocks_[n]);
      for (const sail::AccessUnit& unit : read->units) {
        if (unit.key && unit.time_ns <= own->head.shows_ns) units.clear();
        if (units.empty() || unit.number > units.back().number) units.push_back(unit);
      }
    }
    std::vector<uint8_t> block(sail::kUnitsHeadBytes);
    sail::encode_units_head(std::span(block).first<sail::kUnitsHeadBytes>(), own->head);
    for (const sail::AccessUnit& unit : units) {
      block.resize(block.size() + sail::kUnitFieldsBytes);
      sail::encode_unit_fields(std::span(block).last<sail::kUnitFieldsBytes>(), unit);
      block.insert(block.end(), unit.bytes.begin(), unit.bytes.end());
    }
    return block;
  }

 private:
  const sail::TempFolder folder_;
  std::vector<std::vector<uint8_t>> blocks_;
};

}  // namespace receiver
