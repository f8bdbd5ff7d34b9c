// A film of numbered files with a black picture for each that its source leaves out. The black
// pictures have the size, format and codec of the picture that follows or, at the end, of the last
// one. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/media/source/source.h"

namespace sail {

class BlackPictures : public Source {
 public:
  // The source gives picture N at the time N / fps. Its duration counts the pictures.
  BlackPictures(std::unique_ptr<Source> source, double fps);

  const SourceInfo& info() const override { return source_->info(); }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  Result<void> choose_subtitles(const SubtitleChoice& choice) override {
    return source_->choose_subtitles(choice);
  }
  std::optional<std::string> take_complaint() override { return source_->take_complaint(); }
  uint64_t take_left_out() override { return source_->take_left_out(); }
  ReadFigures read_figures() const override { return source_->read_figures(); }

 private:
  // What all pictures of a kind have in common.
  struct Kind {
    Size size;
    Size display_size;
    sail_pixel_format format{};
    int bits = 0;
    sail_color_matrix matrix{};
    sail_color_range range{};
    std::optional<StreamCodec> stored;
    Size block_size;
    int max_reduction = 0;

    bool operator==(const Kind&) const = default;
  };
  struct Black;

  static Kind kind_of(const Picture& picture);
  static Result<std::shared_ptr<const Black>> paint(const Kind& kind);
  // Encodes the painted pixels.
  static Result<void> encode(Black& black, const Kind& kind);

  int64_t number_at(int64_t time_ns) const;
  int64_t time_ns(int64_t number) const;
  // Reads the source's next picture into ahead_.
  Result<void> read();
  Result<std::optional<Picture>> give_black();

  const std::unique_ptr<Source> source_;
  const double fps_;
  const int64_t count_;  // pictures, with those that are left out
  int64_t first_ = 0;    // number of the first picture after the last seek
  int64_t expected_ = 0;
  std::optional<Picture> ahead_;  // read, not returned yet
  bool at_end_ = false;
  std::optional<Kind> kind_;            // kind of the picture read last
  std::shared_ptr<const Black> black_;  // black picture of that kind; null: not painted yet
};

}  // namespace sail
