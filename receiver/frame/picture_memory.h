// Memory that the receiver shares with the process that decodes a carried stream: a place for the
// access units of one frame, then places for pictures. See SealedMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "sail/core/base/sealed_memory.h"

namespace receiver {

class PictureMemory {
 public:
  struct Shape {
    size_t unit_bytes = 0;     // for access units
    size_t picture_bytes = 0;  // for each picture
    size_t pictures = 0;

    bool operator==(const Shape&) const = default;
  };

  static sail::Result<std::unique_ptr<PictureMemory>> create(const Shape& shape);
  // Takes the descriptor of memory that another process created. Fails unless the memory has this
  // shape and is sealed.
  static sail::Result<std::unique_ptr<PictureMemory>> attach(int descriptor, const Shape& shape);

  // For the other process.
  int descriptor() const { return memory_->descriptor().get(); }
  const Shape& shape() const { return shape_; }
  std::span<uint8_t> units() const { return memory_->bytes().first(shape_.unit_bytes); }
  // place: less than shape().pictures.
  uint8_t* picture(size_t place) const;

 private:
  PictureMemory(const Shape& shape, std::unique_ptr<sail::SealedMemory> memory)
      : shape_(shape), memory_(std::move(memory)) {}

  const Shape shape_;
  const std::unique_ptr<sail::SealedMemory> memory_;
};

}  // namespace receiver
