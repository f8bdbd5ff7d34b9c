// Memory that the receiver shares with the process that decodes a carried stream: a place for the
// access units of one frame, then places for pictures.
//
// The size is sealed. The other process can change any byte at any time, but no access can fail.
// Pages take memory when they are first touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sail/core/base/result.h"

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
  ~PictureMemory();
  PictureMemory(const PictureMemory&) = delete;
  PictureMemory& operator=(const PictureMemory&) = delete;

  // For the other process.
  int descriptor() const { return descriptor_; }
  const Shape& shape() const { return shape_; }
  std::span<uint8_t> units() const { return {start_, shape_.unit_bytes}; }
  // place: less than shape().pictures.
  uint8_t* picture(size_t place) const;

 private:
  PictureMemory(int descriptor, const Shape& shape, uint8_t* start);
  static sail::Result<std::unique_ptr<PictureMemory>> map(int descriptor, const Shape& shape);

  const int descriptor_;
  const Shape shape_;
  uint8_t* const start_;
};

}  // namespace receiver
