// Players that the verb "play" starts. Each gets its own key in its environment, which identifies
// its session and its window. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manager/media/play_request.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/player_starter.h"
#include "manager/wall/step.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/wire/content.h"

namespace manager {

class Players {
 public:
  struct Options {
    PlayerStarter::Options starter;
    // Checks whether the request's key may open the media. Calls Checked once.
    using Checked = std::function<void(const sail::Result<void>&)>;
    std::function<void(const PlayRequest&, Checked)> check_rights{};
    int64_t report_after_ms = 0;  // Players without a window are announced after this time.
    // Returns where the window will probably be, for the announcement.
    std::function<sail::Rect(const PlayRequest& request)> place_for{};
    std::function<void()> on_openings{};  // openings() has changed.
    // A program has ended. failed: by a signal or with an error status.
    std::function<void(const std::string& name, bool failed, const std::string& why)> on_ended{};
  };
  Players(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options);

  using Started = std::function<void(sail::Result<uint32_t> window)>;
  // Calls `started` once, with the number of the new window or an error. author: author of the undo
  // step; empty: part of another step. kUnauthorized: the request's key may not open the media.
  void play(const PlayRequest& request, std::optional<Author> author, Started started) {
    play(request, std::move(author), std::move(started), {});
  }
  // Plays in the place of a window whose program is lost, or of a window that closes when the new
  // one opens. second: on the node's second host.
  struct Again {
    uint32_t window = 0;
    bool second = false;
    uint32_t saved = 0;  // Number of the saved window that it opens again, for give_up(); 0: none.
    bool prepared = false;  // See PlayerPurpose.
  };
  void play(const PlayRequest& request, std::optional<Author> author, Started started,
            const Again& again);
  // Returns the window that the player replaces; 0: none. Only the first call returns it.
  uint32_t take_former(std::string_view name);
  // Whether the node's program should start on the node's second host next. second_after(): after
  // the run with this key name; stays on its host unless that host was lost.
  // second_after_failure(): after a failed start; changes the host.
  bool second_after(const std::string& on, std::string_view name) const;
  bool second_after_failure(const std::string& on, bool second) const;
  // Ends the player, if it runs.
  void end(std::string_view name);
  // Ends the player that opens this saved window again, and answers with the reason. Does nothing
  // if the window is open.
  void give_up(uint32_t saved, const std::string& why);

  // Ends the players of these requests that have not opened their window, and answers with the
  // reason. Returns how many.
  size_t give_up(const std::function<bool(const PlayRequest&)>& which, const std::string& why);

  // Returns the key name of the player to which an application's window belongs: the application's
  // own, or that of a player that waits for a film server to show this content.
  std::string player_for(const std::string& name,
                         const std::optional<sail::Content>& content) const;
  // Requested place of the player's next window; empty after the first, or for other applications.
  struct RequestedPlace {
    std::optional<sail::Rect> place;
    std::optional<sail::Rect> within;
    std::optional<std::pair<int, int>> centre;
  };
  RequestedPlace take_requested_place(std::string_view name);
  // Returns the author of the undo step for the player's first window; empty: none.
  std::optional<Author> asked_by(std::string_view name) const;
  // Whether this manager started the player.
  bool started(std::string_view name) const { return players_.contains(name); }
  void window_opened(std::string_view name, uint32_t window);
  // Returns the request that can restart the content of the window that opens now. Null for other
  // applications, and for all but the first window of a saved command: the command restarts those.
  const PlayRequest* request(std::string_view name) const;
  // Titles of players that have been opening for some seconds without a window.
  std::vector<std::string> opening() const;
  // The player's connection has ended. A player that then keeps running without a window hangs.
  void cut_off(std::string_view name, int64_t now_ns);
  // A sentence for each player on this host that has hung for a while.
  std::vector<std::string> hanging(int64_t now_ns) const;
  // A player that is still opening its window. Ends with the player, or when a person closes it.
  struct Opening {
    uint32_t number = 0;  // From 1, never reused.
    std::string title;
    sail::Rect rect;
    int64_t since_s = 0;         // Seconds since 1970.
    bool awaits_sender = false;  // It opens no window before its sender runs.
  };
  std::vector<Opening> openings() const;
  // Ends the player. kNotFound: no such opening, or its window is open. kUnauthorized: not the
  // author's.
  sail::Result<void> close_opening(uint32_t number, const Author& author);

  // Fails all pending requests and refuses new ones.
  void stop();
  bool stopped() const { return stopped_; }

 private:
  struct Player {
    int child = 0;
    PlayRequest request;
    RequestedPlace requested;
    std::optional<Author> author;
    Started started;  // Empty once called.
    Again again;
    bool host_lost = false;          // Ended because its host was lost.
    std::optional<Opening> opening;  // Set once announced.
    std::unique_ptr<sail::Timer> announce_timer;
    int64_t cut_off_ns = 0;  // Steady; 0: connected, or not connected yet.
  };
  void launch(const PlayRequest& request, std::optional<Author> author, Started started,
              const Again& again);
  void ended(const std::string& name, const PlayerEnd& end);
  void report_opening(Player& player);
  void answer(Player& player, sail::Result<uint32_t> result);

  sail::Loop& loop_;
  ChildPrograms& children_;
  Options options_;
  PlayerStarter starter_;
  bool stopped_ = false;
  uint32_t next_opening_ = 1;
  std::map<std::string, Player, std::less<>> players_;  // By key name.
};

}  // namespace manager
