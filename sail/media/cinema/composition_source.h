// A film of several reels as one source. Reels are opened ahead of their turn. One thread at a
// time.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sail/media/cinema/package.h"
#include "sail/media/source/source.h"

namespace sail {

class CompositionSource : public Source {
 public:
  // Opens a reel's file. Called on any thread, one call at a time.
  using Open = std::function<Result<std::unique_ptr<Source>>(const std::string& file)>;

  // Opens the first reel, so that unusable films fail here. Errors begin with a file's name.
  static Result<std::unique_ptr<CompositionSource>> open(const std::string& name, Open open);

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  uint64_t take_left_out() override;
  ReadFigures read_figures() const override {
    return reel_ ? reel_->read_figures() : ReadFigures();
  }

 private:
  CompositionSource(Package package, Open open);
  const PackagePart& part() const { return package_.pictures[number_]; }
  // next() then returns the picture with this number in the reel.
  Result<void> turn_to(size_t number, int64_t picture);
  // The reel that was begun ahead, or a new one.
  Result<std::unique_ptr<Source>> take_reel(size_t number);
  void begin_ahead(int64_t position_ns);
  // Closes the reel, after taking over its complaints and its count of damaged pictures.
  void leave_reel();
  // The reel has ended: reports pictures that it lacks.
  void note_end();
  // Converts the times of the picture to film time, and cuts them to the reel.
  void place(Picture& picture);
  void complain(std::string sentence);

  const Package package_;
  const Open open_;
  SourceInfo info_;
  size_t number_ = 0;             // number of the reel, from 0
  std::unique_ptr<Source> reel_;  // null after a failure
  int64_t shown_ns_ = 0;          // end of the last picture, in film time
  size_t ahead_number_ = 0;
  std::deque<std::string> complaints_;
  uint64_t left_out_ = 0;
  std::future<Result<std::unique_ptr<Source>>> ahead_;  // last member: it uses open_
};

}  // namespace sail
