// Reading films whose parts are on disk servers: servers that die, send wrong data, are silent, or
// have other keys.
#include "sail/apps/server/catalogue/placed_film.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>

#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/auth/wall_key.h"
#include "sail/media/storage/source_uri.h"
#include "tests/support/disk_server_thread.h"
#include "tests/support/temp_folder.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::Result;
using test::DiskServerThread;
using testing::HasSubstr;

constexpr size_t kDisks = 3;
constexpr size_t kMega = size_t{1} << 20;

std::string film_of(size_t count) {
  std::string film(count, '\0');
  for (size_t i = 0; i < count; ++i) film[i] = static_cast<char>(i % 251 + i / 65536);
  return film;
}

// Sends the same bytes to every client, and reads nothing.
class Talker {
 public:
  explicit Talker(std::vector<uint8_t> words) : words_(std::move(words)) {
    thread_.run([this] {
      listener_ = std::move(
          sail::TcpListener::listen(thread_.loop(), {"127.0.0.1", 0}, [this](auto connection) {
            connection->write_copy(words_);
            guests_.push_back(std::move(connection));
          }).value());
      address_ = listener_->address();
    });
  }
  ~Talker() {
    thread_.run([this] {
      listener_.reset();
      guests_.clear();
    });
  }
  Talker(const Talker&) = delete;
  Talker& operator=(const Talker&) = delete;

  const sail::Address& address() const { return address_; }

 private:
  const std::vector<uint8_t> words_;
  sail::LoopThread thread_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::vector<std::unique_ptr<sail::TcpConnection>> guests_;
  sail::Address address_;
};

class PlacedFilmTest : public testing::Test {
 protected:
  PlacedFilmTest() {
    for (size_t i = 0; i < kDisks; ++i) {
      const std::string folder = folder_.file(std::to_string(i));
      std::filesystem::create_directory(folder);
      options_.push_back({.folder = folder});
      addresses_.emplace_back();
    }
  }

  void start() {
    for (size_t i = 0; i < kDisks; ++i) {
      if (addresses_[i].port != 0) continue;
      disks_.push_back(std::make_unique<DiskServerThread>(options_[i]));
      addresses_[i] = disks_.back()->address();
    }
  }
  // Stores the parts as a film server would.
  void store(size_t stripe, size_t copies) {
    plan_ = {.bytes = film_.size(),
             .name = "film",
             .disks = addresses_,
             .stripe = stripe,
             .copies = copies};
    for (size_t i = 0; i < plan_.stripes(); ++i) {
      std::string part;
      for (size_t at = i * kMega; at < film_.size(); at += plan_.stripes() * kMega) {
        part += film_.substr(at, kMega);
      }
      ASSERT_EQ(part.size(), plan_.stripe_bytes(i));
      for (size_t copy = 0; copy < copies; ++copy) {
        folder_.write(std::to_string((i + copy) % kDisks) + "/" + plan_.part(i, copy).name, part);
      }
    }
  }
  void begin(size_t stripe = kDisks, size_t copies = 2) {
    start();
    store(stripe, copies);
    links_ = std::make_shared<sail::DiskLinks>(link_);
    film_source_ = std::move(
        open_stored(folder_.write("film.vmov.xnd", plan_.exnode().text()), links_).value());
  }
  // Reads the whole film with parallel reads. Returns the number of failed requests.
  Result<uint64_t> read() {
    std::vector<uint8_t> got(film_.size());
    uint64_t retries = 0;
    {
      const auto reads = film_source_->reads();
      std::vector<std::promise<Result<void>>> done((got.size() + kMega - 1) / kMega);
      for (size_t i = 0; i < done.size(); ++i) {
        const size_t at = i * kMega;
        const auto room = std::span(got).subspan(at, std::min(kMega, got.size() - at));
        reads->begin({at, room, nullptr,
                      [&done, i](Result<void> one) { done[i].set_value(std::move(one)); }});
      }
      std::optional<sail::Error> error;
      for (auto& one : done) {
        const auto answer = one.get_future().get();
        if (!answer && !error) error = answer.error();
      }
      if (error) return *error;
      retries = reads->retries();
    }
    EXPECT_TRUE(std::equal(got.begin(), got.end(), reinterpret_cast<const uint8_t*>(film_.data())));
    return retries;
  }

  const sail::TempFolder folder_;
  const std::string film_ = film_of(7 * kMega + 5);
  std::vector<DiskServerOptions> options_;
  std::vector<std::unique_ptr<DiskServerThread>> disks_;
  std::vector<sail::Address> addresses_;
  PlacePlan plan_;
  sail::DiskLink::Options link_ = {.key = sail::WallKey(), .silence_ms = 300};
  std::shared_ptr<sail::DiskLinks> links_;
  std::unique_ptr<const sail::ByteSource> film_source_;
};

