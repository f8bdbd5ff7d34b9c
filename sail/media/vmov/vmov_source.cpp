#include "sail/media/vmov/vmov_source.h"

#include <fmt/format.h>

#include <utility>

namespace sail {

Result<std::unique_ptr<VmovSource>> VmovSource::open(const std::string& name) {
  auto reader = VmovReader::open(name);
  if (!reader) return std::move(reader.error());
  return std::make_unique<VmovSource>(std::move(*reader));
}

Result<std::unique_ptr<VmovSource>> VmovSource::open(std::unique_ptr<const ByteSource> bytes) {
  auto reader = VmovReader::open(std::move(bytes));
  if (!reader) return std::move(reader.error());
  return std::make_unique<VmovSource>(std::move(*reader));
}

VmovSource::VmovSource(VmovReader reader) : reader_(std::move(reader)) {
  const VmovHeader& header = reader_.header();
  info_.duration_ns = reader_.duration_ns();
  info_.rate = header.rate;
  info_.description =
      fmt::format("{} made from {}, {}x{}, {} frames", header.made_with, header.source,
                  header.frame_size.width, header.frame_size.height, reader_.frame_count());
  complaint_ = reader_.complaint();
}

VmovSource::~VmovSource() {
  forget_fetched();
}

// Starts with little read-ahead, because some callers want a single picture.
void VmovSource::fetch() {
  while (next_ < reader_.frame_count() && fetched_.size() <= 2 * taken_) {
    const VmovIndexEntry& entry = reader_.entry(next_);
    if (!fetched_.empty() && fetched_bytes_ + entry.bytes > kAheadBytes) break;
    auto loan = frames_.take();
    Fetched& fetched = loan->memory;
    fetched.place = next_++;
    fetched.frame.record.resize(entry.bytes);
    fetched.part.offset = entry.offset;
    fetched.part.bytes = fetched.frame.record;
    fetched_bytes_ += entry.bytes;
    blocks_->begin(fetched.part);
    fetched_.push_back(std::move(loan));
  }
}

void VmovSource::forget_fetched() {
  for (const auto& loan : fetched_) blocks_->cancel(loan->memory.part);
  fetched_.clear();
  fetched_bytes_ = 0;
}

Result<std::optional<Picture>> VmovSource::next() {
  if (!blocks_) blocks_.emplace(reader_.file());
  for (;;) {
    fetch();
    if (fetched_.empty()) return std::nullopt;
    auto loan = std::move(fetched_.front());
    fetched_.pop_front();
    Fetched& fetched = loan->memory;
    const VmovIndexEntry& entry = reader_.entry(fetched.place);
    fetched_bytes_ -= entry.bytes;
    fetch();
    if (fetched.place == 0) {
      left_out_ += entry.number;  // lost before the first readable frame
    } else if (taken_ > 0) {
      left_out_ += entry.number - reader_.entry(fetched.place - 1).number - 1;
    }
    const bool full = fetched_.size() < 2 * taken_;
    if (!blocks_->arrived(fetched.part) && full) ++waits_;
    ++taken_;
    auto read = blocks_->finish(fetched.part);
    if (read) read = reader_.check(fetched.place, fetched.frame);
    if (read) {
      Picture picture = to_picture(fetched.frame);
      frames_.lend(std::move(loan), picture);
      return std::optional<Picture>(std::move(picture));
    }
    if (read.error().code != ErrorCode::kBadData) return std::move(read.error());
    ++left_out_;
    if (!std::exchange(complained_, true)) complaint_ = std::move(read.error().message);
  }
}

Picture VmovSource::to_picture(const VmovFrame& frame) const {
  const VmovHeader& header = reader_.header();
  const bool scalable = scaling_of(header.codec.id) == Scaling::kBlock;
  Picture picture;
  picture.compressed = {.codec = header.codec,
                        .bytes = frame.bytes,
                        .lengths = frame.lengths,
                        .block_size = header.block_size,
                        .color = header.color,
                        .max_reduction = scalable ? codecs::kMaxReduction : 0};
  picture.size = header.frame_size;
  picture.display_size = header.display_size;
  picture.pts_ns = frame.head.pts_ns;
  picture.duration_ns = frame.head.duration_ns;
  return picture;
}

Result<void> VmovSource::seek(int64_t position_ns) {
  forget_fetched();
  next_ = reader_.frame_at(position_ns);
  taken_ = 0;
  return {};
}

ReadFigures VmovSource::read_figures() const {
  if (!blocks_) return {};
  return {blocks_->bytes_read(), waits_, blocks_->retries()};
}

std::optional<std::string> VmovSource::take_complaint() {
  return std::exchange(complaint_, std::nullopt);
}

}  // namespace sail
