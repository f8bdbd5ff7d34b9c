#include "tests/support/headless_wall.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>

#include "codecs/color/scaling.h"
#include "codecs/dxt/dxt.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "manager/fs_manager.h"
#include "receiver/display/window_system.h"
#include "receiver/receiver.h"
#include "sail/core/wall/block_grid.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"
#include "ui/client/answers.h"

namespace test {

namespace {

constexpr auto kLook = std::chrono::milliseconds(5);
constexpr auto kWaitTimeout = std::chrono::milliseconds(3 * sail::kTestDeadlineMs);

sail::Log quiet_log() {
  return sail::Log("test", sail::LogLevel::kOff);
}

}  // namespace

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kWaitTimeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

sail::Wall grid_wall() {
  return sail::parse_wall(
             R"({"grid": {"columns": 2, "rows": 2, "resolution": [320, 180], "mullion": [10, 6]}})")
      .value();
}

sail::Wall one_tile_wall() {
  return sail::parse_wall(R"({"grid": {"columns": 1, "rows": 1, "resolution": [480, 360]}})")
      .value();
}

class HeadlessWall::ManagerThread {
 public:
  ManagerThread(const sail::Wall& wall, const sail::Address& listen) {
    std::promise<sail::Address> listening;
    auto address = listening.get_future();
    thread_ = std::thread([this, wall, listen, &listening] { run(wall, listen, listening); });
    address_ = address.get();
  }
  ~ManagerThread() {
    loop_.post([this] { killed_ ? loop_.stop() : manager_->shut_down(); });
    thread_.join();
  }
  // Makes the destructor end the manager without notifying its clients.
  void kill() { killed_ = true; }
  const sail::Address& address() const { return address_; }

 private:
  void run(const sail::Wall& wall, const sail::Address& listen,
           std::promise<sail::Address>& listening) {
    manager::FsManagerOptions options;
    options.wall = wall;
    options.listen = listen;
    options.state_folder = state_.path();
    auto started =
        manager::FsManager::start(loop_, std::move(options), quiet_log(), [this] { loop_.stop(); });
    manager_ = std::move(started.value());
    listening.set_value(manager_->address());
    loop_.run();
    manager_.reset();
  }

  const sail::TempFolder state_;
  sail::Loop loop_;
  std::unique_ptr<manager::FsManager> manager_;
  bool killed_ = false;  // set before the destructor runs
  sail::Address address_;
  std::thread thread_;
};

class HeadlessWall::RelayThread {
 public:
  explicit RelayThread(const sail::Impairment& impairment)
      : relay_(std::move(sail::Relay::start(loop_, {"127.0.0.1", 0}, impairment).value())),
        address_(relay_->address()),
        thread_([this] {
          loop_.run();
          relay_.reset();
        }) {}
  ~RelayThread() {
    loop_.stop();
    thread_.join();
  }
  const sail::Address& address() const { return address_; }
  // Thread-safe. Each returns when it is done.
  void set_target(const sail::Address& target) {
    with_relay([&](sail::Relay& relay) {
      target_ = target;
      EXPECT_TRUE(relay.set_target(target));
    });
  }
  sail::Address target() {
    sail::Address target;
    with_relay([&](sail::Relay&) { target = target_; });
    return target;
  }
  void with_relay(const std::function<void(sail::Relay&)>& task) {
    std::promise<void> done;
    loop_.post([&] {
      task(*relay_);
      done.set_value();
    });
    done.get_future().get();
  }

 private:
  sail::Loop loop_;
  std::unique_ptr<sail::Relay> relay_;
  const sail::Address address_;
  sail::Address target_;  // used on the loop thread
  std::thread thread_;
};

class HeadlessWall::ReceiverThread {
 public:
  ReceiverThread(const sail::Address& manager, const std::string& name, RelayThread* relay)
      : receiver_(options(manager, name, relay),
                  receiver::make_cpu_display(receiver::make_null_window_system(), 1), quiet_log()),
        thread_([this] { static_cast<void>(receiver_.run()); }) {}
  ~ReceiverThread() {
    receiver_.quit();
    thread_.join();
  }

 private:
  static receiver::ReceiverOptions options(const sail::Address& manager, const std::string& name,
                                           RelayThread* relay) {
    receiver::ReceiverOptions options;
    if (relay != nullptr) {
      options.announce_port = relay->address().port;
      options.on_listening = [relay](const sail::Address& at) { relay->set_target(at); };
    }
    options.decode_workers = 1;
    options.manager = manager;
    options.name = name;
    options.decoder_program.clear();
    return options;
  }

