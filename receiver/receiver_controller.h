// The receiver's loop thread: the connection to the manager and its requests, the clock, and the
// parts that carry the requests out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "receiver/decode/decoder_list.h"
#include "receiver/decode/decoder_process.h"
#include "receiver/display/refresh_meter.h"
#include "receiver/intake/data_plane.h"
#include "receiver/jobs.h"
#include "receiver/layout_gate.h"
#include "receiver/power/display_power.h"
#include "receiver/presenter.h"
#include "receiver/program_update.h"
#include "receiver/sound/node_sound.h"
#include "receiver/statistics.h"
#include "sail/core/base/log.h"
#include "sail/core/process/process.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/trace_answers.h"

namespace receiver {

struct ReceiverOptions {
  std::string name;  // name in the wall file; for a recorder: its display name
  sail::Address manager;
  int decode_workers = 0;  // threads that decode blocks, in addition to the decode threads
  size_t memory_bytes = MemoryBudget::usual_bytes();  // memory for the frames of all streams
  uint16_t data_port = 0;      // port for applications; 0: the system chooses
  uint16_t announce_port = 0;  // port announced to applications (NAT, relay); 0: data port
  // Called with the data port whenever it is announced to the manager. Loop thread.
  std::function<void(const sail::Address&)> on_listening = {};
  sail::FrameTrace* trace = nullptr;  // the receiver's own; filled in by Receiver
  bool launched = false;              // started by a manager: ends with the wall
  sail::NodePower power = {};         // controls of the displays
  // Set for a recorder, which ends with the wall: the region to record.
  std::optional<sail::Record> record = {};
  // Recorders only: receives the wall's sound, if there is any, in steady time. Must outlive this.
  SoundFeed* film_sound = nullptr;
  std::optional<sail::WallKey> key = {};  // the key to prove; empty: key_for() the manager
  // Is asked which carried streams can be decoded here; empty: none can.
  std::string decoder_program = sail::find_program(kDecoderProgram);
  std::filesystem::path decoder_cache = {};  // keeps the answer; empty: each start asks
  // Set: the receiver ends after an update of its program, when nothing has moved for this long.
  std::optional<int64_t> update_after_s = {};
  // For bridges: no frame is decoded. Called on the loop thread, for each whole frame as it
  // arrives.
  std::function<void(const Frame& frame)> on_whole = {};
  // For bridges: called on the loop thread for each scene before frames of its new windows arrive.
  // May darken windows.
  std::function<void(sail::Scene& scene)> on_scene = {};
  // For bridges: called on the loop thread with the sound of each stream, in steady time.
  OnSound on_sound = {};
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
  void on_display(sail::DisplayStats display) { display_ = std::move(display); }
  void on_lost(Swap swap) { presenter_.on_lost(std::move(swap)); }
  const sail::WallClock& clock() const { return clock_; }
  // Closes all connections and notifies the peers.
  void shut_down();

 private:
  void watch_program(int64_t quiet_s);
  void on_carried_codecs(const sail::Result<std::vector<std::string>>& carried);
  void connect();
  sail::Hello hello(const sail::Address& local);
  // Starts the data port and returns the port to announce. Errors as in DataPlane::listen().
  sail::Result<uint16_t> listen(const sail::Address& local);
  void listen_everywhere();
  void on_connected(const sail::Json& result);
  void request_record_region();
  void on_welcome(const sail::Json& result);
  void on_manager_lost();
  void on_refused(const sail::Error& error);
  void on_request(const std::string& method, const sail::Json& params,
                  const sail::RpcPeer::Reply& reply);
  std::vector<sail::TraceStamp> stamps() const;
  sail::Result<void> handle(const std::string& method, const sail::Json& params);
  void on_sound_mix(const sail::SoundMix& mix);
  // Answers when the displays have.
  void on_power(const sail::Json& params, const sail::RpcPeer::Reply& reply);
  void on_scene(sail::Scene scene);
  // Returns null while disconnected and after shut_down().
  sail::RpcPeer* manager() const;
  void on_heartbeat();
  // Whether people see something new by this job.
  bool moves(const Job& job) const;
  int64_t to_wall_ns(int64_t steady_ns) const;
  // Converts a presentation time of the manager; returns now if the clock offset is unknown.
  int64_t to_steady_ns(int64_t wall_ns) const;

  const ReceiverOptions options_;
  sail::Loop& loop_;
  std::function<void(Job)> jobs_;
  const sail::Log& log_;
  std::optional<ProgramUpdate> update_;
  sail::WallClock clock_;
  sail::TraceAnswers trace_;
  std::vector<sail::TileInfo> tiles_;
  sail::Size wall_size_;
  std::optional<sail::Record> record_;  // for recorders: region to request again
  Statistics statistics_;
  std::optional<sail::DisplayStats> display_;  // empty optional: the main thread has not started
  NodeSound sound_;
  DisplayPower power_;
  std::vector<std::string> codecs_ = sail::encodable_codec_names();
  std::optional<DecoderList> decoders_;
  bool everywhere_ = false;    // the data port listens on all addresses
  std::string data_trouble_;   // why there is no data port
  sail::Timer connect_again_;  // runs while there is no data port
  std::unique_ptr<sail::ManagerLink> link_;
  Presenter presenter_;
  LayoutGate gate_;
  DataPlane data_;  // destroyed first, because it calls the others back
};

}  // namespace receiver
