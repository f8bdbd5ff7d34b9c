#include "ui/bridge/bridge.h"

#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <variant>

#include "receiver/receiver.h"
#include "receiver/receiver_controller.h"
#include "receiver/signal_thread.h"
#include "sail/core/base/secret.h"
#include "sail/core/base/worker_pool.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"
#include "ui/bridge/near_controls.h"

namespace ui {
namespace {

// Releases the frames at once: the far wall has copies.
receiver::Swapped shown_now(receiver::Swap swap) {
  receiver::Swapped swapped{.ended = {},
                            .released = std::move(swap.frames),
                            .scene_epoch = swap.scene ? swap.scene->epoch : 0};
  const int64_t now_ns = sail::steady_now_ns();
  for (const auto& frame : swapped.released) {
    swapped.ended.push_back({.stream = frame->stream(),
                             .session = frame->session(),
                             .key = frame->key(),
                             .assembled_ns = frame->assembled_ns(),
                             .swapped_ns = now_ns});
  }
  return swapped;
}

// Sends what people of the far wall do in a region to the near wall, on a thread of its own.
class RegionControls {
 public:
  RegionControls(const NearWall& near, const std::string& far_at, const sail::Log& log)
      : controls_(loop_, near, far_at, {}, log), log_(log), thread_([this] { loop_.run(); }) {}
  ~RegionControls() {
    loop_.post([this] { loop_.stop(); });
    thread_.join();
  }
  RegionControls(const RegionControls&) = delete;
  RegionControls& operator=(const RegionControls&) = delete;

  // Any one thread.
  void send(Wish wish) {
    if (wishes_.push(std::move(wish))) log_.warning("this wall does not keep up with input");
    loop_.post([this] {
      while (const auto next = wishes_.pop()) controls_.send(*next);
    });
  }

 private:
  sail::Loop loop_;
  NearControls controls_;
  const sail::Log& log_;
  sail::Mailbox<Wish> wishes_{kMostWishes};  // when full, the oldest one is dropped
  std::thread thread_;
};

// Windows are not passed on twice, so that no picture comes back to its own wall.
void darken_bridged(sail::Scene& scene) {
  for (sail::SceneWindow& window : scene.windows) {
    if (window.source && is_bridged(window.source->owner)) window.dark = true;
  }
}

// The receiver's main thread is missing here: its jobs are done on the loop thread.
class NearReceiver {
 public:
  NearReceiver(const NearWall& near, FarWall& far, const sail::Log& log)
      : controller_(
            loop_,
            {.name = kBridgeProgram,
             .manager = near.at,
             .data_port = near.data_port,
             .announce_port = near.announce_port,
             .record = sail::Record{.whole = near.windows, .secret = sail::random_secret()},
             .key = near.key,
             .on_whole = [this](const receiver::Frame& frame) { pass(frame); },
             .on_scene = [&far](const sail::Scene& scene) { far.follow(scene); },
             .on_sound = [&far](uint32_t stream,
                                const sail::Sound& sound) { far.pass(stream, sound); }},
            [this](receiver::Job job) { take(std::move(job)); }, log),
        far_(far),
        controls_(loop_, near, far.at(),
                  NearControls::Windows{.far = far, .clock = controller_.clock()}, log) {
    far_.on_wishes([this] {
      loop_.post([this] {
        while (const auto wish = far_.next_wish()) controls_.send(*wish);
      });
    });
  }

  sail::Result<void> run() {
    sail::run_until_signal(loop_, [this] { end(); });
    return result_;
  }
  // Any thread.
  void quit() {
    loop_.post([this] { end(); });
  }

 private:
  void end() {
    controller_.shut_down();
    loop_.stop();
  }
  void pass(const receiver::Frame& frame) {
    const bool timed = frame.delay_ns() != 0 && controller_.clock().known();
    far_.pass(frame, timed ? controller_.clock().to_steady_ns(frame.submitted_ns()) : 0);
    pass_waiting();
  }
  void pass_waiting() {
    const int64_t next_ns = far_.pass_waiting();
    if (next_ns != WaitingFrames::kNever) turn_.start_at(next_ns);
  }
  void take(receiver::Job job) {
    if (auto* swap = std::get_if<receiver::Swap>(&job)) {
      for (const auto& frame : swap->frames) far_.shown(*frame, swap->at_ns);
      // A posted task must be copyable, but frames are not.
      auto swapped = std::make_shared<receiver::Swapped>(shown_now(std::move(*swap)));
      loop_.post([this, swapped] { controller_.on_swapped(std::move(*swapped)); });
    }
    if (auto* stop = std::get_if<receiver::Stop>(&job)) {
      if (stop->error) result_ = *std::move(stop->error);
      quit();
    }
  }

  sail::Loop loop_;
  sail::Result<void> result_;
  receiver::ReceiverController controller_;
  FarWall& far_;
  NearControls controls_;
  sail::FineTimer turn_{loop_, [this] { pass_waiting(); }};  // of the next frame that waits
};

}  // namespace

sail::Result<void> run_bridge(const NearWall& near, FarWall& far, const sail::Log& log) {
  NearReceiver receiver(near, far, log);
  std::thread far_thread([&] {
    far.run();
    receiver.quit();
  });
  auto ended = receiver.run();
  far.end();
  far_thread.join();
  return ended;
}

sail::Result<void> run_region(const NearWall& near, const sigset_t& signals, sail::Session& far,
                              RegionWindow::Options options, BridgeCounts& counts,
                              const sail::Log& log) {
  RegionControls controls(near, options.at, log);
  RegionInput input;
  receiver::SoundFeed sound;
  options.takes_input = near.may_control;
  auto window = std::make_unique<RegionWindow>(
      far, std::move(options), input, sound,
      [&controls](Wish wish) { controls.send(std::move(wish)); }, log);
  const RegionWindow& shown = *window;
  const int threads = sail::WorkerPool::default_threads();
  receiver::Receiver receiver(
      {.name = kBridgeProgram,
       .manager = near.at,
       .decode_workers = threads,
       .data_port = near.data_port,
       .announce_port = near.announce_port,
       .record = sail::Record{.wall_rect = near.region, .secret = sail::random_secret()},
       .film_sound = &sound,
       .key = near.key,
       .decoder_cache = receiver::decoder_cache(),
       .on_scene =
           [&input](sail::Scene& scene) {
             darken_bridged(scene);
             input.follow(scene);
           }},
      receiver::make_cpu_display(std::move(window), threads), log);
  sail::Result<void> ended;
  {
    const receiver::SignalThread signal_thread(signals, receiver);
    ended = receiver.run();
  }
  counts = shown.counts();
  return ended;
}

}  // namespace ui