  receiver::Receiver receiver_;
  std::thread thread_;
};

HeadlessWall::HeadlessWall(const sail::Wall& wall,
                           const std::optional<sail::Impairment>& impairment)
    : wall_(wall) {
  manager_ = std::make_unique<ManagerThread>(wall, sail::Address{"127.0.0.1", 0});
  manager_address_ = sail::address_text(manager_->address());
  client_ = std::move(sail::RpcClient::connect(manager_->address()).value());
  for (const sail::ReceiverPlace& place : wall.receivers) {
    if (impairment) relays_[place.name] = std::make_unique<RelayThread>(*impairment);
    start_receiver(place.name);
  }
  for (const sail::ReceiverPlace& place : wall.receivers) {
    EXPECT_TRUE(eventually([&] { return connected(place.name); })) << place.name;
  }
}

HeadlessWall::~HeadlessWall() {
  client_.reset();
  receivers_.clear();
}

sail::Json HeadlessWall::call(std::string_view verb, const sail::Json& params) {
  auto answer = client_->call(verb, params);
  if (!answer) {
    ADD_FAILURE() << verb << ": " << answer.error().message;
    return sail::Json::object();
  }
  return *answer;
}

bool HeadlessWall::connected(const std::string& receiver) {
  for (const sail::Json& one : ui::member(call("list"), "receivers")) {
    if (ui::text_member(one, "name") == receiver) return ui::true_member(one, "connected");
  }
  return false;
}

sail::Json HeadlessWall::windows() {
  return ui::member(call("list"), "windows");
}

sail::Json HeadlessWall::window() {
  const sail::Json all = windows();
  return all.empty() ? sail::Json::object() : all[0];
}

std::unique_ptr<sail::Session> HeadlessWall::open_session(const char* name) const {
  sail_session_options options{};
  options.name = name;
  options.manager = manager_address_.c_str();
  options.quiet = 1;
  std::string error;
  auto session = std::make_unique<sail::Session>(options, &error);
  EXPECT_TRUE(*session) << error;
  return session;
}

void HeadlessWall::kill_manager() {
  client_.reset();
  manager_->kill();
  manager_.reset();
}

void HeadlessWall::start_manager() {
  manager_ =
      std::make_unique<ManagerThread>(wall_, sail::parse_address(manager_address_, {}).value());
  client_ = std::move(sail::RpcClient::connect(manager_->address()).value());
}

void HeadlessWall::start_receiver(const std::string& name) {
  const auto relay = relays_.find(name);
  receivers_[name] = std::make_unique<ReceiverThread>(
      manager_->address(), name, relay == relays_.end() ? nullptr : relay->second.get());
}

void HeadlessWall::stop_receiver(const std::string& name) {
  receivers_.erase(name);
}

void HeadlessWall::set_impairment(const std::string& receiver, const sail::Impairment& impairment) {
  relays_.at(receiver)->with_relay([&](sail::Relay& relay) { relay.set_impairment(impairment); });
}

void HeadlessWall::overhear(const std::string& receiver,
                            std::function<void(std::span<const uint8_t>)> listener) {
  relays_.at(receiver)->with_relay(
      [&](sail::Relay& relay) { relay.overhear(std::move(listener)); });
}

sail::RelayCounters HeadlessWall::relay_counters(const std::string& receiver) {
  sail::RelayCounters counters;
  relays_.at(receiver)->with_relay([&](sail::Relay& relay) { counters = relay.counters(); });
  return counters;
}

sail::Address HeadlessWall::data_address(const std::string& receiver) {
  return relays_.at(receiver)->target();
}

void HeadlessWall::settle() {
  EXPECT_TRUE(eventually([&] { return ui::true_member(call("list"), "settled"); }));
}

ui::TilePictures HeadlessWall::tiles() {
  auto tiles = ui::take_tile_pictures(*client_);
  if (!tiles) {
    ADD_FAILURE() << tiles.error().message;
    return {};
  }
  for (const sail::Snapshot::Failure& failure : tiles->snapshot.failures) {
    ADD_FAILURE() << failure.receiver << ": " << failure.error.message;
  }
  return std::move(*tiles);
}

// Describes the first difference; empty: none.
std::string HeadlessWall::difference(const sail::Rect& rect, const Colours& colours,
                                     int tolerance) {
  const ui::TilePictures taken = tiles();
  if (taken.snapshot.pictures.size() != 1) return "no picture of one tile";
  const sail::TilePicture& tile = taken.snapshot.pictures[0];
  for (int y = rect.y; y < rect.bottom(); ++y) {
    for (int x = rect.x; x < rect.right(); ++x) {
      const uint32_t wanted = colours(x, y);
      if (wanted == kAnything) continue;
      const uint8_t* pixel = &tile.bgra[static_cast<size_t>(y * tile.size.width + x) * 4];
      for (int part = 0; part < 3; ++part) {
        const int level = static_cast<int>((wanted >> (8 * part)) & 0xff);
        if (std::abs(pixel[part] - level) <= tolerance) continue;
        return fmt::format("({}, {}) is {:02x}{:02x}{:02x}, not {:06x}", x, y, pixel[2], pixel[1],
                           pixel[0], wanted);
      }
    }
  }
  return {};
}

void HeadlessWall::expect_shown(const sail::Rect& rect, const Colours& colours,
                                const std::string& what, int tolerance) {
  std::string seen;
  EXPECT_TRUE(eventually([&] {
    seen = difference(rect, colours, tolerance);
    return seen.empty();
  })) << what
      << ": " << seen;
}

namespace {

codecs::ImageView view_of(const reference::Picture& picture) {
  return {.format = codecs::PixelFormat::kBgra,
          .width = picture.width,
          .height = picture.height,
          .planes = {picture.pixels.data()},
          .strides = {ptrdiff_t{picture.width} * 4}};
}

reference::Picture halved(const reference::Picture& frame, int reduction) {
  if (reduction == 0) return frame;
  const sail::Size size = sail::reduced_size({frame.width, frame.height}, reduction);
  reference::Picture reduced = reference::black_picture(size.width, size.height);
  codecs::reduce_to_bgra(view_of(frame), reduction, 0, 0, size.width, size.height,
                         {reduced.pixels.data(), ptrdiff_t{size.width} * 4},
                         codecs::CpuLevel::kReference);
  return reduced;
}

// Encodes each block as a separate codestream, from the frame halved before encoding or decoded at
// a lower resolution. Lossless only: otherwise the quantiser step depends on earlier frames.
reference::Picture through_j2k(const sail::CodecSpec& codec, const reference::Picture& frame,
                               int of_frame, int reduction) {
  const codecs::CodecId id = codec.codec.id;
  const sail::Size size{frame.width, frame.height};
  const auto grid_of = [&](int halvings) {
    return sail::reduced_grid(size, sail::default_block_size(id), halvings, sail::Scaling::kBlock);
  };
  const reference::Picture coded = halved(frame, of_frame);
  const sail::BlockGrid grid = grid_of(of_frame);
  const sail::BlockGrid reduced = grid_of(reduction);
  const auto encoder = codecs::make_j2k_encoder(id);
  const auto decoder = codecs::make_j2k_decoder(id);
  reference::Picture shown =
      reference::black_picture(reduced.frame_size().width, reduced.frame_size().height);
  const ptrdiff_t stride = ptrdiff_t{shown.width} * 4;
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const sail::Rect rect = grid.block_rect(column, row);
      const sail::Rect place = reduced.block_rect(column, row);
      std::vector<uint8_t> bytes(codecs::max_block_bytes(id, rect.width, rect.height));
      const auto lengths = encoder->encode(view_of(coded), rect.x, rect.y, rect.width, rect.height,
                                           {.lossless = true, .step = 0}, bytes);
      EXPECT_TRUE(lengths);
      EXPECT_TRUE(decoder->decode(std::span(bytes).first((*lengths)[0]),
                                  {.width = rect.width,
                                   .height = rect.height,
                                   .reduction = reduction - of_frame,
                                   .color = {},
                                   .frame_x = place.x,
                                   .frame_y = place.y,
                                   .pixels = {shown.at(place.x, place.y), stride}}));
    }
  }
  return shown;
}

}  // namespace

reference::Picture through(const sail::CodecSpec& codec, const reference::Picture& frame,
                           int of_frame, int reduction) {
  const codecs::CodecId id = codec.codec.id;
  if (codecs::is_j2k(id)) return through_j2k(codec, frame, of_frame, reduction);
  reference::Picture reduced = halved(frame, reduction);
  if (id == codecs::CodecId::kRaw) return reduced;
  const auto plain = codecs::CpuLevel::kReference;
  std::vector<uint8_t> blocks(codecs::dxt_bytes(id, reduced.width, reduced.height));
  codecs::dxt_encode(id, view_of(reduced), 0, 0, reduced.width, reduced.height, codec.mode,
                     blocks.data(), plain);
  codecs::dxt_decode(id, blocks.data(), reduced.width, reduced.height, 0, 0, reduced.width,
                     reduced.height, {reduced.pixels.data(), ptrdiff_t{reduced.width} * 4}, plain);
  return reduced;
}

}  // namespace test
