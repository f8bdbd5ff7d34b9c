// Starts the process of a player: on this host, or on a node of the wall. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "manager/files/node_logs.h"
#include "manager/media/play_request.h"
#include "manager/media/sources.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/node_command.h"
#include "sail/core/base/result.h"

namespace manager {

// How a player has ended.
struct PlayerEnd {
  int64_t exit_status = 0;
  bool failed = false;     // By a signal or with an error status.
  bool host_lost = false;  // the host of the player's node is lost
  std::string reason{};    // For people; does not name the player.
  std::string error{};     // A sentence for the caller that waits for the window.
};

class PlayerStarter {
 public:
  struct Options {
    // Paths of the players, by name.
    std::map<std::string, std::string, std::less<>> programs;
    NodeStart start;                    // How players reach the manager, with the wall's key.
    std::vector<Source> commands;       // The saved commands.
    std::vector<sail::AppPlace> nodes;  // Further places where players may run.
    AtEnd at_end = AtEnd::kHold;        // For requests without `at_end`.
  };
  // children and logs must outlive this object.
  PlayerStarter(ChildPrograms& children, NodeLogs& logs, Options options);

  // Fills in the missing fields of the request: program, node, and the action at the end.
  PlayRequest completed(PlayRequest request) const;
  // Returns the name of a new key for the player.
  std::string key_name(const PlayRequest& request) const;
  // Returns program and arguments. kNotFound: the command is no longer saved.
  sail::Result<std::vector<std::string>> command_line(const PlayRequest& request) const;
  struct Run {
    std::string name;       // name of the player's key
    bool second = false;    // On the node's second host.
    std::string purpose{};  // See purpose_text().
  };
  // Returns the child number. kNotFound: the wall has no such node. Calls on_end once, unless this
  // fails.
  using OnEnd = std::function<void(const PlayerEnd&)>;
  sail::Result<int> start(const PlayRequest& request, std::vector<std::string> line, const Run& run,
                          const OnEnd& on_end);
  bool has_second_host(const std::string& node) const;

 private:
  sail::Result<const sail::AppPlace*> node(const std::string& name) const;
  sail::Result<int> start_here(const PlayRequest& request, const std::vector<std::string>& line,
                               const Run& run, const OnEnd& on_end);
  sail::Result<int> start_on_node(const PlayRequest& request, std::vector<std::string> line,
                                  const Run& run, const OnEnd& on_end);
  PlayerEnd end_on_node(const PlayRequest& request, int64_t exit_status, int signal) const;

  ChildPrograms& children_;
  NodeLogs& logs_;
  const Options options_;
};

// Returns the command line of a player: program and arguments, without a shell. Media follow "--",
// so none is an option. Pure.
std::vector<std::string> player_arguments(const std::string& program, const PlayRequest& request);

}  // namespace manager
