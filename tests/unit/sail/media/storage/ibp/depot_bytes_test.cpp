#include "sail/media/storage/ibp/depot_bytes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

#include "sail/core/auth/proof.h"
#include "sail/media/storage/reading/read_cache.h"
#include "sail/media/storage/source_uri.h"
#include "tests/support/depot.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using test::Depot;
using test::DepotAnswer;
using test::DepotLoad;
using test::Dialect;
using test::ExnodeText;
using testing::HasSubstr;
using testing::Not;

using Then = DepotAnswer::Then;
using Wish = std::optional<DepotAnswer>;

std::string film_of(size_t count) {
  std::string film(count, '\0');
  for (size_t i = 0; i < count; ++i) film[i] = static_cast<char>(i % 251 + i / 65536);
  return film;
}

constexpr int64_t kForEverMs = 3'600'000;
constexpr const char* kGone = "ibp://127.0.0.1:1/k/1/READ";

class DepotBytesTest : public testing::Test {
 protected:
  DepotTimeouts wait_timeout_ = {.rounds = 3, .silence_ms = kForEverMs, .pause_ms = 1};
  TempFolder folder_;
  const std::string film_ = film_of((3 << 20) + 5);
  ExnodeText exnode_;
  std::vector<uint8_t> got_;

  // Stores the whole film on the depot.
  void add_whole(Depot& depot) { exnode_.add(0, film_.size(), depot.store(film_)); }

  Result<std::unique_ptr<const ByteSource>> open(const std::string& parameters = "") {
    return DepotBytes::open("lors://" + folder_.write("film.xnd", exnode_.text()) + parameters, {},
                            wait_timeout_);
  }
  // Reads everything. Returns the number of failed requests.
  Result<uint64_t> read(const std::string& parameters = "") {
    const auto source = open(parameters);
    if (!source) return source.error();
    EXPECT_EQ((*source)->size().value(), film_.size());
    const auto reads = (*source)->reads();
    got_.assign(film_.size(), 0);
    const auto done = (*source)->read(0, got_);
    if (!done) return done.error();
    EXPECT_TRUE(std::ranges::equal(got_, film_,
                                   [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); }));
    return reads->retries();
  }
  void expect_failure(ErrorCode code, const std::string& words,
                      const std::string& parameters = "") {
    const auto done = read(parameters);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, code) << done.error().message;
    EXPECT_THAT(done.error().message, HasSubstr(words));
    EXPECT_THAT(done.error().message, HasSubstr("film.xnd"));
    EXPECT_THAT(done.error().message, Not(HasSubstr("IBP-0")));
  }
  void expect_recovery(uint64_t retries, const std::string& parameters = "") {
    const auto done = read(parameters);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(*done, retries);
  }
};

// --- dialects ------------------------------------------------------------------------------------

class DepotDialects : public DepotBytesTest, public testing::WithParamInterface<Dialect> {};

TEST_P(DepotDialects, AFilmIsReadAtAnyPlace) {
  Depot depot(GetParam());
  add_whole(depot);
  expect_recovery(0);
  const auto source = open("?threads=2&bs=64k");
  ASSERT_TRUE(source);
  for (const size_t place : {size_t{0}, size_t{65535}, film_.size() - 1}) {
    uint8_t byte = 0;
    ASSERT_TRUE((*source)->read(place, {&byte, 1}));
    EXPECT_EQ(byte, static_cast<uint8_t>(film_[place]));
  }
  std::vector<uint8_t> beyond(2);
  EXPECT_THAT((*source)->read(film_.size() - 1, beyond).error().message, HasSubstr("ends at byte"));
}

TEST_P(DepotDialects, ConnectionsAreUsedAgainWhereTheyStay) {
  Depot depot(GetParam());
  add_whole(depot);
  expect_recovery(0, "?threads=1&bs=64k");
  const size_t loads = film_.size() / 65536 + 1;
  if (GetParam() == Dialect::kLoci) {
    EXPECT_GE(depot.connections(), static_cast<int>(loads));
  } else {
    EXPECT_LE(depot.connections(), 2) << "one may have asked by the wrong version";
  }
}

