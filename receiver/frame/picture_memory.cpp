#include "receiver/frame/picture_memory.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

namespace receiver {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
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

sail::Error system_error(const char* what) {
  return {sail::ErrorCode::kIo,
          fmt::format("cannot {} memory for pictures: {}", what, std::strerror(errno))};
}

}  // namespace

sail::Result<std::unique_ptr<PictureMemory>> PictureMemory::create(const Shape& shape) {
  if (!possible(shape)) {
    return sail::fail(sail::ErrorCode::kLimit, "no memory for pictures can have this size");
  }
  const int descriptor = memfd_create("vitrail-pictures", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return system_error("create");
  if (ftruncate(descriptor, static_cast<off_t>(whole(shape))) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, kSeals) != 0) {
    const sail::Error error = system_error("create");
    close(descriptor);
    return error;
  }
  return map(descriptor, shape);
}

sail::Result<std::unique_ptr<PictureMemory>> PictureMemory::attach(int descriptor,
                                                                   const Shape& shape) {
  struct stat status {};
  const int seals = fcntl(descriptor, F_GET_SEALS);
  const bool sealed = seals >= 0 && (seals & kSeals) == kSeals;
  const bool fits = possible(shape) && fstat(descriptor, &status) == 0 &&
                    status.st_size == static_cast<off_t>(whole(shape));
  if (sealed && fits) return map(descriptor, shape);
  close(descriptor);
  return sail::fail(sail::ErrorCode::kBadData, "the memory for pictures is not as announced");
}

sail::Result<std::unique_ptr<PictureMemory>> PictureMemory::map(int descriptor,
                                                                const Shape& shape) {
  void* start = mmap(nullptr, whole(shape), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) {
    const sail::Error error = system_error("map");
    close(descriptor);
    return error;
  }
  return std::unique_ptr<PictureMemory>(
      new PictureMemory(descriptor, shape, static_cast<uint8_t*>(start)));
}

PictureMemory::PictureMemory(int descriptor, const Shape& shape, uint8_t* start)
    : descriptor_(descriptor), shape_(shape), start_(start) {}

PictureMemory::~PictureMemory() {
  munmap(start_, whole(shape_));
  close(descriptor_);
}

uint8_t* PictureMemory::picture(size_t place) const {
  assert(place < shape_.pictures);
  return start_ + aligned(shape_.unit_bytes) + place * aligned(shape_.picture_bytes);
}

}  // namespace receiver
