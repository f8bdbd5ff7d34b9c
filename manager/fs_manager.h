// The free space manager: owns the wall, its windows and the sessions of all peers; tells receivers
// where each window stands and applications where each pixel block goes. Never touches a pixel.
//
// Thread: the loop's. One process may hold several (tests do). Everything that peers send ends in
// one of the public functions below, through the commands.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/arrangement.h"
#include "manager/autosave.h"
#include "manager/change_feed.h"
#include "manager/child_programs.h"
#include "manager/clients.h"
#include "manager/director.h"
#include "manager/expected_windows.h"
#include "manager/figure_feed.h"
#include "manager/figure_labels.h"
#include "manager/players.h"
#include "manager/receiver_launcher.h"
#include "manager/receiver_roster.h"
#include "manager/relauncher.h"
#include "manager/saved_walls.h"
#include "manager/session.h"
#include "manager/snapshot_line.h"
#include "manager/source_library.h"
#include "manager/subscribers.h"
#include "manager/thumbnails.h"
#include "manager/tile_gaps.h"
#include "manager/wall_health.h"
#include "manager/wall_overlay.h"
#include "manager/web.h"
#include "sail/base/log.h"
#include "sail/base/rare_log.h"
#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/tcp.h"
#include "sail/net/token_guard.h"
#include "sail/wall/wall.h"
#include "sail/wire/input.h"
#include "sail/wire/thumbnail.h"

namespace manager {

// How long peers have; tests make some of it short.
struct FsManagerTimes {
  int64_t hello_ms = sail::kHelloTimeoutMs;  // to say hello
  int64_t close_ms = 2000;                   // an application to close a window
  int64_t play_ms = 10'000;                  // a player to open its window
  // Programs of a restored session that still run to come back, which they try every 5 s at least.
  int64_t return_ms = 6000;
};

struct FsManagerOptions {
  sail::Wall wall;
  sail::Address listen{"127.0.0.1", sail::kDefaultControlPort};
  std::optional<sail::Address> page;  // where browsers get the page; nothing: nowhere
  bool page_may_lack = false;         // go without the page when its port is in use
  std::string token;                  // empty: every peer is welcome
  bool launch = false;                // start the receivers of this host
  std::string display = "auto";       // of launched receivers
  std::string receiver_program = "vitrail-receiver";
  std::string player_program = "bplay";
  std::string show_program = "vitrail-show";
  std::string poster_program = "vitrail-poster";
  std::filesystem::path state_folder;     // of what outlives a run; empty: nothing does
  std::filesystem::path run_folder;       // of what tells the next manager who runs; likewise
  std::string restore;                    // name of a session to begin with; empty: none
  std::vector<std::string> media;         // folders of films and pictures
  UploadOptions uploads;                  // an empty folder: none are taken
  std::vector<Source> commands;           // that people may start
  std::vector<std::string> film_servers;  // hosts that players may tell the token
  AtEnd at_end = AtEnd::kHold;            // what films do at their end, if nobody says
  FsManagerTimes times;
  size_t max_peers = sail::kMaxPeers;  // UI clients, and as many applications
  size_t max_strangers = sail::kMaxStrangers;
};

// A step of the history as clients are told of it.
struct Told {
  std::string who;
  std::string what;
  std::vector<Relaunched::Failure> failed{};  // windows that did not come back
};
using Restored = std::function<void(const sail::Result<Relaunched>&)>;
using WindowsClosed = std::function<void(const std::vector<uint32_t>& forced)>;
using StepTaken = std::function<void(const sail::Result<Told>&)>;

class FsManager {
 public:
  // Listens. on_ended comes once, after shut_down() has done all: this may be destroyed in it.
  static sail::Result<std::unique_ptr<FsManager>> start(sail::Loop& loop, FsManagerOptions options,
                                                        const sail::Log& log,
                                                        std::function<void()> on_ended);
  ~FsManager();

  sail::Address address() const { return listener_->address(); }
  // Where browsers get the page; nothing when it is served nowhere.
  std::optional<sail::Address> page_address() const;
  // Tells applications to close, then ends the programs it started.
  void shut_down();

  // --- state, for the commands
  const sail::Wall& wall() const { return options_.wall; }
  const WindowStack& windows() const { return arrangement_.windows(); }
  const Arrangement& arrangement() const { return arrangement_; }
  const TileGaps& tile_gaps() const { return tile_gaps_; }
  const Clients& clients() const { return clients_; }
  const ReceiverRoster& receivers() const { return roster_; }
  const SavedWalls& saved_walls(SavedKind kind) const {
    return kind == SavedKind::kLayout ? *saved_layouts_ : *saved_sessions_;
  }
  const Director& director() const { return director_; }
  const WallHealth& health() const { return health_; }
  const sail::Log& log() const { return log_; }
  const FsManagerTimes& times() const { return options_.times; }
  SourceLibrary& sources() { return *sources_; }
  SnapshotLine& snapshots() { return snapshots_; }
  size_t sessions() const { return sessions_.size(); }
  // Tells the subscribers what changed so far; the revision that the state has now.
  uint64_t publish_changes();
  // The revision of the state as it was told last.
  uint64_t revision() const { return changes_.revision(); }