TEST_F(PlacedFilmTest, IsReadAtAnyPlace) {
  begin();
  EXPECT_EQ(film_source_->size().value(), film_.size());
  EXPECT_EQ(read().value(), 0U);
  for (const auto& [at, count] : std::vector<std::pair<size_t, size_t>>{
           {0, 1}, {kMega - 1, 2}, {kMega / 2, 4 * kMega}, {film_.size() - 3, 3}}) {
    std::vector<uint8_t> got(count);
    ASSERT_TRUE(film_source_->read(at, got)) << at;
    EXPECT_EQ(std::string(got.begin(), got.end()), film_.substr(at, count)) << at;
  }
  std::vector<uint8_t> beyond(1);
  EXPECT_FALSE(film_source_->read(film_.size(), beyond));
}

TEST_F(PlacedFilmTest, StreamsHaveItFromAllDiskServersAtOnce) {
  begin();
  const auto storage = FilmStorage::create(
      [links = links_](const std::string& path) { return open_stored(path, links); });
  {
    const auto stream = std::move(storage->open(folder_.file("film.vmov.xnd")).value());
    EXPECT_EQ(stream->shares().size(), kDisks);
    std::vector<uint8_t> got(film_.size() - 1);
    ASSERT_TRUE(stream->read(1, got)) << "it goes over all units";
    EXPECT_TRUE(
        std::equal(got.begin(), got.end(), reinterpret_cast<const uint8_t*>(film_.data()) + 1));
    EXPECT_FALSE(stream->read(film_.size() - 1, std::span(got).first(2))) << "it ends there";
  }
  EXPECT_EQ(storage->figures(Store::kDisks).streams, 0U);
  EXPECT_GE(storage->figures(Store::kDisks).bytes, film_.size() - 1);
  EXPECT_EQ(storage->figures().bytes, 0U);
  const auto late = std::move(storage->open(folder_.file("film.vmov.xnd")).value());
  storage->stop();
  std::vector<uint8_t> none(kMega);
  EXPECT_EQ(late->read(0, none).error().code, ErrorCode::kUnavailable);
}

TEST_F(PlacedFilmTest, ItsExNodeSaysWhereItLies) {
  begin(2, 2);
  const auto placement = placement_of(folder_.file("film.vmov.xnd"));
  ASSERT_TRUE(placement);
  EXPECT_EQ(placement->bytes, film_.size());
  EXPECT_EQ(placement->disks.size(), kDisks) << "the second copy of the second stripe";
  const auto exnode = sail::Exnode::parse(plan_.exnode().text());
  ASSERT_TRUE(exnode) << exnode.error().message;
  EXPECT_EQ(exnode->mappings().size(), 4U);
  for (uint64_t at = 0; at < film_.size(); at += kMega / 2) {
    EXPECT_EQ(exnode->holding(at).size(), 2U) << at;
  }
  EXPECT_EQ(exnode->mappings().front().end_from(10), kMega);
}

TEST_F(PlacedFilmTest, SmallOnesHaveFewerStripes) {
  for (const uint64_t bytes : {uint64_t{1}, uint64_t{kMega}, uint64_t{kMega + 1}, 5 * kMega + 9}) {
    const PlacePlan plan{.bytes = bytes,
                         .name = "x",
                         .disks = {{"a", 1}, {"b", 1}, {"c", 1}},
                         .stripe = 3,
                         .copies = 1};
    uint64_t sum = 0;
    for (size_t i = 0; i < plan.stripes(); ++i) sum += plan.stripe_bytes(i);
    EXPECT_EQ(sum, bytes);
    EXPECT_EQ(plan.exnode().size(), bytes);
    EXPECT_FALSE(plan.exnode().holding(bytes - 1).empty());
    EXPECT_TRUE(plan.exnode().holding(bytes).empty());
  }
}

TEST_F(PlacedFilmTest, ACopyStandsInForADiskServerThatDies) {
  begin();
  EXPECT_EQ(read().value(), 0U);
  disks_[1]->stop();
  const auto retries = read();
  ASSERT_TRUE(retries) << retries.error().message;
  EXPECT_GT(*retries, 0U) << "they are counted";
  const auto reported = links_->disks();
  EXPECT_EQ(std::ranges::count_if(reported, [](const auto& disk) { return disk.there; }), 2);
}

TEST_F(PlacedFilmTest, OneThatComesBackIsReadAgain) {
  begin(kDisks, 1);
  EXPECT_TRUE(read());
  disks_[1]->stop();
  const auto without = read();
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().message, HasSubstr(sail::address_text(addresses_[1])));
  EXPECT_THAT(without.error().message, HasSubstr(" at byte "));
  disks_[1] = std::make_unique<DiskServerThread>(options_[1], addresses_[1].port);
  EXPECT_TRUE(read());
}

