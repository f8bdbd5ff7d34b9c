// A pre-compressed film (VMOV.md) for a player: returns compressed pictures, with read-ahead. One
// thread at a time.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/media/source/recycler.h"
#include "sail/media/source/source.h"
#include "sail/media/storage/reading/parallel_reader.h"
#include "sail/media/vmov/vmov_reader.h"

namespace sail {

class VmovSource : public Source {
 public:
  // Errors begin with the name. kUnavailable: no random access.
  static Result<std::unique_ptr<VmovSource>> open(const std::string& name);
  static Result<std::unique_ptr<VmovSource>> open(std::unique_ptr<const ByteSource> bytes);
  explicit VmovSource(VmovReader reader);
  ~VmovSource() override;

  const SourceInfo& info() const override { return info_; }
  // Skips and counts damaged frames; take_complaint() reports the first one. A read error is
  // returned when the frame is due; the next call continues after it.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  ReadFigures read_figures() const override;
  uint64_t take_left_out() override { return std::exchange(left_out_, 0); }

 private:
  static constexpr uint64_t kAheadBytes = uint64_t{32} << 20;

  // In flight, or lent with a picture.
  struct Fetched {
    VmovFrame frame;
    ParallelReader::Part part;
    size_t place = 0;  // in the index
  };

  void fetch();
  void forget_fetched();
  Picture to_picture(const VmovFrame& frame) const;

  VmovReader reader_;
  SourceInfo info_;
  Recycler<Fetched> frames_;
  std::optional<ParallelReader> blocks_;  // created by the first next()
  std::deque<std::unique_ptr<Recycler<Fetched>::Loan>> fetched_;
  uint64_t fetched_bytes_ = 0;
  size_t next_ = 0;   // the next frame to fetch
  size_t taken_ = 0;  // frames taken since the last seek
  uint64_t left_out_ = 0;
  uint64_t waits_ = 0;
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

}  // namespace sail