  // --- what the commands do
  // One step of the history and one transaction. False: nothing changes.
  bool change_layout(const LayoutChange& wanted, const Deed& deed, const Session& ui);
  // Takes the newest step back, or does the one again that was taken back last: what it was. Steps
  // that no longer make a difference are passed over. kNotFound when there is none.
  // kConflict while another is under way. done comes once, when all windows have opened or closed
  // that had to.
  void undo(const Session& ui, StepTaken done);
  void redo(const Session& ui, StepTaken done);
  // The wall as it is now, as a layout or session of this name.
  sail::Result<void> save_wall(SavedKind kind, const std::string& name);
  sail::Result<void> remove_saved(SavedKind kind, const std::string& name);
  // Closes what is there and starts what was in the session, as one step of the history; windows of
  // the session that are there and that nobody could start again stay. kConflict while a step is
  // under way. done comes once, when all have opened or failed.
  void restore(const SavedWall& session, const std::string& name, const Session& ui, Restored done);
  // Asks the window's application to close it, and does so itself when it does not in time.
  // done(forced) comes once.
  void close_window(uint32_t number, std::function<void(bool forced)> done);
  // The same with several, one step of the history.
  void close_windows(const std::vector<uint32_t>& numbers, const Session& ui, WindowsClosed done);
  // codec: of the type "codec".
  void send_event(const Window& window, const std::string& type, double value,
                  const std::string& codec = {});
  // In a window of its own, or in one that the application has.
  void open_stream(const Session& application, const sail::OpenStream& open,
                   const sail::RpcPeer::Reply& reply);
  void remove_window(uint32_t number);
  void record_stats(uint32_t window, const sail::StreamStats& stats);
  void record_stats(const Session& receiver, const sail::ReceiverStats& stats);
  // Passed on in the application's pixels.
  void send_input(const Window& window, const Session& ui, sail::Input input);
  void record_playback(uint32_t window, const sail::Playback& playback);
  void record_thumbnail(uint32_t window, const sail::Thumbnail& thumbnail);
  void watch_thumbnails(const Session& ui, Thumbnails::Watch watch);
  void frame_ready(const Session& receiver, const sail::Ready& ready);
  // pointer: below Pointers::kMostOfAClient.
  void move_pointer(const Session& ui, int pointer, const PointerPlace& place);
  void hide_pointer(const Session& ui, int pointer);
  // Figures on the wall itself.
  void show_figures(bool on);
  bool figures_shown() const { return overlay_.labels_on(); }
  // seconds 0: until somebody turns it off.
  void identify(bool on, double seconds);
  sail::RpcPeer& peer_of(const ReceiverEntry& connected) {
    return find_session(connected.session)->peer();
  }
  // The others hear that this client is there.
  void announce(const Session& ui);
  void subscribe(Session& ui, const Subscribers::Wants& wants) { subscribers_.add(ui, wants); }
  const Subscribers& subscribers() const { return subscribers_; }
  // A step of the history once the window is open.
  void play(const PlayRequest& request, const Author& author, Players::Started started);

  // --- for the sessions
  void admit(Session& session, const sail::Hello& hello, const sail::RpcPeer::Reply& reply);
  // Destroys the session and forgets what it brought. Nothing happens when it is gone already.
  void end_session(uint64_t id, std::string_view why);

