// Raw frames from a file descriptor, such as standard input or a socket, without padding. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/source/picture_spec.h"
#include "sail/media/source/recycler.h"
#include "sail/media/source/source.h"

namespace sail {

// Waits for data and reads the available bytes, at most room.size() bytes; 0: the end. give_up:
// polled while waiting; true: kTimeout.
Result<size_t> read_some(int descriptor, std::span<uint8_t> room,
                         const std::function<bool()>& give_up);

// A frame whose planes follow one another in memory.
size_t raw_frame_bytes(const RawFormat& format);
sail_frame raw_frame(const RawFormat& format, const uint8_t* bytes);

class RawSource : public Source {
 public:
  // Does not own the descriptor. interrupted: polled while waiting; returning true ends the source.
  RawSource(int descriptor, const RawFormat& format, std::function<bool()> interrupted);

  const SourceInfo& info() const override { return info_; }
  // An input that ends within a frame is an error that gives the byte counts.
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;

 private:
  // Returns the bytes read: fewer than a frame only at the end of the input or when interrupted.
  Result<size_t> read_frame(std::vector<uint8_t>& bytes);

  const int descriptor_;
  const RawFormat format_;
  const std::function<bool()> interrupted_;
  SourceInfo info_;
  Recycler<std::vector<uint8_t>> memory_;
  uint64_t frames_ = 0;
};

}  // namespace sail
