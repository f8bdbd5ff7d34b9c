#include "receiver/frame/picture_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace receiver {
namespace {

constexpr PictureMemory::Shape kThreePictures{
    .unit_bytes = 100, .picture_bytes = 5000, .pictures = 3};

TEST(PictureMemory, BothSidesSeeTheSameBytes) {
  const auto ours = PictureMemory::create(kThreePictures);
  ASSERT_TRUE(ours) << ours.error().message;
  const auto theirs = PictureMemory::attach(dup((*ours)->descriptor()), kThreePictures);
  ASSERT_TRUE(theirs) << theirs.error().message;
  ASSERT_EQ((*ours)->units().size(), 100U);
  std::ranges::fill((*ours)->units(), uint8_t{1});
  for (size_t place = 0; place < kThreePictures.pictures; ++place) {
    std::fill_n((*theirs)->picture(place), kThreePictures.picture_bytes,
                static_cast<uint8_t>(place + 2));
  }
  EXPECT_EQ(std::ranges::count((*theirs)->units(), 1), 100);
  for (size_t place = 0; place < kThreePictures.pictures; ++place) {
    const uint8_t* picture = (*ours)->picture(place);
    EXPECT_EQ(std::count(picture, picture + kThreePictures.picture_bytes, place + 2), 5000)
        << place;
  }
}

TEST(PictureMemory, NobodyChangesItsSize) {
  const auto memory = PictureMemory::create(kThreePictures);
  ASSERT_TRUE(memory);
  EXPECT_NE(ftruncate((*memory)->descriptor(), 0), 0);
  EXPECT_NE(ftruncate((*memory)->descriptor(), 1 << 20), 0);
  EXPECT_NE(fcntl((*memory)->descriptor(), F_ADD_SEALS, F_SEAL_WRITE), 0);
}

TEST(PictureMemory, ThatIsNotAsAnnouncedIsRefused) {
  const auto memory = PictureMemory::create(kThreePictures);
  ASSERT_TRUE(memory);
  for (const PictureMemory::Shape& other :
       {PictureMemory::Shape{.unit_bytes = 100, .picture_bytes = 5000, .pictures = 4},
        PictureMemory::Shape{.unit_bytes = 100, .picture_bytes = 50000, .pictures = 3},
        PictureMemory::Shape{.unit_bytes = 10000, .picture_bytes = 5000, .pictures = 3},
        PictureMemory::Shape{.unit_bytes = 0, .picture_bytes = 5000, .pictures = 3},
        PictureMemory::Shape{}}) {
    EXPECT_FALSE(PictureMemory::attach(dup((*memory)->descriptor()), other));
  }
  // As large as it must be, but not sealed.
  const int unsealed = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(unsealed, 4096 + 3 * 8192), 0);
  EXPECT_FALSE(PictureMemory::attach(unsealed, kThreePictures));
  EXPECT_FALSE(PictureMemory::attach(open("/dev/null", O_RDWR | O_CLOEXEC), kThreePictures));
}

TEST(PictureMemory, HasABoundedShape) {
  for (const PictureMemory::Shape& shape :
       {PictureMemory::Shape{}, PictureMemory::Shape{1, 1, 65}, PictureMemory::Shape{1, 1, 0},
        PictureMemory::Shape{1, size_t{1} << 40, 1}, PictureMemory::Shape{size_t{1} << 40, 1, 1}}) {
    EXPECT_FALSE(PictureMemory::create(shape));
  }
}

}  // namespace
}  // namespace receiver