 private:
  struct Closing {
    std::vector<std::function<void(bool forced)>> done;
    std::unique_ptr<sail::Timer> patience;
    bool forced = false;
  };
  FsManager(sail::Loop& loop, FsManagerOptions options, const sail::Log& log,
            std::function<void()> on_ended);
  void listening(std::unique_ptr<sail::TcpListener> listener);
  void launch_receivers(const std::string& manager);
  sail::Result<void> start_page();
  void accept(std::unique_ptr<sail::MessageChannel> channel);
  void note_starved(const sail::Error& why);
  sail::Result<void> check_hello(const sail::Hello& hello) const;
  void admit_receiver(Session& session, const sail::Hello& hello,
                      const sail::RpcPeer::Reply& reply);
  void welcome_receiver(Session& session, ReceiverEntry& entry, const sail::Hello& hello,
                        const sail::RpcPeer::Reply& reply);
  void receiver_gone(ReceiverEntry& entry);
  Session* find_session(uint64_t id);
  // The first codec offered that all receivers know.
  sail::Result<std::string> agreed_codec(const sail::OpenStream& open) const;
  Window window_for(const Session& application, const sail::OpenStream& open,
                    const std::string& codec) const;
  // player: the token by which it is known for whom the window is (Players::player_for).
  void open_window(const Session& application, const std::string& player,
                   const sail::OpenStream& open, Window window, const sail::RpcPeer::Reply& reply);
  void replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply);
  void answer_opened(const Window& window, const sail::RpcPeer::Reply& reply) const;
  std::optional<PlayRequest> content_of(const std::string& player, const sail::OpenStream& open,
                                        const Window* former) const;
  // And what makes room for it there.
  std::pair<sail::Rect, LayoutChange> first_place(const std::string& player,
                                                  const sail::OpenStream& open);
  void record_opened(uint32_t number, const Author& author);
  void record_closed(HistoryEntry entry);
  // It has gone by itself.
  void forget_window(const Window& window);
  // Tells everybody who must know.
  void spread(const Touched& touched);
  void take_step(bool back, const Session& ui, StepTaken done);
  // Closes and starts windows as the entry asks.
  void exchange_windows(HistoryEntry& entry, bool back, Told told, StepTaken done);
  void resume_playback(const SavedWindow& saved, uint32_t number);
  SavedWindow saved(const Window& window);
  SavedWall saved_now();
  // What is known of how its windows look, as far as a message has room.
  SavedWall with_pictures(SavedWall wall) const;
  // With the history that it has, when this manager has none yet.
  SavedWall renumbered(SavedWall wall);
  void adopt_history(const sail::Json& saved, const std::map<uint32_t, uint32_t>& numbers);
  SavedWalls& walls(SavedKind kind) {
    return kind == SavedKind::kLayout ? *saved_layouts_ : *saved_sessions_;
  }
  void restore_at_start(const std::string& name);
  void start_expected();
  void bring_back(const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order);
  void part_changed(StatePart part);
  void window_changed(uint32_t number);
  void receiver_changed(const std::string& name);
  // What is on the wall has changed: subscribers and the autosave hear of it soon.
  void changes_pending();
  void publish_soon();
  // To the log and all who follow the state: a sentence.
  void notice(const std::string& sentence);
  void publish_figures();
  void look_at_health();
  void layout_changed();
  // Sends what the director wants sent.
  void carry_out_orders();
  void carry_out(const SendScene& order);
  void carry_out(const SendRoutes& order);
  void carry_out(const SendGo& order);
  void send_line(const std::vector<std::string>& receivers, const std::string& line);
  WallOverlay::Handlers overlay_handlers();
  void on_tick();
  void ask_for_thumbnails();
  void deliver_thumbnails();
  void continue_shutdown();
  // All that this manager, or a former one, started.
  void end_programs(int signal);

  sail::Loop& loop_;
  FsManagerOptions options_;
  sail::Log log_;
  std::function<void()> on_ended_;

  const TileGaps tile_gaps_;
  Arrangement arrangement_;
  std::map<uint32_t, LayoutChange> room_for_;  // windows that open: where the others go
  Clients clients_;
  ReceiverRoster roster_;
  Director director_;
  FigureLabels figure_labels_;
  WallOverlay overlay_;
  ChangeFeed changes_;
  Thumbnails thumbnails_;
  FigureFeed figures_;
  WallHealth health_;
  Subscribers subscribers_;
  std::map<uint32_t, Closing> closings_;

  sail::Timer tick_;
  sail::Timer publish_;
  sail::Timer figures_timer_;
  sail::Timer identify_;
  SnapshotLine snapshots_;
  ChildPrograms children_;
  std::unique_ptr<SourceLibrary> sources_;
  std::unique_ptr<Players> players_;
  std::unique_ptr<Relauncher> relauncher_;
  std::unique_ptr<SavedWalls> saved_layouts_;
  std::unique_ptr<SavedWalls> saved_sessions_;
  std::unique_ptr<Autosave> autosave_;
  ExpectedWindows expected_;
  sail::Timer return_;     // when they are expected no longer
  bool stepping_ = false;  // through the history, which takes time
  std::unique_ptr<ReceiverLauncher> launcher_;
  std::unique_ptr<sail::TcpListener> listener_;
  sail::RareLog rare_log_;
  sail::TokenGuard tokens_;
  std::unique_ptr<Web> web_;  // null: no page
  sail::PeerGroup group_;
  std::map<uint64_t, std::unique_ptr<Session>> sessions_;
  uint64_t next_session_ = 1;
  int64_t ending_since_ns_ = 0;  // 0: not ending
  bool children_told_ = false;   // to end
};

}  // namespace manager
