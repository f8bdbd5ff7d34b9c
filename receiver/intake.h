// What happens on the loop thread: the link to the manager, the clock, the scenes, and the data
// plane. Turns all that into jobs for the main thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "receiver/data_plane.h"
#include "receiver/jobs.h"
#include "receiver/refresh_meter.h"
#include "receiver/sound_player.h"
#include "sail/base/log.h"
#include "sail/base/wall_clock.h"
#include "sail/net/manager_link.h"
#include "sail/wire/trace_answers.h"

namespace receiver {

struct ReceiverOptions {
  std::string name;  // in the wall file; of a recorder: what to call it
  sail::Address manager;
  int decode_workers = 0;  // threads that decode blocks, besides the one that always does
  size_t memory_bytes = MemoryBudget::usual_bytes();  // for the streams' frames
  uint16_t data_port = 0;      // where applications connect; 0: the system chooses
  uint16_t announce_port = 0;  // what they are told, for those behind a NAT or a relay; 0: the same
  // The data port, each time the manager is to hear of it. Loop thread.
  std::function<void(const sail::Address&)> on_listening = {};
  sail::FrameTrace* trace = nullptr;  // the receiver's own
  bool launched = false;              // by a manager: it ends with the wall
  // It is a recorder, which ends with the wall, and wants to see this.
  std::optional<sail::Record> record = {};
  // Of a recorder: the wall's sound comes here, in steady time, if there is any. It outlives this.
  SoundFeed* film_sound = nullptr;
};

class Intake {
 public:
  // `jobs` takes what the main thread has to do; it must not wait.
  Intake(sail::Loop& loop, const ReceiverOptions& options, std::function<void(Job)> jobs,
         const sail::Log& log);

  void on_swapped(Swapped swapped);
  void on_snapshot(SnapshotTaken taken);
  // What is known of the displays of the tiles, in their order.
  void on_refreshes(const std::vector<TileRefresh>& refreshes);
  // A swap that the main thread will never see: its frames are dropped.
  void on_lost(Swap swap);
  // Tells all peers that it ends.
  void shut_down();

 private:
  void connect();
  sail::Hello hello(const sail::Address& local);
  // Of the data port; what the manager is to hear of it. Errors as of DataPlane::listen().
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
  // The scene that was told is shown from then on, with these frames.
  void show_scene(int64_t at_ns, const std::vector<sail::Go::Frame>& frames);
  void show_frame(uint32_t stream, const sail::FrameShow& show);
  void show_early_frames();
  // Null while it is not connected, and once this has shut down.
  sail::RpcPeer* manager() const;
  void on_heartbeat();
  int64_t to_wall_ns(int64_t steady_ns) const;
  // When to show what the manager wants shown then; at once when its clock is not known.
  int64_t to_steady_ns(int64_t wall_ns) const;

  const ReceiverOptions options_;
  sail::Loop& loop_;
  std::function<void(Job)> jobs_;
  const sail::Log& log_;
  sail::WallClock clock_;
  sail::TraceAnswers trace_;
  std::vector<sail::TileInfo> tiles_;
  std::optional<sail::Record> record_;  // once it was told: the same place again
  sail::Scene told_;                    // the newest
  bool pending_ = false;                // and it was not shown yet
  bool told_by_former_ = false;         // manager, and this one has told none
  // By stream, the frames that came to be shown before the layout that they belong to, in order.
  // All of them: where the layout was here sooner, all are shown.
  std::map<uint32_t, std::deque<sail::FrameShow>> early_;
  std::shared_ptr<const sail::Scene> current_;  // shown, or on its way to the main thread
  int64_t layout_at_ns_ = 0;                    // wall time at which it is to be seen
  bool scene_lost_ = false;  // the main thread never saw it: it goes with the next swap
  int64_t render_ns_ = 0;
  std::vector<sail::RefreshStats> refreshes_;  // of tiles of which something is known
  // Since the last heartbeat.
  int64_t paint_ns_ = 0;
  uint64_t swaps_ = 0;
  // By then.
  int64_t heartbeat_at_ns_ = 0;
  uint64_t frames_decoded_ = 0;
  int64_t decode_ns_ = 0;
  SoundPlayer sound_;
  bool everywhere_ = false;    // the data port is on all addresses
  std::string data_trouble_;   // why there is none
  sail::Timer connect_again_;  // while there is none
  std::unique_ptr<sail::ManagerLink> link_;
  DataPlane data_;  // tells the manager what it gets: it goes first
};

}  // namespace receiver