TEST_P(DepotDialects, AnAllocationIsReadByItsCapabilityAlone) {
  for (const size_t count :
       {size_t{1}, size_t{1000}, size_t{1} << 20, (size_t{1} << 20) + 1, film_.size()}) {
    Depot depot(GetParam());
    const std::string capability = depot.store(film_.substr(0, count));
    const auto source = open_bytes(capability);
    ASSERT_TRUE(source) << source.error().message;
    EXPECT_EQ((*source)->size().value(), count);
    EXPECT_EQ((*source)->name(), fmt::format("ibp://127.0.0.1:{}/…", depot.port()));
    std::vector<uint8_t> last(1);
    ASSERT_TRUE((*source)->read(count - 1, last));
    EXPECT_EQ(last[0], static_cast<uint8_t>(film_[count - 1]));
    const size_t loads = depot.loads().size();
    const auto reported = open_bytes(capability + "?size=77");
    ASSERT_TRUE(reported);
    EXPECT_EQ((*reported)->size().value(), 77U);
    EXPECT_EQ(depot.loads().size(), loads) << "nobody had to ask";
  }
}

TEST_P(DepotDialects, AnExpiredCapabilityIsSaidWithItsPlace) {
  Depot depot(GetParam());
  exnode_.add(0, 1 << 20, depot.store(film_.substr(0, 1 << 20)));
  const std::string second = depot.store(film_.substr(1 << 20));
  exnode_.add(1 << 20, film_.size() - (1 << 20), second);
  depot.expire(second);
  expect_failure(ErrorCode::kNotFound, "at byte 1048576");
  expect_failure(ErrorCode::kNotFound, "expired (IBP error -4)");
  expect_failure(ErrorCode::kNotFound, fmt::format("127.0.0.1:{}", depot.port()));
}

TEST_P(DepotDialects, AnAllocationThatEndsBeforeIsAnError) {
  Depot depot(GetParam());
  exnode_.add(0, film_.size(), depot.store(film_.substr(0, film_.size() - 5)));
  expect_failure(ErrorCode::kBadData, "the allocation ends before");
}

INSTANTIATE_TEST_SUITE_P(All, DepotDialects,
                         testing::Values(Dialect::kLoci, Dialect::kAccre, Dialect::kLstore));

// --- parallel requests ---------------------------------------------------------------------------

TEST_F(DepotBytesTest, AsManyLoadsAreUnderWayAsThreadsSay) {
  // No request is answered before the expected number is pending; more would be wrong.
  std::mutex mutex;
  std::set<int> connections;
  Depot depot(Dialect::kAccre, [&](const DepotLoad& load) -> Wish {
    const std::lock_guard lock(mutex);
    connections.insert(load.connection);
    EXPECT_LE(load.bytes, 65536U);
    return std::nullopt;
  });
  add_whole(depot);
  expect_recovery(0, "?threads=5&bs=64k");
  EXPECT_EQ(connections.size(), 5U);
}

TEST_F(DepotBytesTest, ReplicasShareTheWork) {
  Depot one(Dialect::kLoci);
  Depot other(Dialect::kAccre);
  add_whole(one);
  add_whole(other);
  expect_recovery(0, "?bs=64k");
  EXPECT_GT(one.loads().size(), 5U);
  EXPECT_GT(other.loads().size(), 5U);
}

TEST_F(DepotBytesTest, IsReadAheadOf) {
  Depot depot(Dialect::kAccre);
  add_whole(depot);
  const auto source = open("?threads=1");
  ASSERT_TRUE(source);
  ReadCache ahead(**source);
  std::vector<uint8_t> room(4096);
  size_t place = 0;
  while (place < film_.size()) {
    const auto got = ahead.read(place, room, {});
    ASSERT_TRUE(got) << got.error().message;
    ASSERT_EQ(film_.compare(place, *got, reinterpret_cast<char*>(room.data()), *got), 0);
    place += *got;
  }
  EXPECT_EQ(depot.loads().size(), 4U) << "by whole blocks";
}

TEST_F(DepotBytesTest, WhatIsNotWantedAnyMoreIsLetGoAtOnce) {
  Depot depot(Dialect::kAccre, [](const DepotLoad&) -> Wish {
    return DepotAnswer{"", Then::kSilence};
  });
  add_whole(depot);
  const auto source = open("?threads=1&bs=64k");
  ASSERT_TRUE(source);
  ParallelReader ahead(**source);
  std::vector<uint8_t> memory(2 << 20);
  ParallelReader::Part part;
  part.bytes = memory;
  ahead.begin(part);
  ahead.cancel(part);
  EXPECT_TRUE(ahead.arrived(part));
}

