// The windows that a bridge shows on the far wall: an application with one stream for each window
// of the near wall that was chosen. The near wall's loop thread passes frames, the far thread opens
// and closes streams.
#pragma once

#include <sail/sail.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/playback.h"
#include "sail/core/wire/receiver_messages.h"
#include "ui/bridge/held_frame.h"
#include "ui/bridge/waiting_frames.h"
#include "ui/bridge/wish.h"

namespace ui {

// Beginning of the name of a bridge's application, by which other bridges know its windows.
constexpr const char* kBridgeProgram = "vitrail-bridge";
// Whether a window is shown by a bridge. Windows are not passed on twice, so that they cannot come
// back to the wall that they are from.
bool is_bridged(const std::string& owner);

// Frames of the near wall: `sent` to the far wall or `dropped`, because there was no window yet or
// the far wall did not keep up.
struct BridgeCounts {
  uint64_t received = 0;
  uint64_t sent = 0;
  uint64_t dropped = 0;
  // Of frames over UDP, from submission at the near wall until they are passed on.
  uint64_t timed = 0;
  int64_t way_ns = 0;  // sum

  BridgeCounts& operator+=(const BridgeCounts& more);
};

// What the near wall's manager knows about a window.
struct NearWindow {
  bool may_control = false;  // the bridge's key may control windows at all
  bool takes_input = false;
  std::optional<sail::Playback> playback{};  // `at_ns` is a steady time
};

// Logs events that concern the connection to the far wall. Returns whether this is one.
bool log_session_event(const sail_event& event, const std::string& at, const sail::Log& log);

class FarWall {
 public:
  struct Options {
    std::string at;                   // the far wall's address
    std::vector<uint32_t> windows{};  // windows of the near wall; empty: all
  };
  FarWall(sail::Session session, Options options, const sail::Log& log);

  // Near wall's loop thread.
  void follow(const sail::Scene& scene);
  // Passes the frame on when it is its turn. submitted_ns: steady time of the frame's submission;
  // 0: unknown.
  void pass(const receiver::Frame& frame, int64_t submitted_ns);
  // Passes on frames whose turn has come. Returns the steady time of the next turn;
  // WaitingFrames::kNever: no frame waits.
  int64_t pass_waiting();
  void follow(uint32_t window, const NearWindow& near);
  void forget(uint32_t window);
  // Sets the function that is called on the far thread after new wishes. Call before run().
  void on_wishes(std::function<void()> handler) { on_wishes_ = std::move(handler); }
  // The next wish of the far wall's people; empty: none.
  std::optional<Wish> next_wish() { return wishes_.pop(); }
  // `sound` is in steady time. Copies the samples.
  void pass(uint32_t stream, const sail::Sound& sound);
  // The near wall shows the frame at this steady time. Its sound is heard at the same time.
  void shown(const receiver::Frame& frame, int64_t at_ns);

  // The far wall's address.
  const std::string& at() const { return options_.at; }

  // Far thread: works until end(), or until people have closed all chosen windows.
  void run();
  // Any thread.
  void end();
  // After run().
  BridgeCounts counts() const;

 private:
  struct Window {
    std::string title{};
    int max_reduction = 0;
    NearPlace place{};
    HeldFrame held{};
    int64_t added_ns = 0;
    bool gone = false;    // no longer on the near wall
    bool closed = false;  // by people on the far wall
    bool waits = false;   // `held` was not sent yet, because there is no stream
    WaitingFrames waiting{};
    sail::Stream far{};
    bool far_takes_input = false;
    bool has_input = false;     // people of the far wall use it, and may hold keys and buttons
    FarShape far_shape{};       // shape of `far`
    int64_t open_after_ns = 0;  // the last attempt failed
    std::string trouble{};      // why
    // Mean time from the arrival of a frame here to its swap on the near wall.
    int64_t wait_ns = 0;
    BridgeCounts counts{};
  };
  using Windows = std::map<uint32_t, Window>;

  void add(const sail::SceneWindow& window);
  bool is_chosen(uint32_t number) const;
  // Reports the window, unless it was left out before.
  void leave_out(const sail::WindowSource& source, const char* why,
                 const std::vector<uint32_t>& before);
  void say_too_old();
  const NearWindow& near_window(uint32_t number) const;
  void report_playback(uint32_t number, Window& window);
  void take_wish(const sail_event& event, uint32_t number, Window& window);
  // People of the far wall can no longer release what they hold in the window.
  void leave(uint32_t number, Window& window);
  static void submit(Window& window, const sail_encoded_frame& frame, const FrameTimes& times);
  static int64_t pass_waiting(Window& window);
  // The far wall gets a newer frame in place of those that wait.
  static void drop_waiting(Window& window);
  bool all_are_closed() const;
  void take(const sail_event& event);
  Windows::iterator window_of(const sail_stream* stream);
  Window* window_of(uint32_t near_stream);
  std::vector<sail::Stream> take_ended();
  bool wants_stream(uint32_t number, const Window& window, int64_t now_ns) const;
  void open_streams();
  void open_stream(uint32_t number);
  void note_opened(uint32_t number, const FarShape& shape, bool takes_input, sail::Stream stream,
                   const std::string& error);

  sail::Session session_;
  const Options options_;
  const sail::Log& log_;
  std::function<void()> on_wishes_;
  sail::Mailbox<Wish> wishes_{kMostWishes};  // when full, the oldest one is dropped
  mutable std::mutex mutex_;                 // guards all members below
  std::condition_variable changed_;
  bool news_ = false;
  bool ended_ = false;
  Windows windows_;                       // by number on the near wall
  std::map<uint32_t, uint32_t> numbers_;  // numbers of the windows, by stream
  std::vector<uint32_t> left_out_;        // windows that cannot be passed on, which were reported
  std::map<uint32_t, NearWindow> near_;   // by number; of all windows of the near wall
  bool said_too_old_ = false;
  BridgeCounts former_;           // counts of windows that have ended
  std::vector<int16_t> samples_;  // near wall's loop thread; kept for its capacity
};

}  // namespace ui
