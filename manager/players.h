// Players that the verb "play" starts. Each gets a key of its own in its environment, by which
// its session and so its window are known. Thread: the loop's.
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

#include "manager/author.h"
#include "manager/child_programs.h"
#include "manager/node_command.h"
#include "manager/node_logs.h"
#include "manager/play_request.h"
#include "manager/sources.h"
#include "sail/base/geometry.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/wall_key.h"
#include "sail/wire/content.h"

namespace manager {

// Arguments for one of the players, no shell between: media follow "--", so none is an option.
std::vector<std::string> player_arguments(const std::string& program, const PlayRequest& request);

class Players {
 public:
  struct Options {
    // Where the players are, by their names.
    std::map<std::string, std::string, std::less<>> programs;
    NodeStart start;                    // as all begin, with the wall's key
    std::vector<Source> commands;       // those that are saved
    std::vector<sail::AppPlace> nodes;  // where they may run besides
    AtEnd at_end = AtEnd::kHold;        // of requests that do not say
    // Whether that may be opened now, with the rights of who asked for it. The answer comes once.
    using Judged = std::function<void(const sail::Result<void>&)>;
    std::function<void(const PlayRequest&, Judged)> judge{};
    int64_t tell_ms = 0;  // a player without a window by then is told of
    // Where the window may come to stand, for what tells of it till then.
    std::function<sail::Rect(const PlayRequest& request)> place_for{};
    std::function<void()> on_openings{};  // they have changed
    // A node's has ended; failed: not as if it had been asked to.
    std::function<void(const std::string& name, bool failed, const std::string& why)>
        on_node_ended{};
  };
  Players(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs, Options options);

  using Started = std::function<void(sail::Result<uint32_t> window)>;
  // `started` comes once: the number of the window when it opens, or why there is none. author: who
  // asks, as a step of the history; nothing: it is part of another step. kUnauthorized: the
  // request's opener may not open that.
  void play(const PlayRequest& request, std::optional<Author> author, Started started) {
    play(request, std::move(author), std::move(started), {});
  }
  // In the place of a window: its program has lost it, or it goes when the new one is there.
  // second: on the node's second host.
  struct Again {
    uint32_t window = 0;
    bool second = false;
  };
  void play(const PlayRequest& request, std::optional<Author> author, Started started,
            const Again& again);
  // The window whose place the player's takes; 0: none. Once.
  uint32_t take_former(std::string_view name);
  // Where the next start of a node's program is to be, when the one of this key was lost.
  bool other_host(const std::string& on, std::string_view name) const;
  // Ends a player, if it runs.
  void end(std::string_view name);

  // The key's name by which the player is known that an application opens a window for: the
  // application's own, or that of a player that waits for a film server to show this.
  std::string player_for(const std::string& name,
                         const std::optional<sail::Content>& content) const;
  // Where the player's next window goes; nothing once it has one, or for another application.
  struct Wish {
    std::optional<sail::Rect> place;
    std::optional<sail::Rect> within;
    std::optional<std::pair<int, int>> centre;
  };
  Wish take_wish(std::string_view name);
  // Whose step of the history it is that the player opens its first window; nothing: nobody's.
  std::optional<Author> asked_by(std::string_view name) const;
  // Whether this is one of them.
  bool started(std::string_view name) const { return players_.contains(name); }
  void window_opened(std::string_view name, uint32_t window);
  // What starts again what is in a window that it opens now; null for another application, and for
  // all windows of a saved command but its first: they come with that.
  const PlayRequest* request(std::string_view name) const;
  // Names of what players have been opening for long, and no window shows yet.
  std::vector<std::string> opening() const;
  // Players that work on opening their window, as long as they live and nobody ends them.
  struct Opening {
    uint32_t number = 0;  // from 1, never used twice
    std::string title;
    sail::Rect rect;
    int64_t since_s = 0;  // since 1970
  };
  std::vector<Opening> openings() const;
  // Ends one. kNotFound: there is none, or its window is there. kUnauthorized: it is another's.
  sail::Result<void> close_opening(uint32_t number, const Author& author);

  // Answers who still wait; from now on nothing is played.
  void stop();
  bool stopped() const { return stopped_; }

 private:
  struct Player {
    int child = 0;
    PlayRequest request;
    Wish wish;
    std::optional<Author> author;
    Started started;  // empty once called
    Again again;
    std::optional<Opening> opening;        // once it is told of
    std::unique_ptr<sail::Timer> telling;  // runs until then
  };
  void launch(const PlayRequest& request, std::optional<Author> author, Started started,
              const Again& again);
  // kNotFound when the wall has no such node.
  sail::Result<const sail::AppPlace*> node(const std::string& name) const;
  // Program and arguments. kNotFound: the command is saved no longer.
  sail::Result<std::vector<std::string>> command_line(const PlayRequest& request) const;
  sail::Result<int> start(const PlayRequest& request, const std::vector<std::string>& line,
                          const std::string& name);
  sail::Result<int> start_on_node(const PlayRequest& request, const std::string& name, bool second);
  void node_ended(const std::string& name, const PlayRequest& request, int64_t exit_status,
                  int signal);
  // why: what is said to whom waits for its window.
  void ended(const std::string& name, const std::string& why);
  void tell_of(Player& player);
  void answer(Player& player, sail::Result<uint32_t> result);

  sail::Loop& loop_;
  ChildPrograms& children_;
  NodeLogs& logs_;
  Options options_;
  bool stopped_ = false;
  uint32_t next_opening_ = 1;
  std::map<std::string, Player, std::less<>> players_;  // by the name of its key
};

}  // namespace manager
