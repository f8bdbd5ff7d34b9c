// A whole wall in one process: a manager and all its receivers in memory, each on threads of its
// own, over real sockets on loopback with ports that the system chooses.
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

#include "codecs/image.h"
#include "sail/net/rpc_client.h"
#include "sail/relay/relay.h"
#include "sail/wall/wall.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/json.h"
#include "tests/support/reference_wall.h"
#include "ui/wall_picture.h"

namespace test {

// Looks every few milliseconds; gives up, with false, when the condition has not come for long.
bool eventually(const std::function<bool()>& condition);

// So many frames of a film are seen at one instant: all tiles swap the same. With a sanitizer some
// paint too slowly to keep their instants.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr size_t kMostFramesAtOnce = 4;
#else
constexpr size_t kMostFramesAtOnce = 1;
#endif

// Two by two tiles of 320×180 pixels with gaps between them, each with a receiver of its own.
sail::Wall grid_wall();
// A single tile of 480×360.
sail::Wall one_tile_wall();

class HeadlessWall {
 public:
  // Returns when all receivers are connected. With an impairment there is a relay before each.
  explicit HeadlessWall(const sail::Wall& wall,
                        const std::optional<sail::Impairment>& impairment = {});
  ~HeadlessWall();
  HeadlessWall(const HeadlessWall&) = delete;
  HeadlessWall& operator=(const HeadlessWall&) = delete;

  const sail::Wall& wall() const { return wall_; }
  const std::string& manager_address() const { return manager_address_; }
  sail::RpcClient& client() { return *client_; }

  // The answer of a verb that must succeed; a failure fails the test.
  sail::Json call(std::string_view verb, const sail::Json& params = sail::Json::object());
  bool connected(const std::string& receiver);
  // As the manager lists them, bottom to top; the lowest, or an empty object.
  sail::Json windows();
  sail::Json window();
  // For an application of that name.
  std::unique_ptr<sail::Session> open_session(const char* name) const;
  // It is gone without a word, and nothing is left of it; another one is started in its place.
  void kill_manager();
  void start_manager();
  void start_receiver(const std::string& name);
  void stop_receiver(const std::string& name);
  // What the relay before a receiver does, and what it has counted.
  void set_impairment(const std::string& receiver, const sail::Impairment& impairment);
  sail::RelayCounters relay_counters(const std::string& receiver);
  // Hears each packet on its way there, on the relay's thread.
  void overhear(const std::string& receiver,
                std::function<void(std::span<const uint8_t> packet)> listener);
  // Where the receiver behind it listens.
  sail::Address data_address(const std::string& receiver);
  // Waits until no change of layout is under way any more.
  void settle();
  ui::TilePictures tiles();
  // Waits until the rectangle of the only tile has those colours, but for `tolerance` levels.
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

// What a receiver makes of a frame: reduced, encoded and decoded again. of_frame: how often JPEG
// 2000 frames are halved before they are coded, at most `reduction`.
reference::Picture through(const sail::CodecSpec& codec, const reference::Picture& frame,
                           int of_frame, int reduction);

}  // namespace test
