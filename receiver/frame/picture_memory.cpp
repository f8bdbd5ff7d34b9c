#include "receiver/frame/picture_memory.h"

#include <cassert>
#include <utility>

namespace receiver {
namespace {

constexpr size_t kPlaceAlignment = 4096;  // no two places share a page
constexpr size_t kMostPictures = 64;
constexpr size_t kMostPlaceBytes = size_t{1} << 31;

size_t aligned(size_t bytes) {
  return (bytes + kPlaceAlignment - 1) / kPlaceAlignment * kPlaceAlignment;
}

size_t whole(const PictureMemory::Shape& shape) {
  return aligned(shape.unit_bytes) + shape.pictures * aligned(shape.picture_bytes);
}

bool possible(const PictureMemory::Shape& shape) {
  return shape.unit_bytes > 0 && shape.unit_bytes <= kMostPlaceBytes && shape.picture_bytes > 0 &&
         shape.picture_bytes <= kMostPlaceBytes && shape.pictures > 0 &&
         shape.pictures <= kMostPictures;
}

}  // namespace

sail::Result<std::unique_ptr<PictureMemory>> PictureMemory::create(const Shape& shape) {
  if (!possible(shape)) {
    return sail::fail(sail::ErrorCode::kLimit, "no memory for pictures can have this size");
  }
  auto memory = sail::SealedMemory::create("vitrail-pictures", whole(shape),
                                           sail::SealedMemory::Others::kWrite);
  if (!memory) return std::move(memory.error());
  return std::unique_ptr<PictureMemory>(new PictureMemory(shape, *std::move(memory)));
}

sail::Result<std::unique_ptr<PictureMemory>> PictureMemory::attach(int descriptor,
                                                                   const Shape& shape) {
  sail::Descriptor owned(descriptor);
  if (!possible(shape)) {
    return sail::fail(sail::ErrorCode::kBadData, "no memory for pictures can have this size");
  }
  auto memory = sail::SealedMemory::attach(std::move(owned), whole(shape));
  if (!memory) return std::move(memory.error());
  return std::unique_ptr<PictureMemory>(new PictureMemory(shape, *std::move(memory)));
}

uint8_t* PictureMemory::picture(size_t place) const {
  assert(place < shape_.pictures);
  return memory_->bytes().data() + aligned(shape_.unit_bytes) +
         place * aligned(shape_.picture_bytes);
}

}  // namespace receiver
