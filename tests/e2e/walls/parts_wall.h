// One stream from several senders (ranks) on a whole wall, compared with the picture of one sender
// of whole frames.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/core/wall/parts.h"
#include "tests/support/headless_wall.h"
#include "tests/support/reference_wall.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {

using reference::Picture;
using sail::Rect;
using sail::Size;

constexpr sail::Size kFrame{640, 360};

inline std::vector<Rect> bands(Size frame, int ranks) {
  std::vector<Rect> regions;
  for (int rank = 0; rank < ranks; ++rank) regions.push_back(sail::band_of(frame, rank, ranks));
  return regions;
}

// The ranks of one stream, each a separate application.
class Ranks {
 public:
  struct Wish {
    std::vector<Rect> regions = bands(kFrame, 3);
    Rect place{0, 0, kFrame.width, kFrame.height};
    const char* absent = "wait";
    Size frame = kFrame;
    std::string name = "parallel";
  };
  Ranks(const HeadlessWall& wall, const Wish& wish)
      : frame_(wish.frame), regions_(wish.regions), errors_(regions_.size()) {
    streams_.resize(regions_.size());
    for (size_t rank = 0; rank < regions_.size(); ++rank) {
      sessions_.push_back(wall.open_session(("rank " + std::to_string(rank)).c_str()));
    }
    std::vector<std::thread> joining;
    for (size_t rank = 0; rank < regions_.size(); ++rank) {
      joining.emplace_back([this, &wish, rank] { join(wish, rank); });
    }
    for (std::thread& each : joining) each.join();
  }

  bool opened() const {
    return std::ranges::all_of(streams_, [](const auto& one) { return !!one; });
  }
  const std::vector<std::string>& errors() const { return errors_; }
  uint32_t window() const { return streams_[0].id(); }
  size_t count() const { return streams_.size(); }
  sail::Session& session(size_t rank) { return *sessions_[rank]; }
  sail::Stream& stream(size_t rank) { return streams_[rank]; }
  uint64_t shown(size_t rank = 0) const { return streams_[rank].stats().frames_shown; }
  // The sum over all ranks.
  uint64_t dropped() const {
    uint64_t frames = 0;
    for (const sail::Stream& stream : streams_) frames += stream.stats().frames_dropped;
    return frames;
  }
  // Without a manager, the rank cannot announce its end.
  void kill(size_t rank) {
    streams_[rank].close();
    sessions_[rank].reset();
  }

  // Submits the rank's part of a test card. again: the card that was submitted last.
  sail_status submit(size_t rank, const Picture& card, bool again = false) {
    const Rect& region = regions_[rank];
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = card.at(region.x, region.y);
    frame.strides[0] = ptrdiff_t{card.width} * 4;
    frame.again = again ? 1 : 0;
    return streams_[rank].submit(frame);
  }
  // Returns the ranks that were asked to submit their last frame again.
  std::set<size_t> asked() {
    for (size_t rank = 0; rank < count(); ++rank) {
      while (const auto event = sessions_[rank] ? sessions_[rank]->poll() : std::nullopt) {
        if (event->type == SAIL_EVENT_REFRESH) asked_.insert(rank);
        if (event->type == SAIL_EVENT_CLOSE) closed_ = true;
      }
    }
    return std::exchange(asked_, {});
  }
  bool closed() const { return closed_; }
  // Submits all ranks' parts, until the card is shown: frames in flight during a layout change may
  // need to be sent again.
  void show(const Picture& card) {
    constexpr int kLooks = 40;
    const uint64_t before = shown();
    EXPECT_TRUE(eventually([&, looks = 0]() mutable {
      if (looks++ % kLooks == 0) {
        for (size_t rank = 0; rank < count(); ++rank) submit(rank, card);
      }
      return shown() > before && std::ranges::all_of(streams_, [](const auto& stream) {
               return stream.stats().frames_in_flight == 0;
             });
    }));
  }

  // Like show(), but submits each frame only once: no frame may be lost.
  void show_once(uint64_t card) {
    const uint64_t before = shown();
    for (size_t rank = 0; rank < count(); ++rank) submit(rank, test_card(frame_, card));
    EXPECT_TRUE(eventually([&] {
      return shown() == before + 1 && std::ranges::all_of(streams_, [](const auto& stream) {
               return stream.stats().frames_in_flight == 0;
             });
    })) << card;
  }

