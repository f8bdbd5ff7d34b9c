// The free space manager: owns the wall, its windows and the sessions of all peers; tells receivers
// where each window stands and applications where each pixel block goes. Never touches a pixel.
//
// Thread: the loop's. One process may hold several (tests do). Everything that peers send ends in
// one of the public functions below, through the commands.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "manager/change_feed.h"
#include "manager/child_programs.h"
#include "manager/director.h"
#include "manager/figure_feed.h"
#include "manager/players.h"
#include "manager/receiver_launcher.h"
#include "manager/receiver_roster.h"
#include "manager/session.h"
#include "manager/subscribers.h"
#include "manager/thumbnails.h"
#include "manager/window_stack.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wall/wall.h"
#include "sail/wire/input.h"
#include "sail/wire/thumbnail.h"

namespace manager {

// How long peers have; tests make some of it short.
struct FsManagerTimes {
  int64_t hello_ms = sail::kHelloTimeoutMs;  // to say hello
  int64_t close_ms = 2000;                   // an application to close a window
  int64_t play_ms = 10'000;                  // a player to open its window
};

struct FsManagerOptions {
  sail::Wall wall;
  sail::Address listen{"127.0.0.1", sail::kDefaultControlPort};
  std::string token;             // empty: every peer is welcome
  bool launch = false;           // start the receivers of this host
  std::string display = "auto";  // of launched receivers
  std::string receiver_program = "vitrail-receiver";
  std::string player_program = "bplay";
  FsManagerTimes times;
  size_t max_peers = sail::kMaxPeers;
};

class FsManager {
 public:
  // Listens. on_ended comes once, after shut_down() has done all: this may be destroyed in it.
  static sail::Result<std::unique_ptr<FsManager>> start(sail::Loop& loop, FsManagerOptions options,
                                                        const sail::Log& log,
                                                        std::function<void()> on_ended);
  ~FsManager();

  sail::Address address() const { return listener_->address(); }
  // Tells applications to close, then ends the programs it started.
  void shut_down();

  // --- state, for the commands
  const sail::Wall& wall() const { return options_.wall; }
  const WindowStack& windows() const { return windows_; }
  const ReceiverRoster& receivers() const { return roster_; }
  const Director& director() const { return director_; }
  const sail::Log& log() const { return log_; }
  const FsManagerTimes& times() const { return options_.times; }
  size_t sessions() const { return sessions_.size(); }
  // Tells the subscribers what changed so far; the revision that the state has now.
  uint64_t publish_changes();
  // Of the state as it was told last.
  uint64_t revision() const { return changes_.revision(); }

  // --- what the commands do
  // Windows given by number must exist. kLimit: it may not stand there.
  sail::Result<void> place_window(uint32_t number, const WideRect& place);
  void raise_window(uint32_t number);
  void lower_window(uint32_t number);
  void arrange_windows();
  // Asks the window's application to close it, and does so itself when it does not in time.
  // done(forced) comes once.
  void close_window(uint32_t number, std::function<void(bool forced)> done);
  // codec: of the type "codec".
  void send_event(const Window& window, const std::string& type, double value,
                  const std::string& codec = {});
  void open_window(const Session& application, const sail::OpenStream& open,
                   const sail::RpcPeer::Reply& reply);
  void remove_window(uint32_t number);
  void record_stats(uint32_t window, const sail::StreamStats& stats);
  void record_stats(const Session& receiver, const sail::ReceiverStats& stats);
  // Passed on in the application's pixels.
  void send_input(const Window& window, const Session& ui, sail::Input input);
  void record_playback(uint32_t window, const sail::Playback& playback);
  void record_thumbnail(const sail::Thumbnail& thumbnail);
  void watch_thumbnails(const Session& ui, Thumbnails::Watch watch);
  void frame_ready(const Session& receiver, const sail::Ready& ready);
  // seconds 0: until it is set otherwise.
  void identify(bool on, double seconds);
  sail::RpcPeer& peer_of(const ReceiverEntry& connected) {
    return find_session(connected.session)->peer();
  }
  void subscribe(Session& ui, const Subscribers::Wants& wants) { subscribers_.add(ui, wants); }
  const Subscribers& subscribers() const { return subscribers_; }
  void play(const PlayRequest& request, Players::Started started) {
    players_->play(request, std::move(started));
  }

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
  void accept(std::unique_ptr<sail::TcpConnection> connection);
  sail::Result<void> check_hello(const sail::Hello& hello) const;
  void admit_receiver(Session& session, const sail::Hello& hello,
                      const sail::RpcPeer::Reply& reply);
  void welcome_receiver(Session& session, ReceiverEntry& entry, const sail::Hello& hello,
                        const sail::RpcPeer::Reply& reply);
  void receiver_gone(ReceiverEntry& entry);
  Session* find_session(uint64_t id);
  sail::Rect first_place(const Session& application, const sail::OpenStream& open);
  void restacked();
  void window_changed(uint32_t number);
  void receiver_changed(const std::string& name);
  void changes_pending();
  void publish_figures();
  void layout_changed();
  // Sends what the director wants sent.
  void carry_out_orders();
  void carry_out(const SendScene& order);
  void carry_out(const SendRoutes& order);
  void carry_out(const SendGo& order);
  void send_line(const std::vector<std::string>& receivers, const std::string& line);
  void on_tick();
  void ask_for_thumbnails();
  void deliver_thumbnails();
  void continue_shutdown();

  sail::Loop& loop_;
  FsManagerOptions options_;
  sail::Log log_;
  std::function<void()> on_ended_;

  WindowStack windows_;
  ReceiverRoster roster_;
  Director director_;
  ChangeFeed changes_;
  Thumbnails thumbnails_;
  FigureFeed figures_;
  Subscribers subscribers_;
  std::map<uint32_t, Closing> closings_;

  sail::Timer tick_;
  sail::Timer publish_;
  sail::Timer figures_timer_;
  sail::Timer identify_;
  ChildPrograms children_;
  std::unique_ptr<Players> players_;
  std::unique_ptr<ReceiverLauncher> launcher_;
  std::unique_ptr<sail::TcpListener> listener_;
  std::map<uint64_t, std::unique_ptr<Session>> sessions_;
  uint64_t next_session_ = 1;
  bool full_logged_ = false;     // more than kMaxPeers came
  int64_t ending_since_ns_ = 0;  // 0: not ending
  bool children_told_ = false;   // to end
};

}  // namespace manager