// --- errors repaired by another replica ----------------------------------------------------------

TEST_F(DepotBytesTest, MappingsInAnyOrderOfManyDepotsMakeAFilm) {
  Depot one(Dialect::kLoci);
  Depot other(Dialect::kAccre);
  constexpr size_t kPart = 100'000;
  for (size_t at = film_.size() / kPart * kPart;; at -= kPart) {
    Depot& depot = at % (2 * kPart) == 0 ? one : other;
    // Behind foreign bytes in its allocation, and overlapping the next part.
    const std::string part = film_.substr(at, kPart + 1000);
    exnode_.add(at, part.size(), depot.store("others'" + part), 7);
    if (at == 0) break;
  }
  expect_recovery(0);
}

TEST_F(DepotBytesTest, AReplicaStandsInForAnotherThatIsNotThere) {
  Depot depot(Dialect::kAccre);
  exnode_.add(0, film_.size(), kGone);
  add_whole(depot);
  const auto done = read();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GE(*done, 1U);
}

TEST_F(DepotBytesTest, AReplicaStandsInForAnExpiredOne) {
  Depot depot(Dialect::kLoci);
  const std::string expired = depot.store(film_);
  exnode_.add(0, film_.size(), expired);
  add_whole(depot);
  depot.expire(expired);
  expect_recovery(1, "?threads=1");
}

TEST_F(DepotBytesTest, AReplicaStandsInForADepotThatStopsAnswering) {
  Depot silent(Dialect::kAccre, [this](const DepotLoad& load) -> Wish {
    return DepotAnswer{
        fmt::format("1 {}\n", load.bytes) + film_.substr(load.offset, load.bytes / 2),
        Then::kSilence};
  });
  Depot depot(Dialect::kAccre);
  add_whole(silent);
  add_whole(depot);
  wait_timeout_.silence_ms = 300;
  const auto done = read();
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GE(*done, 1U);
  for (const DepotLoad& load : depot.loads()) EXPECT_LT(load.bytes, film_.size());
}

TEST_F(DepotBytesTest, AReplicaStandsInForOneThatIsDamaged) {
  constexpr size_t kBlock = 100'000;
  std::string stored;
  for (size_t at = 0; at < film_.size(); at += kBlock) {
    const std::string block = film_.substr(at, kBlock);
    stored += md5_text(block) + ":";
    stored += block;
  }
  Depot depot(Dialect::kLoci);
  const std::string function = fmt::format(
      "<exnode:function name=\"checksum\"><exnode:argument name=\"blocksize\" "
      "type=\"integer\">{}</exnode:argument></exnode:function>",
      kBlock + ExnodeMapping::kHeadBytes);
  exnode_.add(0, film_.size(), depot.store(stored), 0, function);
  expect_recovery(0);
  stored[77] ^= 1;
  exnode_.mappings.clear();
  exnode_.add(0, film_.size(), depot.store(stored), 0, function);
  expect_failure(ErrorCode::kBadData, "wrong checksum: the stored bytes are damaged");
  add_whole(depot);
  expect_recovery(1);
}

