// The receiver's loop thread: the connection to the manager, the clock, the scenes and the data
// plane. Turns their events into jobs for the main thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "receiver/display/refresh_meter.h"
#include "receiver/intake/data_plane.h"
#include "receiver/jobs.h"
#include "receiver/sound/sound_player.h"
#include "sail/core/base/log.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/trace_answers.h"

namespace receiver {

struct ReceiverOptions {
  std::string name;  // name in the wall file; for a recorder: its display name
  sail::Address manager;
  int decode_workers = 0;  // threads that decode blocks, in addition to the decode thread
  size_t memory_bytes = MemoryBudget::usual_bytes();  // memory for the frames of all streams
  uint16_t data_port = 0;      // port for applications; 0: the system chooses
  uint16_t announce_port = 0;  // port told to applications, behind NAT or a relay; 0: same
  // Called with the data port whenever it is announced to the manager. Loop thread.
  std::function<void(const sail::Address&)> on_listening = {};
  sail::FrameTrace* trace = nullptr;  // the receiver's own; filled in by Receiver
  bool launched = false;              // started by a manager: ends with the wall
  // Set for a recorder, which ends with the wall: the region to record.
  std::optional<sail::Record> record = {};
  // Recorders only: receives the wall's sound, if there is any, in steady time. Must outlive this.
  SoundFeed* film_sound = nullptr;
};

class ReceiverController {
 public:
  // `jobs` passes work to the main thread and must not block.
  ReceiverController(sail::Loop& loop, const ReceiverOptions& options,
                     std::function<void(Job)> jobs, const sail::Log& log);

  void on_swapped(Swapped swapped);
  void on_snapshot(SnapshotTaken taken);
  // Passes the known refresh of the displays, in the order of the tiles.
  void on_refreshes(const std::vector<TileRefresh>& refreshes);
  // The main thread never received this swap: drops its frames.
  void on_lost(Swap swap);
  // Closes all connections and notifies the peers.
  void shut_down();

 private:
  void connect();
  sail::Hello hello(const sail::Address& local);
  // Starts the data port and returns the port to announce. Errors as in DataPlane::listen().
  sail::Result<uint16_t> listen(const sail::Address& local);
  void listen_everywhere();
  void on_connected(const sail::Json& result);
  void ask_what_to_record();
  void on_welcome(const sail::Json& result);
  void on_manager_lost();
  void on_refused(const sail::Error& error);
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  std::vector<sail::TraceStamp> stamps() const;
  sail::Result<void> handle(const std::string& method, const sail::Json& params);
  void on_sound_mix(const sail::SoundMix& mix);
  void on_sound(uint32_t stream, const sail::Sound& sound);
  void on_scene(sail::Scene scene);
  void on_go(const sail::Go& go);
  void on_due(std::unique_ptr<Frame> frame);
  void on_show(uint32_t stream, const sail::FrameShow& show);
  // Shows the announced scene from then on, with these frames.
  void show_scene(int64_t at_ns, const std::vector<sail::Go::Frame>& frames);
  void show_frame(uint32_t stream, const sail::FrameShow& show);
  void show_early_frames();
  // Returns null while disconnected and after shut_down().
  sail::RpcPeer* manager() const;
  void on_heartbeat();
  int64_t to_wall_ns(int64_t steady_ns) const;
  // Converts a presentation time of the manager; returns now if the clock offset is unknown.
  int64_t to_steady_ns(int64_t wall_ns) const;

  const ReceiverOptions options_;
  sail::Loop& loop_;
  std::function<void(Job)> jobs_;
  const sail::Log& log_;
  sail::WallClock clock_;
  sail::TraceAnswers trace_;
  std::vector<sail::TileInfo> tiles_;
  std::optional<sail::Record> record_;  // for recorders: region to request again
  sail::Scene told_;                    // the newest scene announced
  bool pending_ = false;                // that scene is not shown yet
  bool from_former_manager_ = false;    // from an earlier manager connection
  // Requests to show frames whose layout is not shown yet, by stream, in order. All are kept,
  // because a receiver that gets the layout earlier shows all of them.
  std::map<uint32_t, std::deque<sail::FrameShow>> early_;
  std::shared_ptr<const sail::Scene> current_;  // scene on screen, or on its way to the main thread
  int64_t layout_at_ns_ = 0;                    // its presentation time, in wall time
  bool scene_lost_ = false;  // the main thread never received the scene: send it with the next swap
  int64_t render_ns_ = 0;
  std::vector<sail::RefreshStats> refreshes_;  // tiles with a known refresh only
  // Since the last heartbeat.
  int64_t paint_ns_ = 0;
  uint64_t swaps_ = 0;
  // Values at the last heartbeat.
  int64_t heartbeat_at_ns_ = 0;
  uint64_t frames_decoded_ = 0;
  int64_t decode_ns_ = 0;
  SoundPlayer sound_;
  bool everywhere_ = false;    // the data port listens on all addresses
  std::string data_trouble_;   // why there is no data port
  sail::Timer connect_again_;  // runs while there is no data port
  std::unique_ptr<sail::ManagerLink> link_;
  DataPlane data_;  // destroyed first, because it calls back to the manager link
};

}  // namespace receiver
