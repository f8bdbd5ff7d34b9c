// A film in a window of a whole wall, frame by frame, and what the tiles show.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/play/test_card.h"
#include "tests/support/headless_wall.h"

namespace test {

// A wall with one window, whose picture fills it.
class FilmOnWall {
 protected:
  FilmOnWall(const char* program, const sail::Wall& wall, const sail::Rect& place)
      : place_(place), wall_(wall), session_(wall_.open_session(program)) {
    sail_stream_options stream{};
    stream.title = "a film";
    stream.codec = "dxt1";
    stream.width = place.width;
    stream.height = place.height;
    stream.place = {place.x, place.y, place.width, place.height};
    stream.wait_when_full = 1;
    std::string error;
    stream_ = session_->open(stream, &error);
    EXPECT_TRUE(stream_) << error;
    show(1);
    wall_.settle();
  }
  void show(uint64_t number) {
    sail::TestCard painter({place_.width, place_.height}, 30);
    const codecs::ImageView card = painter.paint(number);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = card.planes[0];
    frame.strides[0] = card.strides[0];
    ASSERT_EQ(stream_.submit(frame), SAIL_OK);
    EXPECT_TRUE(eventually([&] { return stream_.stats().frames_in_flight == 0; }));
  }
  // Returns the tiles' pictures, as the displays show them, in the wall's order.
  std::vector<reference::Picture> tiles() {
    std::vector<reference::Picture> tiles;
    const ui::TilePictures taken = wall_.tiles();
    for (const sail::Tile& tile : wall_.wall().tiles) {
      const auto& all = taken.snapshot.pictures;
      const auto shown = std::find_if(all.begin(), all.end(), [&](const sail::TilePicture& one) {
        return one.tile == tile.name;
      });
      if (shown == all.end()) {
        ADD_FAILURE() << "no picture of " << tile.name;
        return {};
      }
      tiles.push_back({shown->size.width, shown->size.height, shown->bgra});
    }
    return tiles;
  }

  const sail::Rect place_;
  HeadlessWall wall_;
  std::unique_ptr<sail::Session> session_;
  sail::Stream stream_;
};

}  // namespace test
