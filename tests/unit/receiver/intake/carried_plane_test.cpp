// Carried streams at the data port, with the decoders' processes.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "tests/unit/receiver/decode/sent_film.h"
#include "tests/unit/receiver/intake/data_plane_fixture.h"

namespace receiver {
namespace {

constexpr sail::StreamCodec kH264{.id = codecs::CodecId::kH264};
constexpr sail::Size kFilmSize{128, 64};

// The decoders that this process has started.
std::set<pid_t> running_decoders() {
  std::set<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    if (stat.find("(vitrail-decoder") == std::string::npos) continue;
    // The number, the name in parentheses, the state, the parent's number.
    std::istringstream rest(stat.substr(stat.rfind(')') + 1));
    char state = 0;
    pid_t parent = 0;
    rest >> state >> parent;
    if (parent == getpid() && state != 'Z') found.insert(std::stoi(name));
  }
  return found;
}

class CarriedPlaneTest : public DataPlaneTest {
 protected:
  static sail::Scene scene(const std::vector<uint32_t>& streams) {
    sail::Scene scene = scene_of(streams);
    for (sail::SceneWindow& window : scene.windows) window.block_size = kFilmSize;
    return scene;
  }
  std::unique_ptr<DataPeer> open_film(uint32_t stream) {
    auto peer = connect();
    sail::StreamOpen open = open_message(kSecret, kH264);
    open.block_size = kFilmSize;
    peer->open(stream, open);
    EXPECT_TRUE(run_until([&] { return peer->accepted(); }));
    return peer;
  }
  // Sends a picture of the film as this frame; the first picture needs no frame before.
  void send(DataPeer& peer, uint32_t stream, uint64_t number, size_t picture) {
    peer.send(frame_bytes(stream, {1, number}, 1, {{{number, 0, 0, 1}, film_.block(picture)}},
                          picture == 0 ? 0 : number - 1));
  }
  // Shows the film's first picture. Returns the process that has decoded it.
  pid_t begin(DataPeer& peer, uint32_t stream) {
    send(peer, stream, 1, 0);
    EXPECT_TRUE(wait_ready(1));
    const std::set<pid_t> decoders = running_decoders();
    EXPECT_EQ(decoders.size(), 1U);
    return decoders.empty() ? 0 : *decoders.begin();
  }
  bool wait_ready(size_t frames) {
    return run_until([this, frames] { return ready_.size() == frames; });
  }

  const SentFilm film_{kFilmSize};
};

TEST_F(CarriedPlaneTest, ADecoderThatHangsStopsNoOtherStreamAndNoClose) {
  data_.prepare(scene({kStream, kGoodStream}));
  data_.commit(scene({kStream, kGoodStream}));
  const auto hanging = open_film(kStream);
  const pid_t decoder = begin(*hanging, kStream);
  ASSERT_GT(decoder, 0);
  kill(decoder, SIGSTOP);
  send(*hanging, kStream, 2, 1);

  const auto good = open_film(kGoodStream);
  for (uint64_t frame = 1; frame <= 3; ++frame) send(*good, kGoodStream, frame, frame - 1);
  ASSERT_TRUE(wait_ready(4));
  EXPECT_EQ(kill(decoder, 0), 0) << "it still hangs";

  data_.commit(scene({kGoodStream}));
  ASSERT_TRUE(run_until([decoder] { return kill(decoder, 0) != 0; }));
  EXPECT_EQ(data_.frames().counters().decoders_lost, 0U) << "it was not waited for";
}

TEST_F(CarriedPlaneTest, AConnectionThatReplacesAnotherDoesNotWaitForItsDecoder) {
  data_.prepare(scene({kStream}));
  data_.commit(scene({kStream}));
  const auto first = open_film(kStream);
  const pid_t decoder = begin(*first, kStream);
  ASSERT_GT(decoder, 0);
  kill(decoder, SIGSTOP);
  for (uint64_t frame = 2; frame <= 4; ++frame) send(*first, kStream, frame, frame - 1);

  const auto second = open_film(kStream);
  send(*second, kStream, 5, 0);
  ASSERT_TRUE(wait_ready(2));
  EXPECT_EQ(data_.frames().counters().decoders_lost, 0U);
  ASSERT_TRUE(run_until([] { return running_decoders().size() == 1; }));
}

TEST_F(CarriedPlaneTest, ThumbnailsAreMadeWhileTheyAreRequested) {
  data_.prepare(scene({kStream}));
  data_.commit(scene({kStream}));
  data_.frames().request_thumbnails({.stream = kStream, .width = 64, .per_second = 0.2});
  data_.frames().request_thumbnails({.stream = kGoodStream, .width = 64, .per_second = 1});
  const auto peer = open_film(kStream);
  begin(*peer, kStream);
  ASSERT_TRUE(run_until([this] { return thumbnails_.size() == 1; }));
  EXPECT_EQ(thumbnails_[0].stream, kStream);
  EXPECT_EQ(thumbnails_[0].size, (sail::Size{64, 32}));
  EXPECT_TRUE(thumbnails_[0].jpeg.starts_with("/9j/"));
  // The film rests, and somebody else looks.
  data_.frames().request_thumbnails({.stream = kStream, .width = 100, .per_second = 10});
  ASSERT_EQ(thumbnails_.size(), 2U);
  EXPECT_EQ(thumbnails_[1].size, (sail::Size{100, 50}));
  data_.frames().request_thumbnails({.stream = kStream, .width = 100, .per_second = 0});
  send(*peer, kStream, 2, 1);
  ASSERT_TRUE(wait_ready(2));
  EXPECT_EQ(thumbnails_.size(), 2U);
}

TEST_F(CarriedPlaneTest, TheLastPictureGetsItsThumbnailEvenIfItCameTooEarly) {
  data_.prepare(scene({kStream}));
  data_.commit(scene({kStream}));
  data_.frames().request_thumbnails({.stream = kStream, .width = 64, .per_second = 2});
  const auto peer = open_film(kStream);
  begin(*peer, kStream);
  send(*peer, kStream, 2, 1);
  ASSERT_TRUE(wait_ready(2));
  ASSERT_TRUE(run_until([this] {
    data_.frames().make_owed_thumbnails();
    return thumbnails_.size() == 2;
  }));
  EXPECT_NE(thumbnails_[0].jpeg, thumbnails_[1].jpeg);
}

TEST_F(CarriedPlaneTest, ThumbnailsEndWhenTheManagerThatAskedIsGone) {
  data_.prepare(scene({kStream}));
  data_.commit(scene({kStream}));
  data_.frames().request_thumbnails({.stream = kStream, .width = 64, .per_second = 1});
  data_.frames().forget_thumbnail_requests();
  const auto peer = open_film(kStream);
  begin(*peer, kStream);
  // A thumbnail of the first picture would come before the second picture.
  send(*peer, kStream, 2, 1);
  ASSERT_TRUE(wait_ready(2));
  EXPECT_TRUE(thumbnails_.empty());
}

}  // namespace
}  // namespace receiver