TEST_F(PlacedFilmTest, ABadPlaceIsReadFromTheCopy) {
  // Byte 5 of each part on the first disk is bad.
  class BadPlace : public sail::ByteSource {
   public:
    explicit BadPlace(std::unique_ptr<const ByteSource> file) : file_(std::move(file)) {}
    const std::string& name() const override { return file_->name(); }
    Result<uint64_t> size() const override { return file_->size(); }
    Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const override {
      if (offset <= 5) return sail::fail(ErrorCode::kIo, "Input/output error");
      return file_->read(offset, bytes);
    }

   private:
    const std::unique_ptr<const ByteSource> file_;
  };
  options_[0].open =
      [](const std::string& path) -> Result<std::unique_ptr<const sail::ByteSource>> {
    auto file = sail::open_bytes(path);
    if (!file) return std::move(file.error());
    return std::make_unique<const BadPlace>(std::move(*file));
  };
  begin();
  const auto retries = read();
  ASSERT_TRUE(retries) << retries.error().message;
}

TEST_F(PlacedFilmTest, PartsThatAreGoneOrTooShortAreReadFromTheCopy) {
  begin();
  std::filesystem::remove(folder_.file("0/" + plan_.part(0, 0).name));
  std::filesystem::resize_file(folder_.file("1/" + plan_.part(1, 0).name), 10);
  const auto retries = read();
  ASSERT_TRUE(retries) << retries.error().message;
  std::filesystem::remove(folder_.file("1/" + plan_.part(0, 1).name));
  links_ = std::make_shared<sail::DiskLinks>(link_);  // closes the removed part
  film_source_ = std::move(open_stored(folder_.file("film.vmov.xnd"), links_).value());
  const auto nothing = read();
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("there is no such part"));
}

TEST_F(PlacedFilmTest, ACopyStandsInForThoseThatLieOrSayNothing) {
  const auto join = [](std::initializer_list<std::vector<uint8_t>> all) {
    std::vector<uint8_t> bytes;
    for (const auto& one : all) bytes.insert(bytes.end(), one.begin(), one.end());
    return bytes;
  };
  const auto welcome = sail::encode_disk(0, sail::DiskWelcome{});
  const std::vector<uint8_t> few(10);
  const std::vector<std::vector<uint8_t>> liars = {
      {},
      {'H', 'T', 'T', 'P', '/', '1', '.', '1', ' ', '4', '0', '0', ' ', 'N', 'o', '\r', '\n', '\r'},
      welcome,
      join({welcome, sail::encode_disk(1, sail::DiskBytes{few})}),
      join({welcome, sail::encode_disk(77, sail::DiskBytes{few})}),
      join({welcome, sail::encode_disk(1, sail::DiskStored{5, true})}),
      join({welcome, welcome}),
      join({welcome, sail::encode_disk(0, sail::DiskFailed{sail::DiskFault::kRefused, "no"})}),
      sail::encode_disk(0, sail::DiskChallenge{std::string(32, 'a'), std::string(64, 'b')})};
  for (const auto& words : liars) {
    const Talker liar(words);
    disks_.clear();
    addresses_ = {liar.address(), {}, {}};
    begin();
    const auto retries = read();
    EXPECT_TRUE(retries) << words.size() << " bytes: " << retries.error().message;
    film_source_.reset();
    links_.reset();
  }
}

TEST_F(PlacedFilmTest, OnlyTheWallsKeyOpens) {
  const sail::WallKey key{"", "a secret of some length"};
  for (auto& options : options_) options.key = key;
  link_.key = key;
  begin();
  EXPECT_EQ(read().value(), 0U);
  for (const sail::WallKey& wrong :
       {sail::WallKey(), sail::WallKey{"", "another secret of that kind"},
        sail::key_named(key, "viewer"), sail::key_named(key, "operator")}) {
    link_.key = wrong;
    begin();
    const auto refused = read();
    ASSERT_FALSE(refused) << wrong.name;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized) << refused.error().message;
  }
  link_.key = sail::key_named(key, "admin");
  begin();
  EXPECT_TRUE(read());
}

// Otherwise the server's memory would fill up with answers.
TEST_F(PlacedFilmTest, WhoAsksAndReadsNothingIsRefused) {
  constexpr int kMostAsked = 400;  // megabytes
  begin();
  const int peer = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{.sin_family = AF_INET,
                      .sin_port = htons(addresses_[0].port),
                      .sin_addr = {htonl(INADDR_LOOPBACK)},
                      .sin_zero = {}};
  ASSERT_EQ(connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  const auto ask = [peer](uint32_t number, const sail::DiskMessage& message) {
    const std::vector<uint8_t> bytes = sail::encode_disk(number, message);
    return send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0;
  };
  ASSERT_TRUE(ask(0, sail::DiskAsk{}));
  uint32_t asked = 0;
  for (bool ended = false; !ended && asked < kMostAsked;) {
    const bool sent = ask(++asked, sail::DiskRead{0, kMega, plan_.part(0, 0).name});
    pollfd end{.fd = peer, .events = POLLRDHUP, .revents = 0};
    ended = !sent || poll(&end, 1, 5) > 0;
  }
  EXPECT_LT(asked, kMostAsked);
  close(peer);
}

TEST_F(PlacedFilmTest, WhoHasAKeyReadsOfNobodyWithout) {
  link_.key = sail::WallKey{"", "a secret of some length"};
  begin();
  const auto refused = read();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("has no key"));
}

}  // namespace
}  // namespace server
