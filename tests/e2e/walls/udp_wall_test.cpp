// Films over UDP to a whole wall through networks that lose, delay, duplicate and limit packets:
// tiles always show one complete and correct frame, and the fate of the other frames is reported.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "sail/apps/play/test_card.h"
#include "sail/core/socket/udp.h"
#include "sail/core/wire/data/packets.h"
#include "tests/support/environment_variable.h"
#include "tests/support/headless_wall.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {
namespace {

using reference::Picture;

constexpr sail::Size kSentSize{650, 366};
constexpr int kSentFps = 30;

// Submits test cards 1, 2, 3, … at the film's pace in its own thread, until destroyed.
class Film {
 public:
  Film(sail::Session& session, int delay_ms) {
    sail_stream_options options{};
    options.title = "film";
    options.codec = "dxt1";
    options.transport = "udp";
    options.delay_ms = delay_ms;
    options.width = kSentSize.width;
    options.height = kSentSize.height;
    options.place = {0, 0, kSentSize.width, kSentSize.height};
    std::string error;
    stream_ = session.open(options, &error);
    EXPECT_TRUE(stream_) << error;
    stream_.watch_links();
    thread_ = std::thread([this] { play(); });
  }
  ~Film() { stop(); }
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  void stop() {
    playing_ = false;
    if (thread_.joinable()) thread_.join();
  }
  sail_stream_stats stats() const { return stream_.stats(); }
  bool shows_more(uint64_t frames) const {
    const uint64_t wanted = stats().frames_shown + frames;
    return eventually([&] { return stats().frames_shown >= wanted; });
  }

 private:
  void play() {
    sail::TestCard painter(kSentSize, kSentFps);
    auto at = std::chrono::steady_clock::now();
    for (uint64_t number = 1; playing_; ++number) {
      const codecs::ImageView view = painter.paint(number);
      sail_frame frame{};
      frame.format = SAIL_BGRA;
      frame.planes[0] = view.planes[0];
      frame.strides[0] = view.strides[0];
      EXPECT_GE(stream_.submit(frame), 0);
      at += std::chrono::nanoseconds(std::chrono::seconds(1)) / kSentFps;
      std::this_thread::sleep_until(at);
    }
  }

  sail::Stream stream_;
  std::atomic<bool> playing_ = true;
  std::thread thread_;
};

class UdpWall : public testing::Test {
 protected:
  void start(std::string_view impairment, int delay_ms = 0) {
    wall_ = std::make_unique<HeadlessWall>(grid_wall(), *sail::parse_impairment(impairment));
    session_ = wall_->open_session("film");
    ASSERT_TRUE(*session_);
    film_ = std::make_unique<Film>(*session_, delay_ms);
  }
  void TearDown() override {
    film_.reset();
    session_.reset();
    wall_.reset();
  }

  // The latest statistics of the links.
  const std::map<std::string, sail_link_stats>& links() {
    while (const auto event = session_->poll()) {
      if (event->type == SAIL_EVENT_LINK) links_[event->link.receiver] = event->link;
    }
    return links_;
  }
  const sail_link_stats& link(const std::string& receiver) {
    EXPECT_TRUE(eventually([&] { return links().contains(receiver); }));
    return links_[receiver];
  }

