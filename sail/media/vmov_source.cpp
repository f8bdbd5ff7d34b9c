#include "sail/media/vmov_source.h"

#include <fmt/format.h>

#include <utility>

namespace sail {

Result<std::unique_ptr<VmovSource>> VmovSource::open(const std::string& name) {
  auto reader = VmovReader::open(name);
  if (!reader) return std::move(reader.error());
  return std::unique_ptr<VmovSource>(new VmovSource(std::move(*reader)));
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

Result<std::optional<Picture>> VmovSource::next() {
  auto frame = frames_.take();
  for (;;) {
    if (next_ >= reader_.frame_count()) return std::nullopt;
    auto read = reader_.read(next_++, frame->memory);
    if (read) break;
    if (read.error().code != ErrorCode::kBadData) return read.error();
    if (!std::exchange(complained_, true)) complaint_ = std::move(read.error().message);
  }
  const VmovFrame& found = frame->memory;
  Picture picture;
  picture.compressed = {.codec = reader_.header().codec,
                        .bytes = found.bytes,
                        .lengths = found.lengths,
                        .block_size = reader_.header().block_size,
                        .color = reader_.header().color,
                        .max_reduction = scaling_of(reader_.header().codec.id) == Scaling::kBlock
                                             ? codecs::kMaxReduction
                                             : 0};
  picture.size = reader_.header().frame_size;
  picture.display_size = reader_.header().display_size;
  picture.pts_ns = found.head.pts_ns;
  picture.duration_ns = found.head.duration_ns;
  frames_.lend(std::move(frame), picture);
  return std::optional<Picture>(std::move(picture));
}

Result<void> VmovSource::seek(int64_t position_ns) {
  next_ = reader_.frame_at(position_ns);
  return {};
}

std::optional<std::string> VmovSource::take_complaint() {
  return std::exchange(complaint_, std::nullopt);
}

}  // namespace sail
