// A pre-compressed film (VMOV.md) for a player: its pictures are compressed ones. What comes next
// is read ahead. One thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/media/recycler.h"
#include "sail/media/source.h"
#include "sail/media/vmov_reader.h"
#include "sail/storage/read_ahead.h"

namespace sail {

class VmovSource : public Source {
 public:
  // Errors begin with the name. kUnavailable: of pixel blocks that libsail does not send.
  static Result<std::unique_ptr<VmovSource>> open(const std::string& name);
  static Result<std::unique_ptr<VmovSource>> open(std::unique_ptr<const ByteSource> bytes);
  explicit VmovSource(VmovReader reader);
  ~VmovSource() override;

  const SourceInfo& info() const override { return info_; }
  // Damaged frames are left out and counted, with a complaint about the first of them. One that
  // cannot be read is an error, when it is its turn; the next call goes on behind it.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  ReadFigures read_figures() const override;
  uint64_t take_left_out() override { return std::exchange(left_out_, 0); }

 private:
  static constexpr uint64_t kAheadBytes = uint64_t{32} << 20;

  // On its way, or lent with a picture.
  struct Fetched {
    VmovFrame frame;
    ReadAhead::Part part;
    size_t place = 0;  // in the index
  };

  void fetch();
  void forget_fetched();
  Picture to_picture(const VmovFrame& frame) const;

  VmovReader reader_;
  SourceInfo info_;
  Recycler<Fetched> frames_;
  std::optional<ReadAhead> blocks_;  // from the first picture on
  std::deque<std::unique_ptr<Recycler<Fetched>::Loan>> fetched_;
  uint64_t fetched_bytes_ = 0;
  size_t next_ = 0;   // that is fetched
  size_t taken_ = 0;  // since the last seek
  uint64_t left_out_ = 0;
  uint64_t waits_ = 0;
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

}  // namespace sail