 private:
  void join(const Wish& wish, size_t rank) {
    sail_stream_options options{};
    options.title = "parallel";
    options.width = frame_.width;
    options.height = frame_.height;
    options.place = {wish.place.x, wish.place.y, wish.place.width, wish.place.height};
    const Rect& region = regions_[rank];
    sail_part part{};
    part.name = wish.name.c_str();
    part.rank = static_cast<int32_t>(rank);
    part.ranks = static_cast<int32_t>(regions_.size());
    part.region = {region.x, region.y, region.width, region.height};
    part.absent = wish.absent;
    streams_[rank] = sessions_[rank]->join(options, part, &errors_[rank]);
  }

  const Size frame_;
  const std::vector<Rect> regions_;
  std::set<size_t> asked_;
  bool closed_ = false;
  std::vector<std::string> errors_;
  std::vector<std::unique_ptr<sail::Session>> sessions_;
  std::vector<sail::Stream> streams_;
};

// Pixels of the wall where parts meet and scaling differs from that of a whole frame.
struct Seams {
  std::vector<int> columns{};
  std::vector<int> rows{};

  bool touch(int x, int y) const {
    const auto near = [](const std::vector<int>& edges, int at) {
      return std::ranges::any_of(edges, [at](int edge) { return std::abs(edge - at) <= 2; });
    };
    return near(columns, x) || near(rows, y);
  }
};

class PartsWall : public testing::Test {
 protected:
  void start(const sail::Wall& wall) { wall_ = std::make_unique<HeadlessWall>(wall); }
  static Seams seams_of(const std::vector<Rect>& regions, const Rect& place) {
    Seams seams;
    for (const Rect& region : regions) {
      seams.columns.push_back(place.x + region.x);
      seams.rows.push_back(place.y + region.y);
    }
    return seams;
  }
  void expect_pixels(const Picture& frame, const Rect& place, const std::string& what,
                     const Seams& seams = {}) {
    wall_->settle();
    EXPECT_EQ(different_pixels(frame, place, seams), "") << what;
  }
  // Compares with the picture of one sender of whole frames. Returns the first difference; empty:
  // none.
  std::string different_pixels(const Picture& frame, const Rect& place, const Seams& seams = {}) {
    std::vector<Picture> shown;
    const auto pictures = wall_->tiles().snapshot.pictures;
    for (const sail::Tile& tile : wall_->wall().tiles) {
      const auto it = std::ranges::find(pictures, tile.name, &sail::TilePicture::tile);
      if (it == pictures.end()) return "no picture of " + tile.name;
      shown.push_back({it->size.width, it->size.height, it->bgra});
    }
    const std::vector<reference::Window> windows = {{place, frame}};
    const Picture wanted =
        reference::wall_picture(wall_->wall(), reference::show_on_wall(wall_->wall(), windows));
    const Picture seen = reference::wall_picture(wall_->wall(), shown);
    int different = 0;
    std::string first;
    for (int y = 0; y < seen.height; ++y) {
      for (int x = 0; x < seen.width; ++x) {
        if (seams.touch(x, y)) continue;
        if (std::equal(seen.at(x, y), seen.at(x, y) + 3, wanted.at(x, y))) continue;
        if (different++ == 0) first = std::to_string(x) + ", " + std::to_string(y);
      }
    }
    return different == 0 ? "" : std::to_string(different) + ", the first at " + first;
  }
  void place(uint32_t window, const Rect& rect) {
    const sail::Json one{{"window", window}, {"rect", {rect.x, rect.y, rect.width, rect.height}}};
    wall_->call("place", {{"windows", sail::Json::array({one})}});
  }
  static Picture coded(const Picture& card, int reduction = 0) {
    return through(*sail::parse_codec_spec("dxt1"), card, reduction, reduction);
  }
  std::string state(size_t rank) {
    return wall_->window()["parts"][rank]["state"].get<std::string>();
  }
  // Returns the states of all ranks; empty: no window.
  std::string states() {
    std::string text;
    for (const sail::Json& part : ui::member(wall_->window(), "parts")) {
      text += (text.empty() ? "" : " ") + ui::text_member(part, "state");
    }
    return text;
  }
  // Submits the card again for the ranks that are asked for it, until all of the card is shown.
  void answer_until_shown(Ranks& parallel, uint64_t card) {
    const Picture picture = test_card(kFrame, card);
    EXPECT_TRUE(eventually([&] {
      for (const size_t rank : parallel.asked()) parallel.submit(rank, picture, true);
      return different_pixels(coded(picture), {0, 0, kFrame.width, kFrame.height}).empty();
    })) << card;
  }
  std::set<uint32_t> cards() { return cards_on_all_tiles(*wall_); }

  std::unique_ptr<HeadlessWall> wall_;
};

}  // namespace test
