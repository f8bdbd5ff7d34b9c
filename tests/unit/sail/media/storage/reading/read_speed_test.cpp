#include "sail/media/storage/reading/read_speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <string>

#include "tests/support/slow_bytes.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr size_t kReadBytes = 4096;

TEST(ReadSpeed, KeepsAsManyBlocksUnderWayAsItIsTold) {
  test::SlowBytes bytes(10 * kReadBytes + 7);
  Result<ReadSpeed> speed;
  std::thread reader([&] { speed = measure_reading(bytes, {kReadBytes, 8, 0}, {}); });
  bytes.wait_until([&] { return bytes.waiting == 8; });
  bytes.leave.release(8);
  reader.join();
  ASSERT_TRUE(speed);
  EXPECT_EQ(speed->bytes, 8 * kReadBytes);
  EXPECT_GT(speed->mb_per_s(), 0);
}

TEST(ReadSpeed, ReadsOverAndOverUntilTheTimeIsOver) {
  test::SlowBytes bytes(3 * kReadBytes);
  bytes.leave.release(1'000'000);
  // A busy machine may need longer for the same number of reads.
  for (int64_t time_ns = 5'000'000;; time_ns *= 2) {
    const auto speed = measure_reading(bytes, {kReadBytes, 2, time_ns}, {});
    ASSERT_TRUE(speed);
    EXPECT_GE(speed->time_ns, time_ns);
    if (speed->bytes > 3 * kReadBytes) break;
    ASSERT_LT(time_ns, 10'000'000'000);
  }
}

TEST(ReadSpeed, ReadsOnceIfThatIsWanted) {
  test::SlowBytes bytes(3 * kReadBytes);
  bytes.leave.release(100);
  const ReadTrial trial{.block_bytes = kReadBytes, .depth = 2, .time_ns = INT64_MAX, .once = true};
  EXPECT_EQ(measure_reading(bytes, trial, {}).value().bytes, 3 * kReadBytes);
}

TEST(ReadSpeed, SaysWhatCannotBeRead) {
  test::SlowBytes bytes(10 * kReadBytes);
  bytes.leave.release(100);
  bytes.broken = {2 * kReadBytes + 5};
  const auto speed = measure_reading(bytes, {kReadBytes, 4, 1'000'000'000}, {});
  ASSERT_FALSE(speed);
  EXPECT_THAT(speed.error().message, HasSubstr("at byte 8197"));
  EXPECT_EQ(measure_reading(bytes, {11 * kReadBytes, 1, 0}, {}).error().code,
            ErrorCode::kInvalidParams);
}

TEST(ReadSpeed, IsGivenUp) {
  test::SlowBytes bytes(10 * kReadBytes);
  bytes.leave.release(100);
  const auto speed =
      measure_reading(bytes, {kReadBytes, 4, INT64_MAX}, [&] { return bytes.reads > 3; });
  ASSERT_FALSE(speed);
  EXPECT_EQ(speed.error().code, ErrorCode::kTimeout);
}

}  // namespace

namespace {

TEST(MountAdvice, NamesTheSettingAndTheCommand) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.file("0:52"));
  const std::string setting = folder.write("0:52/read_ahead_kb", "128\n");
  const std::string devices = folder.file("");
  const auto advice = read_ahead_advice("/films", makedev(0, 52), devices);
  ASSERT_TRUE(advice);
  EXPECT_NE(advice->find("/films is on"), std::string::npos) << *advice;
  EXPECT_NE(advice->find("128 KB"), std::string::npos) << *advice;
  EXPECT_NE(advice->find("0:52/read_ahead_kb`"), std::string::npos) << *advice;
  folder.write("0:52/read_ahead_kb", "4096\n");
  EXPECT_FALSE(read_ahead_advice("/films", makedev(0, 52), devices));
  EXPECT_FALSE(read_ahead_advice("/films", makedev(0, 53), devices)) << "nothing is known of it";
}

TEST(MountAdvice, LocalFilesNeedNone) {
  const TempFolder folder;
  EXPECT_FALSE(mount_advice(folder.write("film", "x")));
  EXPECT_FALSE(mount_advice("/nowhere/at/all"));
}

}  // namespace

}  // namespace sail