  // Returns the numbers of the cards on the tiles. Expects every pixel of a tile to be from one
  // card.
  std::set<uint32_t> expect_whole_tiles() {
    std::set<uint32_t> shown;
    for (const sail::TilePicture& tile : wall_->tiles().snapshot.pictures) {
      std::set<uint32_t> numbers = cards_on(tile);
      EXPECT_LE(numbers.size(), 1U) << "tile " << tile.tile << " shows parts of several frames";
      if (numbers.empty()) continue;  // nothing so far
      // The manager labels a window in trouble at its top left corner.
      constexpr int kLabelRows = 64;
      const int first_row = tile.tile == "c1r1" ? kLabelRows : 0;
      const ptrdiff_t from = ptrdiff_t{first_row} * tile.size.width * 4;
      const std::vector<uint8_t> expected = expected_on(tile.tile, *numbers.begin());
      EXPECT_TRUE(std::equal(tile.bgra.begin() + from, tile.bgra.end(), expected.begin() + from,
                             expected.end()))
          << "frame " << *numbers.begin() << " on tile " << tile.tile;
      shown.merge(numbers);
    }
    return shown;
  }
  std::vector<uint8_t> expected_on(const std::string& tile, uint32_t number) {
    const Picture frame =
        through(*sail::parse_codec_spec("dxt1"), test_card(kSentSize, number), 0, 0);
    const reference::Window window{{0, 0, kSentSize.width, kSentSize.height}, frame, false};
    const std::vector<Picture> tiles =
        reference::show_on_wall(wall_->wall(), std::span(&window, 1));
    const auto index = wall_->wall().find_tile(tile) - wall_->wall().tiles.data();
    return tiles[static_cast<size_t>(index)].pixels;
  }
  // Waits until this many different frames were shown, each the same on all tiles.
  void expect_whole_frames(size_t count) {
    std::set<uint32_t> seen;
    EXPECT_TRUE(eventually([&] {
      std::set<uint32_t> shown = expect_whole_tiles();
      EXPECT_LE(shown.size(), kMostFramesAtOnce) << "tiles show different frames";
      seen.merge(shown);
      return seen.size() >= count || HasFailure();
    })) << seen.size()
        << " different frames";
  }
  // Expects every submitted frame to be shown or dropped, once the fate of the last one is known.
  void expect_all_accounted_for() {
    film_->stop();
    EXPECT_TRUE(eventually([&] { return film_->stats().frames_in_flight == 0; }));
    const sail_stream_stats stats = film_->stats();
    EXPECT_EQ(stats.frames_submitted, stats.frames_shown + stats.frames_dropped);
  }