TEST_F(DepotBytesTest, WhatIsCutOffGoesOnFromThere) {
  Depot depot(Dialect::kLoci, [this](const DepotLoad& load) -> Wish {
    if (load.number > 0) return std::nullopt;
    return DepotAnswer{fmt::format("1 {} \n", load.bytes) + film_.substr(0, 500'000), Then::kClose};
  });
  add_whole(depot);
  expect_recovery(1, "?threads=1");
  EXPECT_EQ(depot.loads()[1].offset, 500'000U);
}

TEST_F(DepotBytesTest, AnErrorOfTheDepotsMayPass) {
  Depot depot(Dialect::kLoci, [](const DepotLoad& load) -> Wish {
    if (load.number > 1) return std::nullopt;
    return DepotAnswer{" -66 5 \n", Then::kClose};
  });
  add_whole(depot);
  expect_recovery(2, "?threads=1");
}

// --- permanent errors ----------------------------------------------------------------------------

TEST_F(DepotBytesTest, AHoleIsAnErrorThatNamesThePlace) {
  Depot depot(Dialect::kLoci);
  exnode_.add(0, 1'000'000, depot.store(film_.substr(0, 1'000'000)));
  exnode_.add(2'000'000, film_.size() - 2'000'000, depot.store(film_.substr(2'000'000)));
  expect_failure(ErrorCode::kBadData, "no depot holds bytes 1000000 to 2000000");
}

TEST_F(DepotBytesTest, NoReplicaThatAnswersIsAnErrorThatNamesThePlace) {
  exnode_.add(0, film_.size(), kGone);
  expect_failure(ErrorCode::kIo, "at byte 0: 127.0.0.1:1: ");
}

TEST_F(DepotBytesTest, SilenceForEverIsAnErrorThatNamesThePlace) {
  Depot silent(Dialect::kLoci, [](const DepotLoad&) -> Wish {
    return DepotAnswer{"1 ", Then::kSilence};
  });
  add_whole(silent);
  wait_timeout_.silence_ms = 100;
  expect_failure(ErrorCode::kIo, "at byte 0: ", "?threads=1");
  EXPECT_EQ(silent.loads().size(), 3U);
}

TEST_F(DepotBytesTest, WrongLengthsAndOtherAnswersAreNotTaken) {
  const std::string answers[] = {"1 99999999\nabc",
                                 "1 -5\n",
                                 "1 3\nmore than three",
                                 "HTTP/1.1 400 Bad Request\r\n\r\n",
                                 "\n",
                                 std::string(300, '1'),
                                 "1 18446744073709551615\n"};
  for (const std::string& answer : answers) {
    Depot depot(Dialect::kLoci, [&](const DepotLoad&) -> Wish {
      return DepotAnswer{answer, Then::kClose};
    });
    exnode_.mappings.clear();
    add_whole(depot);
    expect_failure(ErrorCode::kBadData, "at byte 0: ", "?threads=1&bs=64k");
    EXPECT_EQ(depot.loads().size(), 3U) << answer;
  }
}

TEST_F(DepotBytesTest, AByteAtATimeIsNoProgress) {
  Depot depot(Dialect::kAccre, [this](const DepotLoad& load) -> Wish {
    return DepotAnswer{fmt::format("1 {}\n", load.bytes) + film_.substr(load.offset, 1),
                       Then::kClose};
  });
  add_whole(depot);
  expect_failure(ErrorCode::kIo, "at byte 3: ", "?threads=1");
}

TEST_F(DepotBytesTest, ParametersAreCheckedByName) {
  Depot depot(Dialect::kAccre);
  add_whole(depot);
  EXPECT_TRUE(open("?threads=64&bs=64m&timeout=3600"));
  EXPECT_TRUE(open("?bs=512k"));
  for (const char* wrong : {"?threads=0", "?threads=65", "?bs=1", "?bs=1t", "?timeout=0",
                            "?timeout", "?servers=a", "?threads=1x", "?&"}) {
    const auto opened = open(wrong);
    ASSERT_FALSE(opened) << wrong;
    EXPECT_EQ(opened.error().code, ErrorCode::kInvalidParams);
  }
  EXPECT_EQ(open_bytes("lors://film.xnd").error().code, ErrorCode::kInvalidParams);
  EXPECT_EQ(open_bytes("ibp://h/secret/READ").error().code, ErrorCode::kInvalidParams);
  EXPECT_THAT(open_bytes("lors:///no/such.xnd").error().message, HasSubstr("/no/such.xnd"));
  const std::string text = folder_.write("text", "no exNode at all");
  EXPECT_THAT(open_bytes("lors://" + text).error().message, HasSubstr(text + " cannot be read as"));
}

TEST_F(DepotBytesTest, OpeningIsGivenUp) {
  Depot depot(Dialect::kAccre, [](const DepotLoad&) -> Wish {
    return DepotAnswer{"", Then::kSilence};
  });
  const std::string capability = depot.store(film_);
  const GiveUp when_asked = [&] { return !depot.loads().empty(); };
  const auto opened = DepotBytes::open(capability, when_asked, wait_timeout_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kTimeout);
}

}  // namespace
}  // namespace sail
