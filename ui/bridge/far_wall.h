// The windows that a bridge shows on the far wall: an application with one stream for each window
// of the near wall that was chosen. The near wall's loop thread passes frames, the far thread opens
// and closes streams.
#pragma once

#include <sail/sail.hpp>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/wire/receiver_messages.h"
#include "ui/bridge/held_frame.h"

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

  BridgeCounts& operator+=(const BridgeCounts& more);
};

class FarWall {
 public:
  struct Options {
    std::string at;                   // the far wall's address
    std::vector<uint32_t> windows{};  // windows of the near wall; empty: all
  };
  FarWall(sail::Session session, Options options, const sail::Log& log);

  // Near wall's loop thread.
  void follow(const sail::Scene& scene);
  void pass(const receiver::Frame& frame);

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
    HeldFrame held{};
    bool gone = false;    // no longer on the near wall
    bool closed = false;  // by people on the far wall
    bool waits = false;   // `held` was not sent yet
    sail::Stream far{};
    FarShape far_shape{};       // shape of `far`
    int64_t open_after_ns = 0;  // the last attempt failed
    std::string trouble{};      // why
    BridgeCounts counts{};
  };
  using Windows = std::map<uint32_t, Window>;

  void add(const sail::SceneWindow& window);
  bool is_chosen(uint32_t number) const;
  // Reports the window, unless it was left out before.
  void leave_out(const sail::WindowSource& source, const char* why,
                 const std::vector<uint32_t>& before);
  void say_too_old();
  void submit(Window& window, const sail_encoded_frame& frame);
  bool all_are_closed() const;
  void take(const sail_event& event);
  Window* window_of(const sail_stream* stream);
  std::vector<sail::Stream> take_ended();
  bool wants_stream(const Window& window, int64_t now_ns) const;
  void open_streams();
  void open_stream(uint32_t number);
  void note_opened(uint32_t number, const FarShape& shape, sail::Stream stream,
                   const std::string& error);

  sail::Session session_;
  const Options options_;
  const sail::Log& log_;
  mutable std::mutex mutex_;  // guards all members below
  std::condition_variable changed_;
  bool news_ = false;
  bool ended_ = false;
  Windows windows_;                       // by number on the near wall
  std::map<uint32_t, uint32_t> numbers_;  // numbers of the windows, by stream
  std::vector<uint32_t> left_out_;        // windows that cannot be passed on, which were reported
  bool said_too_old_ = false;
  BridgeCounts former_;  // counts of windows that have ended
};

}  // namespace ui
