// A whole wall in one process: a manager and all receivers, each on its own threads, with displays
// in memory and real sockets on loopback with system-chosen ports.
#pragma once

#include <sail/sail.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/image.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/data/codec_name.h"
#include "tests/support/reference_wall.h"
#include "ui/client/wall_picture.h"
#include "ui/impair/relay.h"

namespace test {

// Polls the condition every few milliseconds. Returns false after a long timeout.
bool eventually(const std::function<bool()>& condition);

// Number of different frames of a film that tiles may show at one instant. It is 1, because all
// tiles swap together; with a sanitizer painting may miss the swap time.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr size_t kMostFramesAtOnce = 4;
#else
constexpr size_t kMostFramesAtOnce = 1;
#endif

// Two by two tiles of 320×180 pixels with gaps between them, each with its own receiver.
sail::Wall grid_wall();
// A single tile of 480×360.
sail::Wall one_tile_wall();

class HeadlessWall {
 public:
  // Returns when all receivers are connected. With an impairment each receiver is behind a relay.
  explicit HeadlessWall(const sail::Wall& wall,
                        const std::optional<sail::Impairment>& impairment = {});
  ~HeadlessWall();
  HeadlessWall(const HeadlessWall&) = delete;
  HeadlessWall& operator=(const HeadlessWall&) = delete;

  const sail::Wall& wall() const { return wall_; }
  const std::string& manager_address() const { return manager_address_; }
  sail::RpcClient& client() { return *client_; }

  // Calls a verb that must succeed, and returns its answer.
  sail::Json call(std::string_view verb, const sail::Json& params = sail::Json::object());
  bool connected(const std::string& receiver);
  // windows() as the manager lists them, bottom to top; window() is the lowest, or an empty object.
  sail::Json windows();
  sail::Json window();
  // Opens a session for an application of this name.
  std::unique_ptr<sail::Session> open_session(const char* name) const;
  // Ends the manager without notification or saved state; start_manager() starts a new one at the
  // same address.
  void kill_manager();
  void start_manager();
  void start_receiver(const std::string& name);
  void stop_receiver(const std::string& name);
  // Impairment and counters of the relay in front of a receiver.
  void set_impairment(const std::string& receiver, const sail::Impairment& impairment);
  sail::RelayCounters relay_counters(const std::string& receiver);
  // Calls `listener` on the relay's thread for each packet to the receiver.
  void overhear(const std::string& receiver,
                std::function<void(std::span<const uint8_t> packet)> listener);
  // Address of the receiver behind the relay.
  sail::Address data_address(const std::string& receiver);
  // Waits until no layout change is in progress.
  void settle();
  ui::TilePictures tiles();
  // Waits until the rectangle of the only tile has these colours within `tolerance` levels.
  void expect_shown(const sail::Rect& rect, const Colours& colours, const std::string& what,
                    int tolerance = 0);

 private:
  std::string difference(const sail::Rect& rect, const Colours& colours, int tolerance);

  class ManagerThread;
  class ReceiverThread;
  class RelayThread;

  sail::Wall wall_;
  std::string manager_address_;
  std::unique_ptr<ManagerThread> manager_;
  std::map<std::string, std::unique_ptr<RelayThread>> relays_;  // outlive the receivers
  std::map<std::string, std::unique_ptr<ReceiverThread>> receivers_;
  std::unique_ptr<sail::RpcClient> client_;
};

// What a receiver shows of a frame: reduced, encoded and decoded. of_frame: number of halvings
// before JPEG 2000 encoding, at most `reduction`.
reference::Picture through(const sail::CodecSpec& codec, const reference::Picture& frame,
                           int of_frame, int reduction);

}  // namespace test
