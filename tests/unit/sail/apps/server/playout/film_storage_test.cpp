#include "sail/apps/server/playout/film_storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "sail/media/storage/reading/read_cache.h"
#include "tests/support/slow_bytes.h"

namespace server {
namespace {

using test::SlowBytes;

constexpr size_t kBytes = 1000;
constexpr size_t kMuch = 300 << 10;  // a slow disk has one such read in progress at a time
constexpr ReadClaim kPromised{1e6, false};

// Refers to the test's bytes, which live longer.
class Lent : public sail::ByteSource {
 public:
  explicit Lent(const SlowBytes& bytes) : bytes_(bytes) {}
  const std::string& name() const override { return bytes_.name(); }
  sail::Result<uint64_t> size() const override { return bytes_.size(); }
  sail::Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
    return bytes_.read(offset, bytes);
  }

 private:
  const SlowBytes& bytes_;
};

class FilmStorageTest : public testing::Test {
 protected:
  std::unique_ptr<StreamBytes> open() { return std::move(storage_->open("film").value()); }
  void give_leave() { disk_.leave.release(1000); }
  size_t done() {
    const std::lock_guard lock(mutex_);
    return done_.size();
  }
  // Records the name when the read is complete.
  void read(const StreamBytes& stream, int name, const std::atomic<bool>* unwanted = nullptr,
            size_t bytes = kBytes) {
    memory_.push_back(std::make_unique<std::vector<uint8_t>>(bytes));
    stream.begin({0, *memory_.back(), unwanted, [this, name](sail::Result<void>) {
                    const std::lock_guard lock(mutex_);
                    done_.push_back(name);
                  }});
  }

  SlowBytes disk_{4 << 20};
  std::shared_ptr<FilmStorage> storage_ =
      FilmStorage::create([this](const auto&) { return std::make_unique<Lent>(disk_); });
  std::mutex mutex_;
  std::vector<int> done_;
  std::vector<std::unique_ptr<std::vector<uint8_t>>> memory_;
};

TEST_F(FilmStorageTest, PromisedStreamsGoBeforeOthersThatCameFirst) {
  storage_->set_peak(0.001);
  const auto best_effort = open();
  const auto promised = open();
  storage_->claim(promised->number(), kPromised);
  read(*best_effort, 0, nullptr, kMuch);
  SlowBytes::wait_until([&] { return disk_.waiting == 1; });
  for (int name = 1; name <= 3; ++name) read(*best_effort, name, nullptr, kMuch);
  read(*promised, 4, nullptr, kMuch);
  EXPECT_EQ(storage_->figures().waiting_reads, 4U);
  disk_.leave.release(2);
  SlowBytes::wait_until([&] { return done() == 2; });
  EXPECT_EQ(std::ranges::count(done_, 4), 1);
  give_leave();
  SlowBytes::wait_until([&] { return done() == 5; });
  EXPECT_EQ(storage_->figures().bytes, 5 * kMuch);
}

TEST_F(FilmStorageTest, ThreadsAreFewHoweverManyStreams) {
  std::vector<std::unique_ptr<StreamBytes>> streams;
  for (int name = 0; name < 100; ++name) {
    streams.push_back(open());
    read(*streams.back(), name);
  }
  SlowBytes::wait_until([&] { return disk_.waiting == FilmStorage::kMostReads; });
  EXPECT_EQ(storage_->figures().streams, 100U);
  EXPECT_EQ(storage_->figures().waiting_reads, 100 - FilmStorage::kMostReads);
  give_leave();
  SlowBytes::wait_until([&] { return done() == 100; });
  streams.clear();
  EXPECT_EQ(storage_->figures().streams, 0U);
}

TEST_F(FilmStorageTest, UnwantedReadsAreDoneAtOnce) {
  storage_->set_peak(0.001);
  const auto stream = open();
  std::vector<uint8_t> much(kMuch);
  stream->begin({0, much, nullptr, [](sail::Result<void>) {}});
  SlowBytes::wait_until([&] { return disk_.waiting == 1; });
  const std::atomic<bool> unwanted{true};
  read(*stream, 1, &unwanted);
  read(*stream, 2);
  stream->drop_unwanted();
  EXPECT_EQ(done(), 1U);
  give_leave();
  SlowBytes::wait_until([&] { return done() == 2; });
  EXPECT_EQ(disk_.reads, 2U);
}

TEST_F(FilmStorageTest, DemuxersReadByIt) {
  give_leave();
  const auto stream = open();
  sail::ReadCache ahead(*stream);
  std::vector<uint8_t> all;
  std::vector<uint8_t> some(100'000);
  while (const size_t got = ahead.read(all.size(), some, {}).value()) {
    all.insert(all.end(), some.begin(), some.begin() + static_cast<ptrdiff_t>(got));
  }
  EXPECT_EQ(all, disk_.content);
  EXPECT_TRUE(stream->read(10, some));
  EXPECT_EQ(some[0], disk_.content[10]);
}

TEST_F(FilmStorageTest, ErrorsAreTold) {
  disk_.broken = {5};
  give_leave();
  const auto stream = open();
  std::vector<uint8_t> some(kBytes);
  const auto failed = stream->read(0, some);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "cannot read slow at byte 5: it is broken");
}

TEST_F(FilmStorageTest, OnceStoppedNothingIsReadAndNobodyWaits) {
  storage_->set_peak(0.001);
  const auto stream = open();
  std::vector<uint8_t> much(300 << 10);
  stream->begin({0, much, nullptr, [](sail::Result<void>) {}});
  SlowBytes::wait_until([&] { return disk_.waiting == 1; });
  read(*stream, 1);
  give_leave();
  storage_->stop();
  EXPECT_EQ(done(), 1U);
  stream->drop_unwanted();  // nothing is pending
  std::vector<uint8_t> some(kBytes);
  EXPECT_EQ(stream->read(0, some).error().code, sail::ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace server