  std::unique_ptr<HeadlessWall> wall_;
  std::unique_ptr<sail::Session> session_;
  std::unique_ptr<Film> film_;
  std::map<std::string, sail_link_stats> links_;
};

const std::array<const char*, 4> kNodes{"node1", "node2", "node3", "node4"};

TEST_F(UdpWall, AGoodNetworkShowsFramesAndLosesNoPackets) {
  start("none");
  expect_whole_frames(5);
  EXPECT_TRUE(film_->shows_more(20));
  for (const char* node : kNodes) {
    EXPECT_EQ(link(node).transport, SAIL_UDP);
    EXPECT_TRUE(eventually([&] { return link(node).packets_arrived > 0; })) << node;
    EXPECT_GT(wall_->relay_counters(node).to_target.packets, 0U) << "not over TCP";
    EXPECT_EQ(link(node).packets_lost, 0U);
  }
  expect_all_accounted_for();
}

TEST_F(UdpWall, LossesAreMendedAndFramesStayWholeAndRight) {
  start("loss=2%,burst=2,reorder=1%,duplicate=1%,delay=5ms,jitter=2ms,seed=3");
  expect_whole_frames(10);
  EXPECT_TRUE(film_->shows_more(60));
  const auto any = [&](auto member) {
    return eventually([&] {
      uint64_t sum = 0;
      for (const auto& [node, stats] : links()) sum += stats.*member;
      return sum > 0;
    });
  };
  EXPECT_TRUE(any(&sail_link_stats::packets_lost));
  EXPECT_TRUE(any(&sail_link_stats::packets_duplicated));
  EXPECT_TRUE(any(&sail_link_stats::packets_reordered));
  EXPECT_TRUE(eventually([&] {
    uint64_t mended = 0;
    for (const auto& [node, stats] : links()) mended += stats.mended_fec + stats.mended_retransmit;
    return mended > 0;
  }));
  expect_all_accounted_for();
}

TEST_F(UdpWall, WhatCannotBeMendedIsLostWholeAndCounted) {
  // Retransmissions would arrive too late, and bursts are longer than a frame with its FEC: some
  // frames lose all their packets. The rest of the delay is enough for a busy machine.
  start("loss=30%,burst=100,delay=30ms,seed=2", 50);
  // Such a link gets halved pictures, whose cards cannot be read.
  EXPECT_TRUE(eventually([&] {
    expect_whole_tiles();
    return film_->stats().frames_shown >= 3 || HasFailure();
  }));
  EXPECT_TRUE(eventually([&] { return film_->stats().frames_lost >= 3; }))
      << film_->stats().frames_dropped << " dropped";
  EXPECT_TRUE(eventually([&] {
    uint64_t lost = 0;
    for (const auto& [node, stats] : links()) lost += stats.frames_lost;
    return lost >= 3;
  }));
  for (const char* node : kNodes) wall_->set_impairment(node, {});
  EXPECT_TRUE(film_->shows_more(20)) << "and it goes on";
  EXPECT_TRUE(eventually([&] { return expect_whole_tiles().size() == 1; }))
      << "who was left behind comes back";
  expect_whole_frames(3);
  expect_all_accounted_for();
}

// Sends invalid packets to an address as fast as it can, until destroyed.
class Attacker {
 public:
  explicit Attacker(const sail::Address& at) : at_(at), thread_([this] { attack(); }) {}
  ~Attacker() {
    attacking_ = false;
    thread_.join();
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  uint64_t sent() const { return sent_; }

 private:
  // A frame's packet or a probe with an unknown secret, sometimes truncated or with wrong bytes.
  size_t make(std::span<uint8_t> bytes) {
    sail::PacketHeader header;
    header.type = static_cast<sail::PacketType>(random_() % 6);
    header.stream = static_cast<uint32_t>(random_() % 3);
    header.secret = random_();
    header.number = random_() % 100000;
    sail::FramePacket packet;
    packet.name = {random_() % 1000, random_() % 4};
    packet.symbol = static_cast<uint32_t>(random_());
    packet.last = random_() % 2 == 0;
    size_t size = sail::encode_to(bytes, header, packet) + random_() % 1400;
    switch (random_() % 4) {
      case 0:
        return random_() % (size + 1);
      case 1:
        bytes[random_() % size] ^= static_cast<uint8_t>(random_());
        break;
      case 2:
        return bytes.size();  // longer than any packet
      default:
        break;
    }
    return size;
  }
  void attack() {
    sail::Loop loop;
    const auto socket = sail::UdpSocket::connect(loop, at_);
    ASSERT_TRUE(socket);
    std::vector<uint8_t> bytes(20000);
    while (attacking_) {
      const std::span<const uint8_t> part(bytes.data(), make(bytes));
      const sail::OutgoingDatagram datagram{{&part, 1}, part.size()};
      sent_ += (*socket)->send({&datagram, 1});
    }
  }

  const sail::Address at_;
  std::mt19937_64 random_{7};
  std::atomic<uint64_t> sent_ = 0;
  std::atomic<bool> attacking_ = true;
  std::thread thread_;
};

[[maybe_unused]] size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0;
  size_t resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

TEST_F(UdpWall, NonsenseFromStrangersDisturbsNobody) {
  // Packets that the relay duplicates are valid packets received twice.
  start("duplicate=20%");
  EXPECT_TRUE(film_->shows_more(20));
  [[maybe_unused]] const size_t before = resident_bytes();
  {
    const Attacker attacker(wall_->data_address("node1"));
    EXPECT_TRUE(eventually([&] { return attacker.sent() > 20000; }));
    expect_whole_frames(5);
    EXPECT_TRUE(film_->shows_more(20)) << "while it goes on";
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // these keep freed memory
  constexpr size_t kMore = size_t{48} << 20;
  EXPECT_LT(resident_bytes(), before + kMore);
#endif
  expect_whole_frames(3);
  expect_all_accounted_for();
  for (const char* node : kNodes) EXPECT_TRUE(wall_->connected(node));
}

// Replays overheard packets after a while, and modified copies of them, from its own address.
// Nobody may answer this address.
class Overhearer : private sail::UdpReader {
 public:
  explicit Overhearer(const sail::Address& at) : thread_([this, at] { run(at); }) {}
  ~Overhearer() override {
    attacking_ = false;
    thread_.join();
  }
  Overhearer(const Overhearer&) = delete;
  Overhearer& operator=(const Overhearer&) = delete;

  void hear(std::span<const uint8_t> packet) {
    const std::lock_guard lock(mutex_);
    if (heard_.size() < kMost) heard_.emplace_back(packet.begin(), packet.end());
  }
  uint64_t sent() const { return sent_; }
  uint64_t answers() const { return answers_; }

 private:
  static constexpr size_t kMost = 10000;
  static constexpr size_t kBehind = 50;

  void run(const sail::Address& at) {
    sail::Loop loop;
    const auto socket = sail::UdpSocket::connect(loop, at).value();
    socket->start_reading(*this);
    sail::Timer timer(loop);
    timer.start(1, 1, [&] {
      if (!attacking_) return loop.stop();
      for (const std::vector<uint8_t>& packet : take()) attack(*socket, packet);
    });
    loop.run();
  }
  std::vector<std::vector<uint8_t>> take() {
    const std::lock_guard lock(mutex_);
    if (heard_.size() <= kBehind) return {};
    const auto end = heard_.end() - kBehind;
    std::vector<std::vector<uint8_t>> taken(heard_.begin(), end);
    heard_.erase(heard_.begin(), end);
    return taken;
  }
  void attack(sail::UdpSocket& socket, const std::vector<uint8_t>& packet) {
    send(socket, packet);
    for (size_t at : {size_t{18}, size_t{26}, sail::kPacketHeaderBytes, packet.size() - 1}) {
      std::vector<uint8_t> forged = packet;  // forged in one of: number, stamp, text, tag
      forged[at] ^= static_cast<uint8_t>(1 + random_() % 255);
      send(socket, forged);
    }
    std::vector<uint8_t> unsealed = packet;
    unsealed[3] = 1;
    unsealed[19] = 1;
    send(socket, unsealed);
  }
  void send(sail::UdpSocket& socket, std::span<const uint8_t> bytes) {
    const sail::OutgoingDatagram datagram{{&bytes, 1}, bytes.size()};
    sent_ += socket.send({&datagram, 1});
  }
  void on_datagrams(std::span<const sail::Datagram> datagrams) override {
    answers_ += datagrams.size();
  }

  std::mutex mutex_;
  std::deque<std::vector<uint8_t>> heard_;
  std::mt19937_64 random_{7};
  std::atomic<uint64_t> sent_ = 0;
  std::atomic<uint64_t> answers_ = 0;
  std::atomic<bool> attacking_ = true;
  std::thread thread_;
};

class SealedUdpWall : public UdpWall {
  const EnvironmentVariable always_{"VITRAIL_TLS", "always"};
};

TEST_F(SealedUdpWall, LossesAreMendedAndFramesStayWholeAndRight) {
  start("loss=2%,burst=2,reorder=1%,duplicate=1%,delay=5ms,jitter=2ms,seed=3");
  expect_whole_frames(10);
  EXPECT_TRUE(film_->shows_more(60));
  expect_all_accounted_for();
}

TEST_F(SealedUdpWall, WhoOverhearsAndForgesDisturbsNobody) {
  constexpr int kDelayMs = 500;  // so that nothing is late on a busy machine
  start("none", kDelayMs);
  EXPECT_TRUE(film_->shows_more(5));
  {
    Overhearer overhearer(wall_->data_address("node1"));
    wall_->overhear("node1", [&](std::span<const uint8_t> packet) { overhearer.hear(packet); });
    EXPECT_TRUE(eventually([&] { return overhearer.sent() > 10000; }));
    expect_whole_frames(5);
    EXPECT_TRUE(film_->shows_more(20)) << "while it goes on";
    wall_->overhear("node1", nullptr);
    EXPECT_EQ(overhearer.answers(), 0U);
  }
  // The receiver detects replays by packet numbers, and reports them in its feedback.
  EXPECT_TRUE(eventually([&] { return link("node1").packets_duplicated > 1000; }));
  EXPECT_EQ(film_->stats().frames_lost, 0U);
  expect_all_accounted_for();
}

TEST_F(UdpWall, ANarrowLinkTakesFewerFramesAndComesBack) {
  start("delay=2ms");
  EXPECT_TRUE(film_->shows_more(30));
  // A third of the rate that the node's part of the film needs.
  wall_->set_impairment("node1", *sail::parse_impairment("delay=2ms,rate=2mbit"));
  EXPECT_TRUE(eventually([&] { return film_->stats().frames_unsent > 20; }));
  EXPECT_TRUE(film_->shows_more(20)) << "but it goes on";
  EXPECT_TRUE(eventually([&] { return link("node1").limit_mbit_per_s > 0; }));

  wall_->set_impairment("node1", *sail::parse_impairment("delay=2ms"));
  // All frames of a second are shown again.
  EXPECT_TRUE(eventually([&] {
    const uint64_t unsent = film_->stats().frames_unsent;
    const bool shown = film_->shows_more(kSentFps);
    return shown && film_->stats().frames_unsent == unsent;
  }));
  expect_whole_frames(3);  // smaller pictures cannot be read; none are sent any more
  expect_all_accounted_for();
}

}  // namespace
}  // namespace test
